// Finds the cover entries for a position: those with an equal board whose resources are no better
// for the holder of the strategy.
//
// Idea: the cover entries of a board form a list, and the lists are found by board. Boards are
// compared by board_key(), because a game has no text of a board: they are told apart but for hash
// collisions of 2^-96, or exactly where the game's board keys are exact.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <unordered_map>
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
    if (empty()) width_ = resources.size();
    if (resources.size() != width_) throw Rejection("the game's resources vary in number");
    if (nodes_.size() >= kNone) throw Rejection("too many cover entries for this checker");
    const auto node = static_cast<std::uint32_t>(nodes_.size());
    const auto [list, is_new] = lists_.try_emplace(Where{position.board_key(), plies}, node, node);
    if (!is_new) nodes_[list->second.last].next = node;
    list->second.last = node;
    nodes_.push_back({slot, kNone});
    resources_.insert(resources_.end(), resources.begin(), resources.end());
  }

  // Of the entries that cover `position` the one with the lowest rank(slot), then with the smallest
  // resources.
  template <class Rank>
  std::optional<Entries::Slot> find(const G& position, Count plies, Rank rank) const {
    const auto list = lists_.find(Where{position.board_key(), plies});
    if (list == lists_.end()) return {};
    const std::vector<int> resources = position.resources();
    std::uint32_t best = kNone;
    const auto goes_before = [&](std::uint32_t a, std::uint32_t b) {
      const auto its = rank(nodes_[a].slot), other = rank(nodes_[b].slot);
      return its != other ? its < other : has_less(a, b);
    };
    for (std::uint32_t node = list->second.first; node != kNone; node = nodes_[node].next)
      if (covers(node, resources) && (best == kNone || goes_before(node, best))) best = node;
    return best == kNone ? std::optional<Entries::Slot>() : nodes_[best].slot;
  }

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  struct Where {
    Key board;
    Count plies;
    friend bool operator==(const Where&, const Where&) = default;
  };

  struct WhereHash {
    std::size_t operator()(const Where& where) const {
      constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
      return where.board.board ^ (where.board.rest + where.plies) * kOdd;
    }
  };

  struct List {
    std::uint32_t first;
    std::uint32_t last;
    List(std::uint32_t from, std::uint32_t to) : first(from), last(to) {}
  };

  struct Node {
    Entries::Slot slot;
    std::uint32_t next;
  };

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
  std::size_t width_ = 0;
  std::unordered_map<Where, List, WhereHash> lists_;
  std::vector<Node> nodes_;
  std::vector<int> resources_;  // width_ numbers a node
};

}  // namespace andorra::checker
