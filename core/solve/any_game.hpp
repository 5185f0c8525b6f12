// A game with its type forgotten: what the bindings see. One virtual call a request, never one a
// node; the searches behind it are compiled for the game itself.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "certificate/sink.hpp"
#include "limits.hpp"
#include "options.hpp"
#include "question.hpp"
#include "solve/series.hpp"
#include "stats.hpp"
#include "table/table.hpp"
#include "tracer.hpp"

namespace andorra {

struct Request {
  std::string position;  // empty: the initial one
  Question question;
  std::string algorithm = "dfpn";
  Options options;
  Limits limits;
  Tracer* tracer = nullptr;
  std::function<bool()> interrupted;
  Sink::Write certificate;  // empty: no certificate is wanted
  // Lengths matter: in a bounded question, whose bound is then as small as can be, the line has the
  // longest defence; in an unbounded one the plies of the proof are counted. The least by which the
  // lengths of two wins can differ; 0: lengths do not matter.
  std::uint32_t length_step = 0;
  // One that other searches use as well, of the same game and for the same prover; null: its own.
  Table* table = nullptr;
  // The series of questions that this one belongs to; null: none.
  Series* series = nullptr;
};

struct Report {
  std::string position;  // canonical
  Bounds bounds;
  Limit limit = Limit::none;
  std::vector<std::string> line;
  std::string line_end = "incomplete";
  std::uint32_t longest = 0;              // plies of the proof's longest line; 0: not counted
  std::uint64_t entries = 0;              // of the certificate
  Limit certificate_limit = Limit::none;  // what ended its extraction, if anything did
  bool unsound = false;                   // a setting was used that may be wrong on this game
  Stats stats;
  std::vector<Stats> agents;  // of each, if there were several
};

class AnyGame {
 public:
  virtual ~AnyGame() = default;

  virtual Report solve(const Request& request) = 0;

  // The options that the game sets for itself where the user asks for these.
  virtual std::vector<std::pair<std::string, std::string>> defaults(Options asked) const = 0;

  virtual std::string spec() const = 0;

  // The rules, for tests and for the notation. Positions are text.
  virtual std::string initial() = 0;
  virtual std::string canonical(std::string_view position) = 0;
  virtual Side side_to_move(std::string_view position) = 0;
  virtual Outcome outcome(std::string_view position) = 0;
  virtual std::vector<std::string> moves(std::string_view position) = 0;
  virtual std::string play(std::string_view position, std::string_view move) = 0;
  virtual Key key(std::string_view position) = 0;
  virtual std::uint64_t perft(std::string_view position, unsigned depth) = 0;
  virtual std::vector<std::pair<std::string, std::uint64_t>> divide(std::string_view position,
                                                                    unsigned depth) = 0;
  // Text and key after each move, then after each undo.
  virtual std::vector<std::pair<std::string, Key>> replay(
      std::string_view position, const std::vector<std::string>& moves) = 0;
  virtual std::vector<int> resources(std::string_view position) = 0;
  virtual std::optional<Key> board_key(std::string_view position) = 0;
  virtual Scores scores(std::string_view position) = 0;
  virtual bool acyclic() = 0;
  virtual bool can_draw() = 0;
  virtual bool in_parallel() = 0;  // whether several threads can gain
};

}  // namespace andorra
