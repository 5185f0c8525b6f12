// Finds the cover entries for a position: those with an equal board whose resources are no better
// for the holder of the strategy.
//
// Idea: the cover entries of a board form a list, and the lists are found by board, in a hash table
// with open addressing. Boards are compared as a whole, byte by byte: a hash says only where to
// look, so whoever knows it can make a check slow, but not wrong.
// Invariant: at most half of the places are in use, so a search for an absent board ends.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "entries.hpp"
#include "game.hpp"

namespace andorra::checker {

// For games without resources: there a cover entry serves its own position only.
template <Game G>
class Covers {
 public:
  explicit Covers(Side) {}
  bool empty() const { return true; }
};

template <HasResources G>
class Covers<G> {
 public:
  explicit Covers(Side holder) : holder_(holder) {}

  bool empty() const { return nodes_.empty(); }

  // Adds the entry in `slot`, whose position `position` is.
  void add(const G& position, Count plies, Entries::Slot slot) {
    const std::vector<int> resources = position.resources();
    const std::string board = position.board_bytes();
    if (empty()) width_ = resources.size(), length_ = board.size();
    if (resources.size() != width_ || board.size() != length_)
      throw Rejection("the game's resources or boards vary in size");
    if (nodes_.size() >= kNone) throw Rejection("too many cover entries for this checker");
    const auto node = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back({slot, kNone});
    resources_.insert(resources_.end(), resources.begin(), resources.end());
    append(list_of(board, plies), node);
  }

  // Of the entries that cover `position` the one with the lowest rank(slot), then with the smallest
  // resources.
  template <class Rank>
  std::optional<Entries::Slot> find(const G& position, Count plies, Rank rank) const {
    if (empty()) return {};
    const std::uint32_t list = places_[place_of(position.board_bytes(), plies)];
    if (list == kNone) return {};
    const std::vector<int> resources = position.resources();
    std::uint32_t best = kNone;
    const auto goes_before = [&](std::uint32_t a, std::uint32_t b) {
      const auto its = rank(nodes_[a].slot), other = rank(nodes_[b].slot);
      return its != other ? its < other : has_less(a, b);
    };
    for (std::uint32_t node = lists_[list].first; node != kNone; node = nodes_[node].next)
      if (covers(node, resources) && (best == kNone || goes_before(node, best))) best = node;
    return best == kNone ? std::optional<Entries::Slot>() : nodes_[best].slot;
  }

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  // The entries of a board and a number of plies left.
  struct List {
    Count plies;
    std::uint32_t first = kNone;
    std::uint32_t last = kNone;
  };

  struct Node {
    Entries::Slot slot;
    std::uint32_t next;
  };

  // The list of a board, a new one if there is none.
  List& list_of(const std::string& board, Count plies) {
    if (2 * (lists_.size() + 1) > places_.size()) grow();
    std::uint32_t& list = places_[place_of(board, plies)];
    if (list == kNone) {
      list = static_cast<std::uint32_t>(lists_.size());
      lists_.push_back({plies});
      boards_ += board;
    }
    return lists_[list];
  }

  void append(List& list, std::uint32_t node) {
    (list.first == kNone ? list.first : nodes_[list.last].next) = node;
    list.last = node;
  }

  void grow() {
    places_.assign(std::max<std::size_t>(16, 2 * places_.size()), kNone);
    for (std::uint32_t list = 0; list < lists_.size(); ++list)
      places_[place_of(board_of(list), lists_[list].plies)] = list;
  }

  // Where the board's list is, or would be.
  std::size_t place_of(std::string_view board, Count plies) const {
    const std::size_t mask = places_.size() - 1;
    for (std::size_t place = Entries::hash_of(board, plies) & mask;; place = (place + 1) & mask) {
      const std::uint32_t list = places_[place];
      if (list == kNone || (lists_[list].plies == plies && board_of(list) == board)) return place;
    }
  }

  std::string_view board_of(std::uint32_t list) const {
    return std::string_view(boards_).substr(list * length_, length_);
  }

  bool covers(std::uint32_t node, const std::vector<int>& position) const {
    if (position.size() != width_) return false;
    for (std::size_t i = 0; i < width_; ++i) {
      const int entry = resources_[node * width_ + i];
      if (holder_ == Side::first ? position[i] < entry : position[i] > entry) return false;
    }
    return true;
  }

  bool has_less(std::uint32_t a, std::uint32_t b) const {
    const auto of = [&](std::uint32_t node) { return resources_.begin() + node * width_; };
    return std::lexicographical_compare(of(a), of(a + 1), of(b), of(b + 1));
  }

  Side holder_;
  std::size_t width_ = 0;   // of resources
  std::size_t length_ = 0;  // of a board
  std::vector<std::uint32_t> places_;
  std::vector<List> lists_;
  std::string boards_;  // one after the other, in the order of the lists
  std::vector<Node> nodes_;
  std::vector<int> resources_;  // width_ numbers a node
};

}  // namespace andorra::checker
