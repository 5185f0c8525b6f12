// A cursor over text that throws PositionError, with the place marked, at the first character that
// does not fit. All notation of the built-in games is read through it.
//
// Invariant: place() <= size of the text, and no number read leaves the range asked for, so that no
// text, however odd, overflows or allocates.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "errors.hpp"

namespace andorra {

class TextReader {
 public:
  explicit TextReader(std::string_view text) : text_(text) {}

  std::string_view text() const { return text_; }
  std::size_t place() const { return place_; }
  bool at_end() const { return place_ == text_.size(); }
  bool at_digit() const { return !at_end() && text_[place_] >= '0' && text_[place_] <= '9'; }

  // Steps over `wanted` if it comes next.
  bool skip(char wanted) {
    const bool found = !at_end() && text_[place_] == wanted;
    place_ += found;
    return found;
  }

  void expect(char wanted) {
    if (!skip(wanted)) fail(std::string("expected '") + wanted + "'");
  }

  void expect_end() const {
    if (!at_end()) fail("expected the end of the text");
  }

  char one_of(std::string_view allowed) {
    if (at_end() || allowed.find(text_[place_]) == std::string_view::npos)
      fail("expected one of " + spelled(allowed));
    return text_[place_++];
  }

  // A decimal number without leading zeros; `low` and `high` are at most 999,999,999.
  int number(int low, int high, std::string_view name) {
    constexpr std::size_t kMostDigits = 9;
    const std::size_t start = place_;
    int value = 0;
    while (at_digit() && place_ - start < kMostDigits) value = 10 * value + (text_[place_++] - '0');
    const bool canonical = place_ == start + 1 || (place_ > start && text_[start] != '0');
    if (!canonical || at_digit() || value < low || value > high) {
      place_ = start;
      fail("expected " + std::string(name) + ", a number from " + std::to_string(low) + " to " +
           std::to_string(high));
    }
    return value;
  }

  [[noreturn]] void fail(std::string_view what) const { fail_at(place_, what); }

  [[noreturn]] void fail_at(std::size_t place, std::string_view what) const {
    throw PositionError(text_, place, what);
  }

 private:
  static std::string spelled(std::string_view characters) {
    std::string list;
    for (char c : characters) list += std::string(list.empty() ? "'" : ", '") + c + "'";
    return list;
  }

  std::string_view text_;
  std::size_t place_ = 0;
};

}  // namespace andorra
