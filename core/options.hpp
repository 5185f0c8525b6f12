// The options table: one row an option. The Python API, the command line, the documentation and
// the tests are derived from it.
#pragma once

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
};

inline constexpr std::array kOptions{
    OptionRow{
        "table_entries", "dfpn pns", "0", "0..1000000000000",
        "cells of the transposition table, at least 64; 0: as many as the memory limit allows"},
    OptionRow{"gc_fraction", "dfpn pns", "0.3", "0.05..0.95",
              "share of the table that garbage collection frees when it is full"},
    OptionRow{"rise", "dfpn", "256", "1..1000000000000",
              "visits without a new expansion after which the steps of thresholds double"},
    OptionRow{"guard", "dfpn", "2000000", "1000..1000000000000",
              "visits without a new expansion after which a search on a game with cycles gives up"},
    OptionRow{
        "tree_nodes", "pns", "0", "0..2000000000",
        "nodes the search graph may hold, at least 64; 0: as many as the memory limit allows"},
    OptionRow{"form", "pns", "dag", "tree|dag",
              "which positions share a node: none, or those that a conversion move leads to"},
    OptionRow{"early_stop", "pns", "nagai", "off|allis|nagai",
              "end an update when nothing changed (allis), or when nothing grew (nagai)"},
    OptionRow{"delete_solved", "pns", "true", "true|false",
              "free the subtree of a solved node (DeleteSolvedSubtree)"},
    OptionRow{"least_proving", "pns", "number", "number|ratio|off",
              "what to free when the tree is full (DeleteLeastProving): by number, or pn/dn ratio"},
};

// The values asked for, checked against the table. Lookups are for set-up code, not for the loop.
class Options {
 public:
  void set(std::string_view name, std::string_view value) {
    check(row(name), value);
    values_[std::string(name)] = value;
  }

  std::uint64_t natural(std::string_view name) const { return parse<std::uint64_t>(text(name)); }
  double real(std::string_view name) const { return parse<double>(text(name)); }
  bool flag(std::string_view name) const { return text(name) == "true"; }

  std::string_view text(std::string_view name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? row(name).default_value : std::string_view(found->second);
  }

  static const OptionRow& row(std::string_view name) {
    for (const OptionRow& candidate : kOptions)
      if (candidate.name == name) return candidate;
    throw OptionError("unknown option '" + std::string(name) + "'");
  }

 private:
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
};

inline constexpr std::array kAlgorithms{
    AlgorithmRow{"dfpn", "depth-first proof-number search (Nagai), with a table of fixed size"},
    AlgorithmRow{"pns", "best-first proof-number search (Allis), on a graph in memory"},
    AlgorithmRow{"fixpoint", "exhaustive: all positions that can be reached, solved backwards"},
};

}  // namespace andorra
