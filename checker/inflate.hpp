// Unpacks a zlib stream: the payload of a certificate.
//
// Source: RFC 1950 (zlib) and RFC 1951 (deflate); the codes are in huffman.hpp.
// Strictness: a preset dictionary, an over-full or incomplete set of codes (but for the single code
// of one bit that deflate allows), a distance beyond the window or the start, a wrong checksum, and
// bytes after the end are rejected. Bits that fill up a byte are not looked at.
// Invariant: reads only inside the input, whatever it holds; writes only inside the output.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "huffman.hpp"
#include "memory.hpp"
#include "rejection.hpp"

namespace andorra::checker {

// Text that grows. Large blocks move without a copy, so that the unpacked body is in memory only
// once; it grows by a quarter, so that nearly all of a limit on memory can be text.
class Text {
 public:
  Text() = default;
  Text(Text&& from) noexcept { swap(from); }
  Text& operator=(Text&& from) noexcept {
    swap(from);
    return *this;
  }
  ~Text() { Memory::release(data_); }

  std::string_view view() const { return {reinterpret_cast<const char*>(data_), size_}; }
  const std::uint8_t* bytes() const { return data_; }
  std::uint8_t* begin() { return data_; }
  std::uint8_t* end() { return data_ + size_; }
  void set_end(const std::uint8_t* end) { size_ = static_cast<std::size_t>(end - data_); }

  // Makes room for `more` bytes after the end; pointers into the text become invalid.
  void make_room(std::size_t more) {
    if (capacity_ - size_ >= more) return;
    set_capacity(std::max(size_ + more, capacity_ + capacity_ / 4));
  }

  // Gives back what make_room() took beyond the end.
  void trim() {
    if (capacity_ > size_ && size_ > 0) set_capacity(size_);
  }

 private:
  void set_capacity(std::size_t capacity) {
    data_ = static_cast<std::uint8_t*>(Memory::resize(data_, capacity));
    capacity_ = capacity;
  }

  void swap(Text& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

class Inflater {
 public:
  // The text in the zlib stream `packed`, which must be the whole of it.
  static Text unpack(std::span<const std::uint8_t> packed) {
    Inflater inflater(packed);
    inflater.read_header(packed);
    while (!inflater.read_block()) {
    }
    inflater.read_checksum();
    inflater.text_.trim();
    return std::move(inflater.text_);
  }

 private:
  static constexpr unsigned kLiteralBits = 11;
  static constexpr unsigned kDistanceBits = 9;
  static constexpr unsigned kLengthBits = 7;
  static constexpr unsigned kLongestMatch = 258;
  static constexpr unsigned kCopied = 8;  // bytes copied at once, so up to 7 too many

  explicit Inflater(std::span<const std::uint8_t> packed) : in_(packed) {}

  // RFC 1950, 2.2: CMF with method and window, FLG with check bits and dictionary flag.
  void read_header(std::span<const std::uint8_t> packed) {
    if (packed.size() < 2) throw Rejection("the zlib stream is truncated");
    const unsigned cmf = packed[0], flg = packed[1];
    const bool deflate = (cmf & 15) == 8 && cmf >> 4 <= 7;
    if (!deflate || (cmf << 8 | flg) % 31 != 0 || (flg & 32) != 0)
      throw Rejection("the payload is no zlib stream (bad header)");
    window_ = std::size_t{1} << ((cmf >> 4) + 8);
    in_.skip_bytes(2);
  }

  // Reads one block; true if it was the last.
  bool read_block() {
    in_.refill();
    const bool last = in_.take(1) != 0;
    switch (in_.take(2)) {
      case 0:
        read_stored();
        break;
      case 1:
        build_fixed_codes();
        read_compressed();
        break;
      case 2:
        build_dynamic_codes();
        read_compressed();
        break;
      default:
        throw Rejection("the zlib stream has a block of the reserved type");
    }
    return last;
  }

  void read_stored() {
    const std::span<const std::uint8_t> rest = in_.rest();
    if (rest.size() < 4) throw Rejection("the zlib stream is truncated");
    const unsigned size = rest[0] | rest[1] << 8, complement = rest[2] | rest[3] << 8;
    if ((size ^ complement) != 0xffff)
      throw Rejection("the zlib stream has a stored block of unclear length");
    if (rest.size() - 4 < size) throw Rejection("the zlib stream is truncated");
    text_.make_room(size + 1);
    std::memcpy(text_.end(), rest.data() + 4, size);
    text_.set_end(text_.end() + size);
    in_.skip_bytes(4 + size);
  }

  // RFC 1951, 3.2.5: the bases of lengths and distances follow from their extra bits.
  static Code length_meaning(unsigned symbol) {
    if (symbol < 256) return {0, kLiteral, static_cast<std::uint16_t>(symbol)};
    if (symbol == 256) return {0, kBlockEnd, 0};
    if (symbol > 285) return {0, kInvalid, 0};
    if (symbol == 285) return {0, 0, kLongestMatch};
    const unsigned number = symbol - 257;
    if (number < 8) return {0, 0, static_cast<std::uint16_t>(3 + number)};
    const unsigned extra = number / 4 - 1;
    return {0, static_cast<std::uint8_t>(extra),
            static_cast<std::uint16_t>(3 + ((4 + number % 4) << extra))};
  }

  static Code distance_meaning(unsigned symbol) {
    if (symbol > 29) return {0, kInvalid, 0};
    if (symbol < 4) return {0, 0, static_cast<std::uint16_t>(1 + symbol)};
    const unsigned extra = symbol / 2 - 1;
    return {0, static_cast<std::uint8_t>(extra),
            static_cast<std::uint16_t>(1 + ((2 + symbol % 2) << extra))};
  }

  static Code plain_meaning(unsigned symbol) { return {0, 0, static_cast<std::uint16_t>(symbol)}; }

  void build_codes(HuffmanCodes::Lengths lengths, HuffmanCodes::Lengths distances) {
    constexpr auto kAllowed = HuffmanCodes::Incomplete::one_bit_allowed;
    lengths_.build(lengths, kLiteralBits, kAllowed, length_meaning);
    distances_.build(distances, kDistanceBits, kAllowed, distance_meaning);
  }

  void build_fixed_codes() {
    std::array<std::uint8_t, 288> lengths;
    for (unsigned symbol = 0; symbol < lengths.size(); ++symbol)
      lengths[symbol] = symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8;
    std::array<std::uint8_t, 32> distances;
    distances.fill(5);
    build_codes(lengths, distances);
  }

  void build_dynamic_codes() {
    in_.refill();
    const unsigned lengths = in_.take(5) + 257, distances = in_.take(5) + 1;
    if (lengths > 286 || distances > 30)
      throw Rejection("the zlib stream has too many length or distance codes");
    const std::vector<std::uint8_t> all = read_code_lengths(in_.take(4) + 4, lengths + distances);
    if (all[256] == 0) throw Rejection("the zlib stream has a block without an end");
    const HuffmanCodes::Lengths both(all);
    build_codes(both.first(lengths), both.subspan(lengths));
  }

  // RFC 1951, 3.2.7: the lengths are themselves Huffman coded, with codes for runs.
  std::vector<std::uint8_t> read_code_lengths(unsigned given, std::size_t wanted) {
    constexpr std::array<std::uint8_t, 19> kOrder = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                     11, 4,  12, 3, 13, 2, 14, 1, 15};
    std::array<std::uint8_t, 19> own{};
    for (unsigned i = 0; i < given; ++i) {
      in_.refill();
      own[kOrder[i]] = static_cast<std::uint8_t>(in_.take(3));
    }
    HuffmanCodes codes;
    codes.build(own, kLengthBits, HuffmanCodes::Incomplete::rejected, plain_meaning);
    std::vector<std::uint8_t> all;
    while (all.size() < wanted) add_code_length(codes, all);
    if (all.size() > wanted) throw Rejection("the zlib stream has too many code lengths");
    return all;
  }

  void add_code_length(const HuffmanCodes& codes, std::vector<std::uint8_t>& all) {
    in_.refill();
    const Code code = codes.find(in_.peek());
    in_.drop(code.bits);
    if (code.value < 16) return all.push_back(static_cast<std::uint8_t>(code.value));
    if (code.value == 16 && all.empty())
      throw Rejection("the zlib stream repeats a code length before the first");
    const std::uint8_t repeated = code.value == 16 ? all.back() : 0;
    const unsigned times = code.value == 16   ? 3 + in_.take(2)
                           : code.value == 17 ? 3 + in_.take(3)
                                              : 11 + in_.take(7);
    all.insert(all.end(), times, repeated);
  }

  // The loop works on a copy of the reader: writing bytes could otherwise change its members, as
  // far as the compiler knows, and they would be loaded anew for each.
  void read_compressed() {
    BitReader in = in_;
    for (bool more = true; more;) {
      text_.make_room(kChunk);
      more = read_chunk(in, text_.end() + (kChunk - kLongestMatch - kCopied));
    }
    in_ = in;
  }

  // Decodes until the block's end (false) or until the text reaches `full` (true).
  bool read_chunk(BitReader& reader, const std::uint8_t* full) {
    BitReader in = reader;
    std::uint8_t* out = text_.end();
    bool more = true;
    while (more && out < full) {
      in.refill();
      const Code code = lengths_.find(in.peek());
      in.drop(code.bits);
      if (code.action == kLiteral) {
        *out++ = static_cast<std::uint8_t>(code.value);
      } else if (code.action == kBlockEnd) {
        more = false;
      } else {
        const unsigned length = with_extra_bits(code, in);
        const Code distance = distances_.find(in.peek());
        in.drop(distance.bits);
        out = copy_match(out, with_extra_bits(distance, in), length);
      }
    }
    text_.set_end(out);
    reader = in;
    return more;
  }

  static unsigned with_extra_bits(Code code, BitReader& in) {
    if (code.action >= kLiteral) throw Rejection("the zlib stream has an invalid code");
    return code.value + in.take(code.action);
  }

  std::uint8_t* copy_match(std::uint8_t* out, std::size_t distance, std::size_t length) {
    if (distance > static_cast<std::size_t>(out - text_.begin()) || distance > window_)
      throw Rejection("the zlib stream has a distance that is too far back");
    const std::uint8_t* const from = out - distance;
    if (distance >= kCopied) {
      for (std::size_t i = 0; i < length; i += kCopied) std::memcpy(out + i, from + i, kCopied);
    } else {
      for (std::size_t i = 0; i < length; ++i) out[i] = from[i];
    }
    return out + length;
  }

  // RFC 1950, 2.2: Adler-32 of the text, highest byte first, and then nothing more.
  void read_checksum() {
    const std::span<const std::uint8_t> rest = in_.rest();
    if (rest.size() < 4) throw Rejection("the zlib stream is truncated");
    if (rest.size() > 4) throw Rejection("bytes follow the zlib stream");
    std::uint32_t stored = 0;
    for (const std::uint8_t byte : rest) stored = stored << 8 | byte;
    if (stored != adler32()) throw Rejection("the zlib stream has a wrong checksum");
  }

  std::uint32_t adler32() {
    constexpr std::uint32_t kModulus = 65521;
    constexpr std::ptrdiff_t kBeforeOverflow = 5552;  // bytes that cannot overflow 32 bits
    std::uint32_t a = 1, b = 0;
    for (const std::uint8_t* at = text_.begin(); at != text_.end();) {
      const std::uint8_t* const stop = at + std::min(kBeforeOverflow, text_.end() - at);
      for (; at != stop; ++at) b += a += *at;
      a %= kModulus;
      b %= kModulus;
    }
    return b << 16 | a;
  }

  static constexpr std::size_t kChunk = 1 << 16;

  BitReader in_;
  Text text_;
  HuffmanCodes lengths_;
  HuffmanCodes distances_;
  std::size_t window_ = 0;
};

}  // namespace andorra::checker
