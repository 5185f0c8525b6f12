// Where the entries of a certificate's body are, by a hash of their positions.
//
// Idea: a viewer looks up some of millions of entries, so it keeps of each only 32 bits of a hash
// and where its line starts, in one word, sorted. Noting that is all that opening a file has to do
// with every entry.
// Invariant: the hash is Python's own of bytes, so Python computes the same one, and its secret
// seed keeps files from being made to collide.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace andorra {

// The first fields of a text, without the space after them; all of it with none.
inline std::string_view first_fields(std::string_view text, std::size_t fields) {
  std::size_t end = text.size();
  for (std::size_t from = 0; fields > 0; --fields, from = end + 1) {
    end = text.find(' ', from);
    if (end == text.npos) return text;
  }
  return text.substr(0, end);
}

inline std::uint64_t hash_of(std::string_view text) {
  const nanobind::bytes object(text.data(), text.size());
  return static_cast<std::uint64_t>(nanobind::hash(object)) & 0xffffffff;
}

// The position of an entry is its second field between tabs.
inline std::string_view position_in(std::string_view line) {
  const std::size_t tab = line.find('\t');
  if (tab == line.npos) throw nanobind::value_error("expected entries of fields separated by tabs");
  return line.substr(tab + 1, line.find('\t', tab + 1) - tab - 1);
}

// For the whole lines of a text from a place on, at most so many: words of the hash and, below,
// where the line starts after that place; and the place after them.
inline std::pair<nanobind::bytes, std::size_t> pack_entries(nanobind::bytes body, std::size_t from,
                                                            std::size_t most, std::size_t fields) {
  const std::string_view text(body.c_str(), body.size());
  std::vector<std::uint64_t> words;
  std::size_t place = from;
  for (std::size_t end = 0; words.size() < most; place = end + 1) {
    end = text.find('\n', place);
    if (end == text.npos) break;
    const std::string_view line = text.substr(place, end - place);
    words.push_back(hash_of(first_fields(position_in(line), fields)) << 32 | (place - from));
  }
  std::sort(words.begin(), words.end());
  return {nanobind::bytes(words.data(), words.size() * sizeof(std::uint64_t)), place};
}

}  // namespace andorra
