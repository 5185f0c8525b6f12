// A series of questions about one game in one table: the win of one side and then of the other, or
// one score after the other. What carries over is in rules/carry_over.hpp.
//
// Invariant: the table holds results of `last_`, or nothing that is solved.
#pragma once

#include <memory>
#include <utility>

#include "rules/carry_over.hpp"
#include "table/table.hpp"

namespace andorra {

class Series {
 public:
  // The table for the next question, which `make` makes for the first one.
  template <class Make>
  Table& table_for(const Question& next, Make&& make) {
    if (kept_ != nullptr && kept_for_ == next.prover && !next.scored && !next.bounded) {
      table_ = std::move(kept_);
    } else if (table_ == nullptr) {
      table_ = make();
      closing_ = {};
    } else {
      table_->translate(CarryOver(last_, next, closing_));
    }
    last_ = next;
    return *table_;
  }

  // What the root was found to be.
  void learn(Bounds root) {
    if (last_.scored) closing_.learn(demand(last_), root);
  }

  // A table with results of the question for a win of that side, should it be asked next.
  void keep(Side prover, std::unique_ptr<Table> table) {
    kept_for_ = prover;
    kept_ = std::move(table);
  }

  // What was found is not to be believed.
  void forget() {
    table_.reset();
    kept_.reset();
  }

 private:
  std::unique_ptr<Table> table_;
  std::unique_ptr<Table> kept_;
  Side kept_for_ = Side::first;
  Question last_;
  Closing closing_;
};

}  // namespace andorra
