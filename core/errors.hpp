// Errors that input can cause. The core throws these and nothing else because of input; it never
// prints, exits or aborts. The binding turns each into the Python exception of the same name.
#pragma once

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
    const std::size_t from = place > kContext ? place - kContext : 0;
    std::string shown(text.substr(from, 2 * kContext));
    for (char& c : shown)
      if (static_cast<unsigned char>(c) < 0x20) c = ' ';
    return std::string(what) + "\n  " + shown + "\n  " + std::string(place - from, ' ') + "^";
  }
};

struct OptionError : Error {
  using Error::Error;
};

// A rule of a user's game misbehaved: it raised, or answered differently when asked again.
struct RuleError : Error {
  using Error::Error;
};

}  // namespace andorra
