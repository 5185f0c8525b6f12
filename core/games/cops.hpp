// Cops and Robber: K cops chase a robber on a graph (docs/games.md).
//
// Idea: all that changes is one word of 32 bits: six for each cop's vertex, six for the robber's,
// two for the phase. A move is that word before it XOR that word after it, so play() and undo() are
// one XOR, and a move says what it needs to know of where everybody stood.
// Source: Nowakowski and Winkler 1983 for one cop, Aigner and Fromme 1984 for several.
// Invariant: cops stand in increasing order; who is not placed, and the cops that there are not,
// have 0. No position has more than 65,535 moves, which is what tables count.
// Keys: the word, mixed by a bijection, XOR the graph's hash; exact among positions of one graph.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "game.hpp"
#include "games/graph6.hpp"
#include "games/joint_places.hpp"
#include "games/legal_move.hpp"
#include "games/text_reader.hpp"
#include "mix.hpp"

namespace andorra {

class Cops {
 public:
  static constexpr std::string_view kName = "cops";

  explicit Cops(std::string_view parameters) {
    TextReader reader(parameters.empty() ? "1" : parameters);
    cops_ = reader.number(1, kMostPieces, "the number of cops");
    reader.expect_end();
    parse(kPetersen);
  }

  std::string parameters() const { return std::to_string(cops_); }

  Side side_to_move() const { return side_of(phase_of(now_)); }

  Outcome outcome() const { return caught() ? Outcome::first_wins : Outcome::ongoing; }

  void moves(MoveList& list) const {
    if (caught()) return;
    if (side_to_move() == Side::first)
      add_moves_of_cops(list);
    else
      add_moves_of_robber(list);
  }

  void play(Move move) { now_ ^= move; }
  void undo(Move move) { now_ ^= move; }

  Key key() const { return combined(exact_key(now_), graph_key_); }

  void parse(std::string_view text) {
    TextReader reader(text);
    const SmallGraph graph = read_graph(reader);
    if (graph.vertices > most_vertices())
      reader.fail_at(0, "a graph of " + std::to_string(graph.vertices) + " vertices; with " +
                            parameters() + " cops, at most " + std::to_string(most_vertices()));
    const Word read = reader.at_end() ? 0 : read_places(reader, graph.vertices - 1);
    reader.expect_end();
    graph_ = graph;
    graph_key_ = graph.key();
    now_ = read;
  }

  std::string format() const {
    const std::string graph = graph6::write(graph_);
    switch (phase_of(now_)) {
      case Phase::cops_choose:
        return graph;
      case Phase::robber_chooses:
        return graph + " " + cops_text(now_) + " -";
      default:
        return graph + " " + cops_text(now_) + " " + std::to_string(robber_of(now_)) +
               (side_to_move() == Side::first ? " c" : " r");
    }
  }

  Move parse_move(std::string_view text) const { return legal_move(*this, text); }

  std::string format_move(Move move) const {
    const Word next = now_ ^ move;
    return side_to_move() == Side::first ? cops_text(next) : std::to_string(robber_of(next));
  }

  bool acyclic() const { return false; }
  bool can_draw() const { return true; }  // by play without end

 private:
  using Word = std::uint32_t;
  enum class Phase : Word { cops_choose, robber_chooses, cops_move, robber_moves };

  static constexpr std::string_view kPetersen =
      "0-1,1-2,2-3,3-4,4-0,0-5,1-6,2-7,3-8,4-9,5-7,7-9,9-6,6-8,8-5";
  static constexpr Word kVertexMask = 63;
  static constexpr int kVertexBits = 6;
  static constexpr int kRobberShift = kVertexBits * kMostPieces;
  static constexpr int kPhaseShift = kRobberShift + kVertexBits;
  static constexpr Word kCopsMask = (Word{1} << kRobberShift) - 1;

  static constexpr Phase phase_of(Word word) { return static_cast<Phase>(word >> kPhaseShift); }
  static constexpr Side side_of(Phase phase) { return static_cast<Side>(Word(phase) & 1); }
  static constexpr int cop_of(Word word, int cop) {
    return static_cast<int>(word >> cop * kVertexBits & kVertexMask);
  }
  static constexpr int robber_of(Word word) {
    return static_cast<int>(word >> kRobberShift & kVertexMask);
  }

  static constexpr Word with_phase(Phase phase) { return Word(phase) << kPhaseShift; }
  static constexpr Word with_robber(int vertex) { return Word(vertex) << kRobberShift; }
  static constexpr Word with_cops(const Places& places) {
    Word word = 0;
    for (int cop = 0; cop < kMostPieces; ++cop) word |= Word(places[cop]) << cop * kVertexBits;
    return word;
  }

  // The number of ways to place 4 cops on 34 vertices is 66,045.
  int most_vertices() const { return cops_ < 4 ? SmallGraph::kMostVertices : 33; }

  bool caught() const {
    if (phase_of(now_) < Phase::cops_move) return false;
    bool found = false;
    for (int cop = 0; cop < cops_; ++cop) found |= cop_of(now_, cop) == robber_of(now_);
    return found;
  }

  PlaceSet everywhere() const { return (PlaceSet{1} << graph_.vertices) - 1; }

  void add_moves_of_cops(MoveList& list) const {
    const bool placed = phase_of(now_) == Phase::cops_move;
    const Phase next = placed ? Phase::robber_moves : Phase::robber_chooses;
    const Word rest = with_robber(robber_of(now_)) | with_phase(next);
    PlaceSets goals{};
    for (int cop = 0; cop < cops_; ++cop)
      goals[cop] = placed ? graph_.near[cop_of(now_, cop)] : everywhere();
    each_joint_place(goals, cops_, [&](const Places& places) {
      list.push_back(now_ ^ (with_cops(places) | rest));
    });
  }

  void add_moves_of_robber(MoveList& list) const {
    const bool placed = phase_of(now_) == Phase::robber_moves;
    const Word rest = (now_ & kCopsMask) | with_phase(Phase::cops_move);
    PlaceSet goals = placed ? graph_.near[robber_of(now_)] : everywhere();
    for (; goals != 0; goals &= goals - 1)
      list.push_back(now_ ^ (with_robber(std::countr_zero(goals)) | rest));
  }

  Word read_places(TextReader& reader, int last) const {
    const Word cops = read_cops(reader, last);
    reader.expect(' ');
    if (reader.skip('-')) return cops | with_phase(Phase::robber_chooses);
    const int robber = reader.number(0, last, "'-' or the robber's vertex");
    reader.expect(' ');
    const bool cops_move = reader.one_of("cr") == 'c';
    return cops | with_robber(robber) |
           with_phase(cops_move ? Phase::cops_move : Phase::robber_moves);
  }

  Word read_cops(TextReader& reader, int last) const {
    const std::string rule = "expected " + parameters() + (cops_ == 1 ? " cop" : " cops");
    Places places{};
    reader.expect(' ');
    for (int cop = 0; cop < cops_; ++cop) {
      if (cop > 0 && !reader.skip(',')) reader.fail(rule + ": ',' and a vertex");
      places[cop] = reader.number(0, last, "a cop's vertex");
    }
    if (!reader.at_end() && reader.text()[reader.place()] == ',') reader.fail(rule);
    std::sort(places.begin(), places.begin() + cops_);
    return with_cops(places);
  }

  std::string cops_text(Word word) const {
    std::string text = std::to_string(cop_of(word, 0));
    for (int cop = 1; cop < cops_; ++cop) text += "," + std::to_string(cop_of(word, cop));
    return text;
  }

  int cops_ = 0;
  SmallGraph graph_;
  Key graph_key_;
  Word now_ = 0;
};

static_assert(Game<Cops>);

}  // namespace andorra
