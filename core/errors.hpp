// Errors that input can cause. The core throws these and nothing else because of input; it never
// prints, exits or aborts. The binding turns each into the Python exception of the same name.
#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace andorra {

struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A position (or a game's parameters, or a move) that cannot be read. The message quotes the text
// and, where a place is known, marks it with a caret on the next line.
struct PositionError : Error {
  using Error::Error;
  PositionError(std::string_view text, std::size_t place, std::string_view what)
      : Error(marked(text, place, what)) {}

 private:
  static std::string marked(std::string_view text, std::size_t place, std::string_view what) {
    constexpr std::size_t kContext = 60;
    const std::size_t from = boundary(text, place > kContext ? place - kContext : 0);
    const std::size_t end = boundary(text, std::min(text.size(), from + 2 * kContext));
    std::string shown(text.substr(from, end - from));
    for (char& c : shown)
      if (static_cast<unsigned char>(c) < 0x20) c = ' ';
    const auto before = text.substr(from, place - from);
    const auto columns = std::count_if(before.begin(), before.end(), starts_character);
    return std::string(what) + "\n  " + shown + "\n  " +
           std::string(static_cast<std::size_t>(columns), ' ') + "^";
  }

  // UTF-8 must not be cut inside a character.
  static bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }
  static std::size_t boundary(std::string_view text, std::size_t place) {
    while (place < text.size() && !starts_character(text[place])) ++place;
    return place;
  }
};

struct OptionError : Error {
  using Error::Error;
};

// Ctrl-C arrived inside a user's code. No error: searches catch it and end as interrupted.
struct Interrupted {};

// A rule of a user's game misbehaved: it raised, or answered differently when asked again.
struct RuleError : Error {
  using Error::Error;
};

}  // namespace andorra
