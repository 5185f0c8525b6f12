// The options table: one row an option. The Python API, the command line, the documentation and
// the tests are derived from it.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "errors.hpp"

namespace andorra {

struct OptionRow {
  std::string_view name;
  std::string_view algorithms;     // which use it, separated by spaces
  std::string_view default_value;  // spelled as a user would
  std::string_view range;          // "low..high", or "one|another"
  std::string_view help;
  // "value: other=value|value": which it cannot be used with; * is any value but the default.
  std::string_view conflict = {};
  std::string_view unsafe = {};  // the value that is unsound or endless on graphs with cycles
  // "other=value or another=value": without one of these it does nothing; * as above.
  std::string_view needs = {};
};

// Algorithms that have much in common.
inline constexpr std::string_view kDepthFirst = "dfpn pds pn* dfpn-pn pds-pn";
inline constexpr std::string_view kBestFirst = "pns pn2 pss pp ews mcts-solver mcpns";
inline constexpr std::string_view kWithTable =
    "dfpn pds pn* dfpn-pn pds-pn pns pn2 pss pp ews mcts-solver mcpns mopns alphabeta lambda "
    "threat";
inline constexpr std::string_view kAll =
    "dfpn pds pn* dfpn-pn pds-pn pns pn2 pss pp ews mcts-solver mcpns mopns alphabeta lambda "
    "threat fixpoint";

inline constexpr std::array kOptions{
    // Memory
    OptionRow{
        "table_entries", kWithTable, "0", "0..1000000000000",
        "cells of the transposition table, at least 64; 0: as many as the memory limit allows"},
    OptionRow{
        "gc", kWithTable, "small-tree", "small-tree|replace|both",
        "a full table forgets a share of all entries by least work, or the least of four cells "
        "at every store, or both"},
    OptionRow{"gc_fraction", kWithTable, "0.3", "0.05..0.95",
              "share of the table that garbage collection frees when it is full"},
    // Cycles
    OptionRow{"loops", kDepthFirst, "tca", "off|df-pn(r)|tca|rise",
              "against endless loops: ignore old children, raise thresholds at them, or raise "
              "thresholds when nothing new was expanded",
              "", "off"},
    OptionRow{"rise", kDepthFirst, "256", "1..1000000000000",
              "visits without a new expansion after which the steps of thresholds double"},
    OptionRow{
        "guard", "dfpn pds pn* dfpn-pn pds-pn alphabeta", "2000000", "1000..1000000000000",
        "visits without a new expansion after which a search gives up; without cycles, only if the "
        "table forgets"},
    OptionRow{
        "ghi", kDepthFirst, "paths", "off|discard|paths|base-twin",
        "a disproof that rests on a repetition: taken for good, forgotten, kept for its path, "
        "or kept and tried on other paths too",
        "", "off"},
    OptionRow{
        "closure", "dfpn pds pn* dfpn-pn pds-pn alphabeta", "true", "true|false",
        "when a search goes round in circles, solve what follows from all expanded positions"},
    // Overestimation
    OptionRow{"double_count", "dfpn", "off", "off|nagai|snda",
              "where lines that part meet again, count only the largest: of all children, or of "
              "those that the lines go through",
              "nagai|snda: backup=weak|weighted"},
    OptionRow{
        "backup", "dfpn", "sum", "sum|weak|weak-dn|weighted",
        "the numbers that add up: their sum, or the largest plus 1 (or a guess) for each other "
        "open child, both of them or the disproof numbers only"},
    // Thresholds
    OptionRow{"epsilon", kDepthFirst, "0", "0.0..10.0",
              "a child may pass the second best by this share of its number (1+epsilon)"},
    OptionRow{"increment", kDepthFirst, "1", "0..1000000",
              "a child may pass the second best by this much; 0: by the average initial value"},
    // Initial values and costs
    OptionRow{
        "initial", "dfpn pds pn*", "unit", "unit|mobility|game|search-1|search-3|dfpn|deep",
        "numbers of a new leaf: 1, the moves it has, the game's guess, after a search of 1 or 3 "
        "plies, after a short df-pn, or larger near the root"},
    OptionRow{"leaf_nodes", "dfpn pds pn*", "100", "1..1000000",
              "visits of the df-pn of initial=dfpn", "", "", "initial=dfpn"},
    OptionRow{"deep_depth", "dfpn pds pn*", "12", "1..1000",
              "depth from which initial=deep starts with 1", "", "", "initial=deep"},
    OptionRow{"deep_base", "dfpn pds pn*", "1.2", "1.0..4.0",
              "growth of initial=deep by ply towards the root", "", "", "initial=deep"},
    OptionRow{"costs", "dfpn", "false", "true|false", "add the game's costs of moves (df-pn+)",
              "true: exchange=*"},
    // Selective numbers
    OptionRow{"widening", "dfpn", "0", "0..1000000",
              "numbers that add up count the best few open children only; 0: all of them"},
    OptionRow{"groups", "dfpn", "off", "off|largest|in-turn",
              "of open children that the game calls alike, count the largest, or the first only"},
    // Reuse
    OptionRow{"simulation", "dfpn", "off", "off|siblings|killer",
              "borrow the moves of a solved sibling, or of the last one solved at this depth"},
    OptionRow{"dominance", "dfpn", "true", "true|false",
              "use what is known of positions with fewer or more resources"},
    OptionRow{
        "refine", "dfpn", "0", "0..1000000",
        "first take positions for decided whose guesses differ by this much, then by twice as "
        "much, until nothing rests on a guess; 0: never"},
    // Several agents
    OptionRow{"threads", "dfpn pns", "1", "1..1024", "threads that search together"},
    OptionRow{"agents", "dfpn pns", "0", "0..4096",
              "agents that take turns in one thread, as a simulation of threads; 0: none",
              "*: threads=*"},
    OptionRow{"scheduler", "dfpn", "virtual", "virtual|jobs|pn-dfpn",
              "how agents spread: by the number of others below a node, by jobs of bounded work "
              "that count as won or lost for others, or by such jobs at the leaves of a tree",
              "pn-dfpn: refine=*", "", "threads=* or agents=*"},
    OptionRow{"exchange", "dfpn", "512", "0..1000000",
              "visits (more of them on lines over 128 plies) after which an agent of "
              "scheduler=virtual looks up the siblings of its line again, and stores the "
              "numbers of the line for the others; 0, or costs=true: never",
              "*: scheduler=jobs|pn-dfpn", "", "threads=* or agents=*"},
    OptionRow{"job_nodes", "dfpn", "1000", "1..1000000",
              "visits of a job of scheduler=pn-dfpn; those at leaves of a full tree grow", "", "",
              "scheduler=pn-dfpn"},
    OptionRow{"seed", "dfpn pns", "1", "0..1000000000",
              "of the order in which agents take turns, and of what they choose by chance", "", "",
              "agents=*"},
    // Two levels
    OptionRow{"growth_a", "pn2 dfpn-pn pds-pn", "450000", "0..1000000000000",
              "nodes of the first level at which the second may have half as many"},
    OptionRow{"growth_b", "pn2 dfpn-pn pds-pn", "300000", "1..1000000000000",
              "how gradually the second level grows up to there, in nodes of the first"},
    // Best first
    OptionRow{
        "tree_nodes", "pns pn2 pss pp ews mcts-solver mcpns mopns", "0", "0..2000000000",
        "nodes the search graph may hold, at least 64; 0: as many as the memory limit allows"},
    OptionRow{"form", kBestFirst, "base-twin", "tree|dag|merge|base-twin",
              "which positions share a node: none, those that a conversion move leads to, all, or "
              "all but for what holds on the current path only",
              "", "merge"},
    OptionRow{"early_stop", "pns pn2 pss pp ews mcpns", "nagai", "off|allis|nagai",
              "end an update when nothing changed (allis), or when nothing grew (nagai)"},
    OptionRow{"delete_solved", kBestFirst, "true", "true|false",
              "free the subtree of a solved node (DeleteSolvedSubtree)"},
    OptionRow{"least_proving", kBestFirst, "number", "number|ratio|off",
              "what to free when the tree is full (DeleteLeastProving): by number, or pn/dn ratio"},
    OptionRow{"set_size", "pss", "32", "1..1000", "leaves that a proof set has at most"},
    // alphabeta
    OptionRow{"depth_step", "alphabeta", "2", "1..1000000",
              "plies that each search goes deeper than the one before, at least; more where one "
              "takes little longer than the last"},
    OptionRow{"ordering", "alphabeta", "killers", "off|killers|history|both",
              "which moves come first, after those that the table knows: the last that decided a "
              "node of the same depth, or those that have decided most"},
    // Playouts
    OptionRow{
        "exploration", "mcts-solver", "0.3", "0.0..100.0",
        "how much a child gains that was tried less often than its siblings (UCT's constant)"},
    OptionRow{"playouts", "mcpns", "4", "1..1000000",
              "games by chance that the numbers of a new leaf come from"},
    OptionRow{"playout_scale", "mcpns", "64", "0..1000000",
              "what is shared out by them between the two numbers, above 1 for each"},
    OptionRow{"playout_plies", "mcts-solver mcpns", "500", "1..1000000",
              "plies after which a game by chance counts as not won by the prover"},
    OptionRow{"playout_seed", "mcts-solver mcpns", "1", "0..1000000000", "of the games by chance"},
    // Selective searches
    OptionRow{"lambda_order", "lambda", "3", "1..9",
              "how far off a threat may be: 1 wins with the next move, 2 threatens that, …"},
    OptionRow{"selective_nodes", "lambda threat", "1000000", "0..1000000000000",
              "visits of the selective search, of both sides together, before df-pn goes on"},
    // The line of a proof
    OptionRow{"line", kAll, "work", "work|short",
              "how the line of a proof is chosen: stored moves and the replies that cost the most "
              "work, or the shortest win among what is known to be proven, and the longest "
              "defence against it"},
    OptionRow{"line_nodes", kAll, "1000000", "0..1000000000000",
              "visits that line=short may spend to prove other moves on the line", "", "",
              "line=short"},
    // The proof in a certificate
    OptionRow{
        "proof", kAll, "found", "found|small|short",
        "which proof a certificate has: that of the stored moves, or among what is known to be "
        "proven the smallest as a tree, or the one whose longest line is the shortest"},
    OptionRow{"proof_nodes", kAll, "100000", "0..1000000000000",
              "visits that proof=small and proof=short may spend to prove other moves", "", "",
              "proof=small or proof=short"},
    // All
    OptionRow{"unsafe", "dfpn pds pn* dfpn-pn pds-pn pns pn2 pss pp ews mcts-solver mcpns", "false",
              "true|false", "accept settings that may be wrong or endless on games with cycles"},
};

// The values asked for, checked against the table. Lookups are for set-up code, not for the loop.
class Options {
 public:
  void set(std::string_view name, std::string_view value) {
    check(row(name), value);
    values_[std::string(name)] = value;
  }

  // Sets a value that nobody set, unless it would exclude another. Returns whether it did.
  bool set_default(std::string_view name, std::string_view value) {
    if (values_.contains(name)) return false;
    Options changed = *this;
    changed.set(name, value);
    if (!changed.conflict().empty()) return false;
    *this = std::move(changed);
    return true;
  }

  std::uint64_t natural(std::string_view name) const { return parse<std::uint64_t>(text(name)); }
  double real(std::string_view name) const { return parse<double>(text(name)); }
  bool flag(std::string_view name) const { return text(name) == "true"; }

  std::string_view text(std::string_view name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? row(name).default_value : std::string_view(found->second);
  }

  bool is_set(std::string_view name) const { return values_.contains(name); }

  // Throws if two of the values cannot be used together, or one does nothing without another.
  void check_conflicts() const {
    if (const std::string both = conflict(); !both.empty())
      throw OptionError(both + " exclude each other");
    for (const auto& [name, value] : values_)
      if (const std::string_view needs = row(name).needs; !needs.empty() && !holds(needs))
        throw OptionError(pair(name) + " does nothing without " + in_words(needs));
  }

  // Two values that cannot be used together, or "".
  std::string conflict() const {
    for (const OptionRow& option : kOptions) {
      const std::size_t colon = option.conflict.find(": ");
      if (colon == std::string_view::npos) continue;
      const std::string_view other = option.conflict.substr(colon + 2);
      const std::size_t equals = other.find('=');
      const std::string_view name = other.substr(0, equals);
      if (is_meant(option.conflict.substr(0, colon), option.name) &&
          is_meant(other.substr(equals + 1), name))
        return pair(option.name) + " and " + pair(name);
    }
    return "";
  }

  // The first setting that is unsound or endless on graphs with cycles, or "".
  std::string unsafe_setting() const {
    for (const OptionRow& option : kOptions)
      if (!option.unsafe.empty() && text(option.name) == option.unsafe) return pair(option.name);
    return "";
  }

  static const OptionRow& row(std::string_view name) {
    for (const OptionRow& candidate : kOptions)
      if (candidate.name == name) return candidate;
    throw OptionError("unknown option '" + std::string(name) + "'");
  }

 private:
  // Of "name=value or another=value".
  bool holds(std::string_view settings) const {
    constexpr std::string_view kOr = " or ";
    const std::size_t end = std::min(settings.find(kOr), settings.size());
    const std::size_t equals = settings.find('=');
    if (is_meant(settings.substr(equals + 1, end - equals - 1), settings.substr(0, equals)))
      return true;
    return end < settings.size() && holds(settings.substr(end + kOr.size()));
  }

  // What a row needs as one would write it; any value is asked for of numbers only.
  static std::string in_words(std::string_view settings) {
    std::string text(settings);
    std::ranges::replace(text, '*', 'N');
    return text;
  }

  // By the values that a row names.
  bool is_meant(std::string_view values, std::string_view name) const {
    return values == "*" ? text(name) != row(name).default_value : one_of(values, text(name));
  }

  std::string pair(std::string_view name) const {
    return std::string(name) + "=" + std::string(text(name));
  }

  template <class T>
  static T parse(std::string_view text) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
      throw OptionError("'" + std::string(text) + "' is not a number");
    return value;
  }

  static void check(const OptionRow& option, std::string_view value) {
    const bool valid = option.range.find("..") == std::string_view::npos
                           ? one_of(option.range, value)
                           : between(option.range, value);
    if (!valid)
      throw OptionError("option " + std::string(option.name) + ": '" + std::string(value) +
                        "' is not in " + std::string(option.range));
  }

  static bool one_of(std::string_view range, std::string_view value) {
    for (std::size_t from = 0; from <= range.size();) {
      const std::size_t bar = std::min(range.find('|', from), range.size());
      if (range.substr(from, bar - from) == value) return true;
      from = bar + 1;
    }
    return false;
  }

  static bool between(std::string_view range, std::string_view value) {
    const std::size_t dots = range.find("..");
    const bool whole =
        range.find('.') == dots && range.find('.', dots + 2) == std::string_view::npos;
    if (whole && value.find_first_not_of("0123456789") != std::string_view::npos) return false;
    try {
      const double number = parse<double>(value);
      return number >= parse<double>(range.substr(0, dots)) &&
             number <= parse<double>(range.substr(dots + 2));
    } catch (const OptionError&) {
      return false;
    }
  }

  std::map<std::string, std::string, std::less<>> values_;
};

// The algorithms, one row each.
struct AlgorithmRow {
  std::string_view name;
  std::string_view help;
  std::string_view games = {};  // that it is for, separated by spaces; empty: all
  std::string_view needs = {};  // what these have
};

inline constexpr std::array kAlgorithms{
    AlgorithmRow{"dfpn", "depth-first proof-number search (Nagai), with a table of fixed size"},
    AlgorithmRow{"pds", "proof-number and disproof-number search (Nagai), before df-pn"},
    AlgorithmRow{"pn*", "depth first by proof numbers alone (Seo), iterative deepening"},
    AlgorithmRow{"dfpn-pn", "df-pn whose leaves are developed by a small best-first search"},
    AlgorithmRow{"pds-pn", "PDS whose leaves are developed by a small best-first search (Winands)"},
    AlgorithmRow{"pns", "best-first proof-number search (Allis), on a graph in memory"},
    AlgorithmRow{"pn2", "best-first, whose leaves are developed by a second such search (Breuker)"},
    AlgorithmRow{"pss", "best-first by sets of leaves instead of their numbers (Müller)"},
    AlgorithmRow{"pp", "best-first by chances that are multiplied: product propagation"},
    AlgorithmRow{"ews", "best-first by the work that is expected: expected work search"},
    AlgorithmRow{"mopns",
                 "multiple-outcome proof-number search (Saffidine): the value, in one tree"},
    AlgorithmRow{"alphabeta",
                 "alpha-beta (Knuth & Moore) with iterative deepening, with a table of fixed size"},
    AlgorithmRow{"mcts-solver",
                 "Monte-Carlo tree search with proven values (Winands), on a graph in memory"},
    AlgorithmRow{"mcpns",
                 "best-first proof-number search, new leaves by playouts (Saito), on such a graph"},
    AlgorithmRow{"fixpoint", "exhaustive: all positions that can be reached, solved backwards"},
    AlgorithmRow{"lambda", "lambda search (Thomsen): df-pn of threats for either side, then df-pn",
                 "mnk hex", "passes"},
    AlgorithmRow{"threat",
                 "threat-space search (Allis): direct threats and their answers, then df-pn", "mnk",
                 "threats"},
};

inline constexpr const AlgorithmRow& algorithm_row(std::string_view name) {
  for (const AlgorithmRow& row : kAlgorithms)
    if (row.name == name) return row;
  throw OptionError("unknown algorithm '" + std::string(name) + "'");
}

// Whether an algorithm that is not for all games names this one.
constexpr bool is_named_for(std::string_view algorithm, std::string_view game) {
  std::string_view left = algorithm_row(algorithm).games;
  while (!left.empty() && left.substr(0, left.find(' ')) != game)
    left.remove_prefix(std::min(left.find(' '), left.size() - 1) + 1);
  return !left.empty();
}

}  // namespace andorra
