// Summation: which children count, and how, where numbers add up (dn at OR nodes, pn at AND nodes).
//
// Idea: the plain sum counts every open child in full, and too much where lines meet again or where
// moves are alike. Each rule here either leaves children out for now or puts some into a set of
// which only the largest counts:
//  - df-pn(r): old children are left out while a normal one is open (rules/old_children.hpp)
//  - dynamic widening: only the `widening` best open children count (Yoshizoe 2008; survey 7.2)
//  - double counting: children marked by source detection are one set (rules/double_count.hpp)
//  - correlated moves: children of one group of the game's are a set (survey 7.2)
//  - weak: all are one set, plus a weight for each other open child (Ueda et al. 2008; Kishimoto
//    2010 counts open children, and weights them by a guess); weak-dn does so for disproof numbers
//    only (ours)
// Correlated moves of the refuter's can also be examined in turn: of each group only the first open
// child counts at all, for the minimum too, until it is solved (the delayed interpositions of
// tsume-shogi solvers). Not those of the prover: the move that wins could wait for a long time
// until the one before it is refuted (Zuko 37: no mate in 20M visits, in 0.2M without waiting).
// Invariant: as long as a child is open, the result is at least 1; a node whose children are all
// solved has 0. So no rule can fake a solution.
// Deviation: Yoshizoe takes all numbers from the best few; the minimum is the same over all.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "bounds.hpp"
#include "options.hpp"
#include "rules/backup.hpp"

namespace andorra {

// Marks of a child in its parent's frame.
inline constexpr unsigned kOldChild = 1;
inline constexpr unsigned kDoubleCounted = 2;
inline constexpr unsigned kUnseen = 4;  // a leaf that waits, and is looked at when its turn comes

class Summation {
 public:
  explicit Summation(const Options& options)
      : ignore_old_(options.text("loops") == "df-pn(r)"),
        weak_dn_(options.text("backup") != "sum"),
        weak_pn_(weak_dn_ && options.text("backup") != "weak-dn"),
        groups_(options.text("groups") != "off"),
        in_turn_(options.text("groups") == "in-turn"),
        double_count_(options.text("double_count") != "off"),
        widening_(options.natural("widening")),
        leaves_none_out_(!ignore_old_ && widening_ == 0) {}

  // Nothing but the sum: rules/backup.hpp alone does.
  bool plain() const {
    return !ignore_old_ && !weak_dn_ && !groups_ && !double_count_ && widening_ == 0;
  }

  // `Child` has numbers[2] and flags; `group(i)` is the group of child i; `weight` is for weak.
  template <class Child, class Group>
  Backup back_up(std::span<const Child> children, unsigned phi, Group&& group, Number weight) {
    const bool weak = phi == kPn ? weak_dn_ : weak_pn_;
    some_wait_ = in_turn_ && phi == kDn;
    if (some_wait_) find_waiting(children, phi, group);
    const auto numbers = [&](std::size_t i) { return waits(i) ? kWaiting : children[i].numbers; };
    Backup backup = andorra::back_up(children.size(), numbers, phi);
    if (backup.won()) return backup;
    if (leaves_none_out_ && (weak || !groups_ || some_wait_)) {
      add_up_with_one_set(backup, children, phi, weak, weight);
      return backup;
    }
    collect(children, phi);
    if (addends_.empty()) return backup;  // all solved: the sum is 0
    const bool one_set = leave_out_old() || weak;
    leave_out_unpromising();
    for (Addend& addend : addends_) addend.set = one_set ? kAll : set_of(addend, children, group);
    add_up(backup, weak ? weight : 0);
    return backup;
  }

 private:
  // What a waiting child looks like: it neither adds to the sum nor is it the smallest.
  static constexpr Number kWaiting[2] = {kInfinite, kInfinite};
  static constexpr std::uint32_t kAlone = 0;
  static constexpr std::uint32_t kAll = 1;
  static constexpr std::uint32_t kDoubled = 2;
  static constexpr std::uint32_t kGroups = 3;  // and above

  struct Addend {
    std::uint32_t child;
    std::uint32_t set;
    Number number;  // that adds up
    Number order;   // the smaller, the better for the mover
    bool old;
  };

  struct Largest {
    std::uint32_t set;
    Number number;
  };

  bool waits(std::size_t i) const { return some_wait_ && waiting_[i]; }

  template <class Child, class Group>
  void find_waiting(std::span<const Child> children, unsigned phi, Group&& group) {
    waiting_.assign(children.size(), false);
    first_of_.clear();
    for (std::size_t i = 0; i < children.size(); ++i) {
      const std::uint32_t its = group(i);
      if (its == 0 || children[i].numbers[phi] == 0 || children[i].numbers[phi ^ 1] == 0) continue;
      waiting_[i] = std::find(first_of_.begin(), first_of_.end(), its) != first_of_.end();
      if (!waiting_[i]) first_of_.push_back(its);
    }
  }

  // What the general way comes to where nothing is left out and, since of each group one child
  // counts at most, there is no set but the one of weak sums or of double counts.
  template <class Child>
  void add_up_with_one_set(Backup& backup, std::span<const Child> children, unsigned phi, bool weak,
                           Number weight) const {
    const unsigned marks = double_count_ ? kDoubleCounted : 0;
    const auto in_set = [&](const Child& child) { return weak || (child.flags & marks) != 0; };
    Wide alone = 0;
    Number largest = 0;
    std::size_t open = 0;
    for (std::size_t i = 0; i < children.size(); ++i) {
      const Number number = children[i].numbers[phi ^ 1];
      if (number == 0 || waits(i)) continue;
      ++open;
      if (in_set(children[i]))
        largest = std::max(largest, number);
      else
        alone += number;
    }
    if (open == 0) return;
    backup.sum = alone + largest + (weak ? Wide{weight} * (open - 1) : 0);
    if (in_set(children[backup.best])) backup.share = largest;
  }

  template <class Child>
  void collect(std::span<const Child> children, unsigned phi) {
    addends_.clear();
    for (std::uint32_t i = 0; i < children.size(); ++i) {
      const Number number = children[i].numbers[phi ^ 1];
      if (number == 0 || waits(i)) continue;
      const bool old = (children[i].flags & kOldChild) != 0;
      addends_.push_back({i, kAlone, number, children[i].numbers[phi], old});
    }
  }

  // True if there are only old ones.
  bool leave_out_old() {
    if (!ignore_old_) return false;
    const auto is_old = [](const Addend& addend) { return addend.old; };
    if (std::all_of(addends_.begin(), addends_.end(), is_old)) return true;
    std::erase_if(addends_, is_old);
    return false;
  }

  void leave_out_unpromising() {
    if (widening_ == 0 || addends_.size() <= widening_) return;
    std::stable_sort(addends_.begin(), addends_.end(),
                     [](const Addend& a, const Addend& b) { return a.order < b.order; });
    addends_.resize(widening_);
  }

  template <class Child, class Group>
  std::uint32_t set_of(const Addend& addend, std::span<const Child> children, Group&& group) const {
    if (double_count_ && (children[addend.child].flags & kDoubleCounted) != 0) return kDoubled;
    const std::uint32_t its_group = groups_ ? group(addend.child) : 0;
    return its_group == 0 ? kAlone : kGroups + its_group;
  }

  void add_up(Backup& backup, Number weight) {
    largest_.clear();
    backup.sum = Wide{weight} * (addends_.size() - 1);
    for (const Addend& addend : addends_) {
      if (addend.set == kAlone)
        backup.sum += addend.number;
      else
        enlarge(addend);
    }
    for (const Largest& largest : largest_) backup.sum += largest.number;
    backup.share = share_of_best(backup);
  }

  void enlarge(const Addend& addend) {
    for (Largest& largest : largest_) {
      if (largest.set != addend.set) continue;
      largest.number = std::max(largest.number, addend.number);
      return;
    }
    largest_.push_back({addend.set, addend.number});
  }

  // How large the best child's number may be without changing the sum.
  Number share_of_best(const Backup& backup) const {
    for (const Addend& addend : addends_) {
      if (addend.child != backup.best) continue;
      for (const Largest& largest : largest_)
        if (largest.set == addend.set) return largest.number;
    }
    return backup.share;
  }

  const bool ignore_old_;
  const bool weak_dn_;
  const bool weak_pn_;
  const bool groups_;
  const bool in_turn_;
  const bool double_count_;
  const std::uint64_t widening_;
  const bool leaves_none_out_;
  std::vector<Addend> addends_;
  std::vector<Largest> largest_;
  bool some_wait_ = false;
  std::vector<char> waiting_;
  std::vector<std::uint32_t> first_of_;  // groups that have an open child
};

}  // namespace andorra
