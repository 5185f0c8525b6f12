// What is known to be solved: the one view that extraction has of any algorithm's results.
#pragma once

#include "table/table.hpp"

namespace andorra {

class Solved {
 public:
  virtual ~Solved() = default;
  // True, and the result, if the position is solved on every line.
  virtual bool find(Key key, Entry& entry) const = 0;
};

class SolvedInTable : public Solved {
 public:
  explicit SolvedInTable(const Table& table) : table_(table) {}
  bool find(Key key, Entry& entry) const override {
    return table_.find(key, entry) && entry.bounds.solved();
  }

 private:
  const Table& table_;
};

}  // namespace andorra
