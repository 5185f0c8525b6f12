// The bits of a deflate stream and its Huffman codes.
//
// Idea: a code is decoded by one look into a table indexed by the next bits of the stream, and a
// second one for the few codes longer than that index.
// Source: RFC 1951, sections 3.1.1 and 3.2.2.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "rejection.hpp"

namespace andorra::checker {

// The bits of the input, lowest bit of a byte first (RFC 1951, 3.1.1).
class BitReader {
 public:
  explicit BitReader(std::span<const std::uint8_t> bytes)
      : next_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  // Afterwards peek() shows at least 48 bits (a whole match), or all that are left.
  void refill() {
    if (std::endian::native == std::endian::little && end_ - next_ >= 8) {
      std::uint64_t word;
      std::memcpy(&word, next_, sizeof word);
      bits_ |= word << count_;
      next_ += (63 - count_) / 8;
      count_ |= 56;
    } else {
      for (; count_ < 56 && next_ != end_; count_ += 8) bits_ |= std::uint64_t{*next_++} << count_;
    }
  }

  std::uint64_t peek() const { return bits_; }

  void drop(unsigned bits) {
    if (bits > count_) throw Rejection("the zlib stream is truncated");
    bits_ >>= bits;
    count_ -= bits;
  }

  // The next `bits` bits, at most 16, as a number; refill() must have been called.
  unsigned take(unsigned bits) {
    const auto value = static_cast<unsigned>(bits_ & ((std::uint64_t{1} << bits) - 1));
    drop(bits);
    return value;
  }

  // Skips to a byte's border and gives all unread bytes.
  std::span<const std::uint8_t> rest() {
    next_ -= count_ / 8;
    bits_ = 0;
    count_ = 0;
    return {next_, end_};
  }

  void skip_bytes(std::size_t bytes) { next_ += bytes; }

 private:
  const std::uint8_t* next_;
  const std::uint8_t* end_;
  std::uint64_t bits_ = 0;
  unsigned count_ = 0;
};

// What a code stands for. `action` below kLiteral: the value is a base to which so many bits of the
// stream are added.
struct Code {
  std::uint8_t bits = 0;
  std::uint8_t action = 0;
  std::uint16_t value = 0;
};
inline constexpr std::uint8_t kLiteral = 0x20;
inline constexpr std::uint8_t kBlockEnd = 0x40;
inline constexpr std::uint8_t kLonger = 0x60;  // plus the bits that index the second table
inline constexpr std::uint8_t kInvalid = 0x80;

// A set of Huffman codes, built from the length of each symbol's code (RFC 1951, 3.2.2).
class HuffmanCodes {
 public:
  using Lengths = std::span<const std::uint8_t>;
  enum class Incomplete { rejected, one_bit_allowed };

  template <class Meaning>
  void build(Lengths lengths, unsigned index_bits, Incomplete incomplete, Meaning meaning) {
    index_bits_ = index_bits;
    set_first_codes(lengths, incomplete);
    codes_.assign(std::size_t{1} << index_bits, Code{0, kInvalid, 0});
    add_second_tables(lengths);
    auto next = first_code_;
    for (unsigned symbol = 0; symbol < lengths.size(); ++symbol) {
      const unsigned length = lengths[symbol];
      if (length == 0) continue;
      Code code = meaning(symbol);
      code.bits = static_cast<std::uint8_t>(length);
      fill(reversed(next[length]++, length), code);
    }
  }

  Code find(std::uint64_t bits) const {
    Code code = codes_[bits & mask(index_bits_)];
    if ((code.action & kLonger) == kLonger)
      code = codes_[code.value + (bits >> index_bits_ & mask(code.action - kLonger))];
    return code;
  }

 private:
  static constexpr unsigned kLongest = 15;

  static std::uint64_t mask(unsigned bits) { return (std::uint64_t{1} << bits) - 1; }

  static unsigned reversed(unsigned code, unsigned length) {
    unsigned result = 0;
    for (; length > 0; --length, code >>= 1) result = result << 1 | (code & 1);
    return result;
  }

  void set_first_codes(Lengths lengths, Incomplete incomplete) {
    std::array<unsigned, kLongest + 1> count{};
    unsigned longest = 0;
    for (const unsigned length : lengths) {
      if (length > 0) ++count[length];
      longest = std::max(longest, length);
    }
    int unused = 1;
    unsigned code = 0;
    for (unsigned length = 1; length <= kLongest; ++length) {
      code = (code + count[length - 1]) << 1;
      first_code_[length] = code;
      unused = 2 * unused - static_cast<int>(count[length]);
      if (unused < 0) throw Rejection("the zlib stream has an over-full set of codes");
    }
    if (unused > 0 && (incomplete == Incomplete::rejected || longest > 1))
      throw Rejection("the zlib stream has an incomplete set of codes");
  }

  // One table for each beginning of long codes, sized by the longest of them.
  void add_second_tables(Lengths lengths) {
    std::vector<std::uint8_t> longest(codes_.size());
    auto next = first_code_;
    for (const std::uint8_t length : lengths) {
      if (length == 0) continue;
      const unsigned code = next[length]++;
      if (length <= index_bits_) continue;
      std::uint8_t& so_far = longest[reversed(code, length) & mask(index_bits_)];
      so_far = std::max(so_far, length);
    }
    for (std::size_t start = 0; start < longest.size(); ++start) {
      if (longest[start] == 0) continue;
      const unsigned bits = longest[start] - index_bits_;
      codes_[start] = {0, static_cast<std::uint8_t>(kLonger + bits),
                       static_cast<std::uint16_t>(codes_.size())};
      codes_.resize(codes_.size() + (std::size_t{1} << bits), Code{0, kInvalid, 0});
    }
  }

  // Puts `code` at every index whose low bits are `start`, the code as it appears in the stream.
  void fill(std::size_t start, Code code) {
    std::size_t first = 0;
    std::size_t size = std::size_t{1} << index_bits_;
    unsigned length = code.bits;
    if (length > index_bits_) {
      const Code second = codes_[start & mask(index_bits_)];
      first = second.value;
      size = std::size_t{1} << (second.action - kLonger);
      start >>= index_bits_;
      length -= index_bits_;
    }
    for (std::size_t at = start; at < size; at += std::size_t{1} << length)
      codes_[first + at] = code;
  }

  std::vector<Code> codes_;
  std::array<unsigned, kLongest + 1> first_code_{};
  unsigned index_bits_ = 0;
};

}  // namespace andorra::checker
