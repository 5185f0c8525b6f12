// Why a certificate was not accepted. Everything in the checker that finds a fault throws this, so
// that nothing but a run to the very end can accept a file.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "games/utf8.hpp"

namespace andorra::checker {

struct Rejection : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class LineFeeds { kept, spelled };

// `text` without anything that a terminal or a reader of UTF-8 could stumble over: tabs and line
// feeds are spelled out, other control characters and ill-formed bytes become question marks.
inline std::string printable(std::string_view text, LineFeeds line_feeds = LineFeeds::spelled) {
  std::string shown;
  for (std::size_t place = 0; place < text.size();) {
    const std::size_t start = place;
    const char32_t code = next_code_point(text, place);
    const bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
    if (code == '\t' || (code == '\n' && line_feeds == LineFeeds::spelled)) {
      shown += code == '\t' ? "\\t" : "\\n";
    } else if (code == kIllFormed || (control && code != '\n')) {
      shown += '?';
    } else {
      shown += text.substr(start, place - start);
    }
  }
  return shown;
}

// `text` in quotes, cut to what fits a message.
inline std::string quoted(std::string_view text) {
  constexpr std::size_t kShown = 160;
  std::string shown = "'";
  shown += printable(text.substr(0, kShown));
  return shown += text.size() > kShown ? "'..." : "'";
}

}  // namespace andorra::checker
