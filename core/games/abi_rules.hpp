// The rules of the game ABI (core/abi.h) made safe to use: validated once, with errors and text.
//
// Idea: everything that is not speed is here. Text functions that are null have defaults: states
// are lower-case hexadecimal digits, moves decimal codes. Invariant: every return value and every
// text that comes from the user's functions is checked; what fails is a RuleError that names the
// function and the position, or a PositionError if the text to be read came from outside.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "abi.h"
#include "errors.hpp"

namespace andorra {

using StateBytes = std::vector<std::uint8_t>;

inline bool is_printable(std::string_view text, char lowest) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [=](char c) { return c >= lowest && c <= '~'; });
}

inline std::string to_hex(const std::uint8_t* state, std::size_t bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes);
  for (std::size_t i = 0; i < bytes; ++i) {
    text += kDigits[state[i] >> 4];
    text += kDigits[state[i] & 15];
  }
  return text;
}

inline StateBytes from_hex(std::string_view text, std::size_t bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const std::string expected = "expected " + std::to_string(2 * bytes) + " hexadecimal digits";
  const std::size_t wrong = text.find_first_not_of(kDigits);
  if (wrong != text.npos) throw PositionError(text, wrong, expected + ", lower case");
  if (text.size() != 2 * bytes)
    throw PositionError(text, std::min(text.size(), 2 * bytes),
                        expected + ", got " + std::to_string(text.size()));
  StateBytes state(bytes);
  for (std::size_t i = 0; i < text.size(); ++i)
    state[i / 2] = static_cast<std::uint8_t>(state[i / 2] << 4 | kDigits.find(text[i]));
  return state;
}

class AbiRules {
 public:
  explicit AbiRules(const andorra_rules_v1* rules) : c_(valid(rules)), spec_(c_.name) {
    if (c_.parameters != nullptr && *c_.parameters != 0) spec_ += std::string(":") + c_.parameters;
  }

  const andorra_rules_v1& c() const { return c_; }
  const std::string& spec() const { return spec_; }

  StateBytes initial() const {
    StateBytes state(c_.state_bytes);
    if (c_.initial(state.data()) > 0) return state;
    throw RuleError(spec_ + ": the rule 'initial' failed" + reason(state.data()));
  }

  std::uint8_t describe(const std::uint8_t* state) const {
    std::uint8_t status = 0;
    if (c_.describe(state, &status) <= 0) failed("describe", state);
    return status;
  }

  // `text` comes from outside, so it may be no position at all.
  StateBytes parse(std::string_view text) const {
    std::uint8_t status = 0;
    const StateBytes state = read(text);
    if (c_.describe(state.data(), &status) > 0) return state;
    throw PositionError("'" + std::string(text) + "' is no position of " + spec_ +
                        reason(state.data()));
  }

  std::string format(const std::uint8_t* state) const {
    if (c_.format_state == nullptr) return to_hex(state, c_.state_bytes);
    const std::string text = written("format_state", state, [&](char* to, std::uint32_t capacity) {
      return c_.format_state(state, to, capacity);
    });
    if (!is_printable(text, ' ')) bad_text("format_state", state, text, "printable ASCII");
    return text;
  }

  std::string format_move(const std::uint8_t* state, std::uint32_t move) const {
    if (c_.format_move == nullptr) return std::to_string(move);
    const std::string text = written("format_move", state, [&](char* to, std::uint32_t capacity) {
      return c_.format_move(state, move, to, capacity);
    });
    if (!is_printable(text, '!'))
      bad_text("format_move", state, text, "printable ASCII without spaces");
    return text;
  }

  // Throws unless the text of the position reads back as the same position.
  void check_text(const std::uint8_t* state) const {
    if (c_.parse_state == nullptr) return;
    const std::string text = format(state);
    StateBytes back(c_.state_bytes);
    if (c_.parse_state(text.c_str(), back.data()) <= 0)
      broken("parse_state", "rejected what 'format_state' wrote", state);
    if (std::memcmp(back.data(), state, back.size()) != 0)
      broken("parse_state", "read back another position, " + to_hex(back.data(), back.size()) + ",",
             state);
  }

  [[noreturn]] void failed(std::string_view rule, const std::uint8_t* state) const {
    throw RuleError(spec_ + ": the rule '" + std::string(rule) + "' failed in position '" +
                    shown(state) + "'" + reason(state));
  }

  [[noreturn]] void broken(std::string_view rule, std::string_view what,
                           const std::uint8_t* state) const {
    throw RuleError(spec_ + ": the rule '" + std::string(rule) + "' " + std::string(what) +
                    " in position '" + shown(state) + "'");
  }

 private:
  static constexpr std::uint32_t kFlags = ANDORRA_ACYCLIC | ANDORRA_NO_DRAWS;

  // The version is read before anything else: another version's struct may be shorter.
  static const andorra_rules_v1& valid(const andorra_rules_v1* rules) {
    if (rules == nullptr) throw RuleError("the game library gave no rules (a null pointer)");
    if (rules->abi_version != ANDORRA_ABI_VERSION)
      throw RuleError("the game is for version " + std::to_string(rules->abi_version) +
                      " of the game ABI, expected version 1");
    check_names(*rules);
    check_numbers(*rules);
    check_functions(*rules);
    return *rules;
  }

  static void check_names(const andorra_rules_v1& rules) {
    if (rules.name == nullptr) throw RuleError("the game has no name (a null pointer)");
    const std::string_view name = rules.name;
    if (!is_printable(name, '!') || name.find(':') != name.npos)
      throw RuleError("the name of the game is '" + std::string(name) +
                      "', expected printable ASCII without spaces and colons");
    const std::string_view parameters = rules.parameters == nullptr ? "" : rules.parameters;
    if (!parameters.empty() && !is_printable(parameters, '!'))
      throw RuleError(std::string(name) + ": the parameters are '" + std::string(parameters) +
                      "', expected printable ASCII without spaces");
  }

  static void check_numbers(const andorra_rules_v1& rules) {
    check_range(rules, "state_bytes", rules.state_bytes, ANDORRA_MAX_STATE_BYTES);
    check_range(rules, "max_moves", rules.max_moves, ANDORRA_MAX_MOVES);
    if ((rules.flags & ~kFlags) != 0)
      throw RuleError(std::string(rules.name) + ": flags is " + std::to_string(rules.flags) +
                      ", expected a sum of ACYCLIC = 1 and NO_DRAWS = 2");
  }

  static void check_range(const andorra_rules_v1& rules, std::string_view what,
                          std::uint32_t number, std::uint32_t largest) {
    if (number < 1 || number > largest)
      throw RuleError(std::string(rules.name) + ": " + std::string(what) + " is " +
                      std::to_string(number) + ", expected 1 to " + std::to_string(largest));
  }

  static void check_functions(const andorra_rules_v1& rules) {
    const std::string name = rules.name;
    if (!rules.initial || !rules.describe || !rules.expand)
      throw RuleError(name + ": 'initial', 'describe' and 'expand' are needed, one is null");
    if (!rules.format_state != !rules.parse_state)
      throw RuleError(name + ": 'format_state' and 'parse_state' must both be given, or neither");
  }

  StateBytes read(std::string_view text) const {
    if (c_.parse_state == nullptr) return from_hex(text, c_.state_bytes);
    const std::string quoted = "'" + std::string(text) + "'";
    if (!is_printable(text, ' ') || text.size() > ANDORRA_MAX_TEXT_BYTES)
      throw PositionError(quoted + " is no position: expected one line of printable ASCII");
    StateBytes state(c_.state_bytes);
    if (c_.parse_state(std::string(text).c_str(), state.data()) <= 0)
      throw PositionError(quoted + " is no position of " + spec_);
    return state;
  }

  // Calls a writer, again with more room if the first was not enough.
  template <class Writer>
  std::string written(std::string_view rule, const std::uint8_t* state, Writer writer) const {
    std::string text(256, '\0');
    std::int64_t length = std::int64_t{writer(text.data(), 256)} - 1;
    if (length >= 256 && length < ANDORRA_MAX_TEXT_BYTES) {
      text.resize(static_cast<std::size_t>(length) + 1);
      length = std::int64_t{writer(text.data(), static_cast<std::uint32_t>(text.size()))} - 1;
    }
    if (length < 0) text_failed(rule, state, "failed");
    if (length >= static_cast<std::int64_t>(text.size()))
      text_failed(rule, state, "wrote too much");
    text.resize(static_cast<std::size_t>(length));
    return text;
  }

  // Errors of the text functions show the position by its bytes: its text may be what is wrong.
  [[noreturn]] void text_failed(std::string_view rule, const std::uint8_t* state,
                                std::string_view what) const {
    throw RuleError(spec_ + ": the rule '" + std::string(rule) + "' " + std::string(what) +
                    " in the position with the bytes " + to_hex(state, c_.state_bytes) +
                    reason(state));
  }

  [[noreturn]] void bad_text(std::string_view rule, const std::uint8_t* state,
                             std::string_view text, std::string_view expected) const {
    text_failed(rule, state,
                "wrote '" + std::string(text) + "', expected " + std::string(expected) + ",");
  }

  std::string shown(const std::uint8_t* state) const {
    try {
      return format(state);
    } catch (const RuleError&) {
      return to_hex(state, c_.state_bytes);
    }
  }

  // What the game itself says about an error, after a colon; nothing if it says nothing.
  std::string reason(const std::uint8_t* state) const {
    if (c_.explain == nullptr) return "";
    std::string text(4096, '\0');
    const std::int64_t length = std::int64_t{c_.explain(state, text.data(), 4096)} - 1;
    if (length <= 0) return "";
    text.resize(std::min<std::size_t>(static_cast<std::size_t>(length), text.size() - 1));
    return ": " + text;
  }

  andorra_rules_v1 c_;
  std::string spec_;
};

}  // namespace andorra
