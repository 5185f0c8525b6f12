// The lines of a graph file, taken apart into words that know where they stand.
//
// White space other than space, tab and line ends (LF or CR LF) is rejected wherever it is, as is
// text that is not UTF-8: readers in other languages might split lines or names there, and then
// prove something about another graph.
// Invariant: lines and words are views of the text, which must outlive them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "errors.hpp"
#include "games/utf8.hpp"

namespace andorra {

struct GraphLine {
  std::string_view text;
  std::size_t number = 0;

  std::string_view content() const { return text.substr(0, text.find('#')); }

  [[noreturn]] void fail(std::size_t place, const std::string& what) const {
    throw PositionError(text, place, "line " + std::to_string(number) + " of the graph: " + what);
  }
};

struct GraphWord {
  std::string_view text;
  std::size_t place = 0;  // in the line

  std::size_t end() const { return place + text.size(); }
};

inline void check_characters(const GraphLine& line) {
  for (std::size_t place = 0; place < line.text.size();) {
    const std::size_t start = place;
    const char32_t code = next_code_point(line.text, place);
    if (code == kIllFormed) line.fail(start, "expected UTF-8");
    if (is_white_space(code) && code != ' ' && code != '\t')
      line.fail(start, "expected no white space but spaces, tabs and line ends");
  }
}

// The words of a line's content from `place` on.
inline std::vector<GraphWord> split_words(std::string_view content, std::size_t place = 0) {
  constexpr std::string_view kBlanks = " \t";
  std::vector<GraphWord> words;
  while ((place = content.find_first_not_of(kBlanks, place)) != std::string_view::npos) {
    const std::size_t end = std::min(content.find_first_of(kBlanks, place), content.size());
    words.push_back({content.substr(place, end - place), place});
    place = end;
  }
  return words;
}

}  // namespace andorra
