// UTF-8, as far as names in graph files need it: code points one by one, and which of them are
// white space. Ill-formed text (RFC 3629) is told apart, never guessed at.
#pragma once

#include <cstddef>
#include <string_view>

namespace andorra {

inline constexpr char32_t kIllFormed = 0xffffffff;

// The code point at `place`, which moves behind it; kIllFormed, one byte on, if there is none.
// `place` must be less than the size of the text.
inline char32_t next_code_point(std::string_view text, std::size_t& place) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned lead = byte(place++);
  if (lead < 0x80) return lead;
  const std::size_t more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
  if (lead < 0xc0 || lead > 0xf7 || text.size() - place < more) return kIllFormed;
  char32_t code = lead & (0x3fu >> more);
  for (std::size_t i = 0; i < more; ++i) {
    if ((byte(place + i) & 0xc0) != 0x80) return kIllFormed;
    code = code << 6 | (byte(place + i) & 0x3fu);
  }
  const bool overlong = code < (more == 1 ? 0x80u : more == 2 ? 0x800u : 0x10000u);
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (overlong || surrogate || code > 0x10ffff) return kIllFormed;
  place += more;
  return code;
}

// The characters that Unicode (and Python's str.isspace) takes for white space.
constexpr bool is_white_space(char32_t code) {
  return (code >= 0x09 && code <= 0x0d) || (code >= 0x1c && code <= 0x20) || code == 0x85 ||
         code == 0xa0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200a) || code == 0x2028 ||
         code == 0x2029 || code == 0x202f || code == 0x205f || code == 0x3000;
}

}  // namespace andorra
