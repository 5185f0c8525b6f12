// The papers' figures (tests/papers/*.graph): the numbers and thresholds that their prose states,
// computed with the rules of the search themselves.
//
// Idea: a figure ends in leaves whose numbers a test gives; what is above them is backed up by
// Summation, with old children by their distance from the root and with the sources that
// SourceDetection finds on a walk along all lines in the order of the file. tests/test_papers.py
// has the searches.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <queue>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "check.hpp"
#include "games/graph_text.hpp"
#include "mix.hpp"
#include "rules/double_count.hpp"
#include "rules/old_children.hpp"
#include "rules/repetition.hpp"
#include "rules/summation.hpp"
#include "rules/threshold.hpp"
#include "table/table.hpp"

namespace andorra {
namespace {

using Leaves = std::map<std::string, Bounds>;
using Settings = std::map<std::string, std::string>;

const Settings kPlain{};
const Settings kNagai{{"double_count", "nagai"}};
const Settings kSnda{{"double_count", "snda"}};
const Settings kWeak{{"backup", "weak"}};
const Settings kDfpnR{{"loops", "df-pn(r)"}};
const Settings kDfpnRWithSnda{{"loops", "df-pn(r)"}, {"double_count", "snda"}};

GraphRules read_figure(const std::string& name) {
  std::ifstream file(ANDORRA_PAPERS "/" + name + ".graph");
  if (!file) throw std::runtime_error("no figure " + name + " in " ANDORRA_PAPERS);
  std::ostringstream text;
  text << file.rdbuf();
  return GraphReader::read(text.str()).rules;
}

// As in the papers, a child may pass the second best by 1.
Options options_of(const Settings& settings) {
  Options options;
  options.set("epsilon", "0");
  for (const auto& [name, value] : settings) options.set(name, value);
  return options;
}

class Figure {
 public:
  Figure(const std::string& name, Leaves leaves, const Settings& settings)
      : rules_(read_figure(name)),
        leaves_(std::move(leaves)),
        options_(options_of(settings)),
        summation_(options_) {
    measure_distances();
    if (options_.text("double_count") != "off") walk(rules_.root);
  }

  Number pn(const std::string& name) { return bounds(number(name)).pn; }
  Number dn(const std::string& name) { return bounds(number(name)).dn; }

  // Of an inner node.
  Backup back_up(const std::string& name) { return back_up(number(name)); }
  std::string best_child(const std::string& name) {
    return rules_.nodes[rules_.successors_of(number(name))[back_up(name).best]].name;
  }

  // Those of the best child, where the node has these.
  Thresholds below(const std::string& name, const Thresholds& thresholds) {
    const Backup backup = back_up(name);
    ThresholdRule rule(options_);
    const Wide passed = rule.after(backup.second, rule.increment(), 0);
    return child_thresholds(thresholds, backup, phi(number(name)), passed);
  }

 private:
  struct Child {
    Number numbers[2];
    unsigned flags;
  };

  std::uint32_t number(const std::string& name) const { return rules_.numbers.at(name); }
  unsigned phi(std::uint32_t node) const {
    return rules_.nodes[node].side == Side::first ? kPn : kDn;
  }
  bool is_leaf(std::uint32_t node) const { return leaves_.contains(rules_.nodes[node].name); }

  Bounds bounds(std::uint32_t node) {
    if (rules_.nodes[node].outcome == Outcome::first_wins) return kProven;
    if (is_leaf(node)) return leaves_.at(rules_.nodes[node].name);
    const Backup backup = back_up(node);
    return from_view({backup.phi(), backup.delta()}, phi(node) == kPn);
  }

  Backup back_up(std::uint32_t node) {
    const std::vector<Child> all = children(node);
    const auto alone = [](std::size_t) { return 0; };
    return summation_.back_up(std::span<const Child>(all), phi(node), alone, 1);
  }

  std::vector<Child> children(std::uint32_t node) {
    std::vector<Child> children;
    const MoveMask doubled = doubles_.find(exact_key(node));
    for (std::uint32_t successor : rules_.successors_of(node)) {
      const Bounds its = bounds(successor);
      const bool old = is_old(distances_[successor], distances_[node]);
      const bool counted_twice = (doubled >> children.size() & 1) != 0;
      children.push_back(
          {{its.pn, its.dn}, (old ? kOldChild : 0) | (counted_twice ? kDoubleCounted : 0)});
    }
    return children;
  }

  void measure_distances() {
    distances_.assign(rules_.nodes.size(), kFarthest);
    distances_[rules_.root] = 0;
    std::queue<std::uint32_t> found({rules_.root});
    for (; !found.empty(); found.pop()) {
      for (std::uint32_t successor : rules_.successors_of(found.front())) {
        if (distances_[successor] != kFarthest) continue;
        distances_[successor] = static_cast<std::uint16_t>(distances_[found.front()] + 1);
        found.push(successor);
      }
    }
  }

  void walk(std::uint32_t node) {
    const Key key = exact_key(node);
    reach(node, key);
    if (is_leaf(node)) return;
    line_.push(key);
    for (std::uint32_t successor : rules_.successors_of(node)) walk(successor);
    line_.pop();
  }

  void reach(std::uint32_t node, Key key) {
    const auto& above = line_.keys();
    const std::uint64_t parent = above.empty() ? 0 : SourceDetection::pointer_to(above.back());
    Entry entry;
    if (!table_.find(key, entry)) {
      entry.bounds = bounds(node);
      entry.parent = parent;
      table_.store(key, entry);
      return;
    }
    if (entry.parent == parent) return;
    const auto on_line = [&](std::uint64_t board) { return line_.find_board(board); };
    const Source source = SourceDetection::find(table_, key.board, entry, on_line);
    if (source.depth == kRestsOnNothing) return;
    const Key next = source.depth + 1 < above.size() ? above[source.depth + 1] : key;
    mark(above[source.depth], source.child, next.board);
  }

  void mark(Key source, std::uint64_t one, std::uint64_t other) {
    MoveMask both = 0;
    MoveMask bit = 1;
    for (std::uint32_t successor : rules_.successors_of(static_cast<std::uint32_t>(source.rest))) {
      const std::uint64_t board = exact_key(successor).board;
      if (board == one || board == other) both |= bit;
      bit <<= 1;
    }
    const bool all = options_.text("double_count") == "nagai";
    doubles_.set(source, doubles_.find(source) | (all ? ~MoveMask{0} : both));
  }

  GraphRules rules_;
  Leaves leaves_;
  Options options_;
  Summation summation_;
  std::vector<std::uint16_t> distances_;
  Table table_{Table::kSmallest};
  DoubleCounts doubles_{4096};
  Line line_;
};

// ---- numbers ----

TEST(survey_figure_2) {
  const Bounds unit;
  Figure figure("survey-2",
                {{"leftmost", unit}, {"b1", unit}, {"b2", unit}, {"c1", unit}, {"c2", unit}},
                kPlain);
  CHECK(figure.pn("win1") == 0 && figure.dn("win1") == kInfinite);
  CHECK(figure.pn("A") == 1 && figure.dn("A") == 1);
  CHECK(figure.pn("B") == 2 && figure.dn("B") == 1);
  CHECK(figure.pn("C") == 2 && figure.dn("C") == 1);
  CHECK(figure.pn("R") == 1 && figure.dn("R") == 3);
  CHECK(figure.best_child("R") == "A" && figure.back_up("R").second > 1);
  CHECK(figure.best_child("A") == "leftmost" && figure.back_up("A").second > 1);
}

TEST(survey_figure_7) {
  for (Number d : {1, 5, 100}) {
    const auto pn = [d](const Settings& settings) {
      return Figure("survey-7", {{"D", {d, 1}}}, settings).pn("A");
    };
    CHECK(pn(kPlain) == 2 * d);
    CHECK(pn(kNagai) == d);
    CHECK(pn(kSnda) == d);
    CHECK(pn(kWeak) == d + 1);
  }
}

TEST(survey_figure_8) {
  for (const auto& [d, e] : std::vector<std::pair<Number, Number>>{{1, 1}, {100, 70}, {3, 8}}) {
    const auto pn = [d = d, e = e](const Settings& settings) {
      return Figure("survey-8", {{"D", {d, 1}}, {"E", {e, 1}}}, settings).pn("A");
    };
    CHECK(pn(kPlain) == 2 * d + e);
    CHECK(pn(kNagai) == std::max(d, e));
    CHECK(pn(kSnda) == d + e);
    CHECK(pn(kWeak) == std::max(d, e) + 2);
  }
}

Figure kishimoto_2_left(Number b, Number e, Number f, const Settings& settings) {
  return Figure("kishimoto-2-left", {{"B", {1, b}}, {"E", {1, e}}, {"F", {1, f}}}, settings);
}

TEST(kishimoto_figure_2_left_with_unit_leaves) {
  const auto dn = [](const char* node, const Settings& settings) {
    return kishimoto_2_left(1, 1, 1, settings).dn(node);
  };
  CHECK(dn("D", kPlain) == 2);  // TCA computes as plain df-pn does
  CHECK(dn("D", kDfpnR) == 1);
  CHECK(dn("A", kPlain) == 4);
  CHECK(dn("A", kSnda) == 3);
  CHECK(dn("A", kNagai) == 2);
  CHECK(dn("A", kWeak) == 4);
  CHECK(dn("A", kDfpnR) == 3);
  CHECK(dn("A", kDfpnRWithSnda) == 2);
}

TEST(kishimoto_figure_2_left) {
  const auto dn = [](const char* node, const Settings& settings) {
    return kishimoto_2_left(100, 80, 70, settings).dn(node);
  };
  CHECK(dn("D", kPlain) == 80 + 70);
  CHECK(dn("D", kDfpnR) == 80);
  CHECK(dn("A", kPlain) == 100 + (80 + 70) + 70);
  CHECK(dn("A", kSnda) == 100 + 80 + 70);
  CHECK(dn("A", kNagai) == std::max<Number>(100, 80 + 70));
  CHECK(dn("A", kWeak) == 100 + 2);
  CHECK(dn("A", kDfpnR) == 100 + 80 + 70);
  CHECK(dn("A", kDfpnRWithSnda) == 100 + std::max<Number>(80, 70));
}

// Were the normal child solved, the old one would count alone.
TEST(kishimoto_figure_2_left_with_old_children_only) {
  Figure figure("kishimoto-2-left", {{"B", {1, 1}}, {"E", kDisproven}, {"F", {1, 7}}}, kDfpnR);
  CHECK(figure.dn("D") == 7);
}

TEST(kishimoto_figure_2_right) {
  for (Number j : {1, 100}) {
    const auto dn = [j](const Settings& settings) {
      return Figure("kishimoto-2-right", {{"J", {1, j}}}, settings).dn("G");
    };
    CHECK(dn(kPlain) == 2 * j);
    CHECK(dn(kSnda) == j);
    CHECK(dn(kNagai) == j);
    CHECK(dn(kWeak) == j + 1);
  }
}

TEST(kishimoto_figure_4) {
  const Leaves leaves{{"B", {3, 1}}, {"D", {2, 1}}, {"E", {5, 1}}};
  Figure tca("kishimoto-4", leaves, {{"loops", "tca"}});
  CHECK(tca.pn("C") == 2 + 5);
  CHECK(tca.best_child("A") == "B");
  Figure dfpn_r("kishimoto-4", leaves, kDfpnR);
  CHECK(dfpn_r.pn("C") == 2);
  CHECK(dfpn_r.best_child("A") == "C");
}

// ---- thresholds ----

TEST(survey_figure_4) {
  Figure figure("survey-4", {{"C", {3, 1}}, {"D", {1, 1}}, {"E", {1, 2}}}, kPlain);
  CHECK(figure.pn("B") == 2 && figure.best_child("A") == "B" && figure.best_child("B") == "D");
  const Thresholds of_b = figure.below("A", {});
  CHECK(of_b.of[kPn] == 4);
  CHECK(of_b.of[kDn] == kUnlimited - 1);
  const Thresholds of_d = figure.below("B", of_b);
  CHECK(of_d.of[kPn] == 3);
  CHECK(of_d.of[kDn] == 3);
}

TEST(chapter_figure_5) {
  for (Number dn_of_e : {1, 2, 3}) {
    const Leaves leaves{{"C", {8, 1}}, {"D", {10, 1}}, {"E", {3, dn_of_e}}, {"F", {1, 4}}};
    Figure figure("chapter-5", leaves, kPlain);
    CHECK(figure.pn("B") == 4 && figure.best_child("A") == "B" && figure.best_child("B") == "E");
    const Thresholds of_b = figure.below("A", {});
    CHECK(of_b.of[kPn] == 9);
    const Thresholds of_e = figure.below("B", of_b);
    CHECK(of_e.of[kDn] == 5);
    CHECK(of_e.of[kPn] == 8);
  }
}

}  // namespace
}  // namespace andorra
