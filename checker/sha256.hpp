// SHA-256, for the digest at the end of a certificate.
//
// Source: FIPS 180-4, sections 4.1.2 (functions), 4.2.2 (constants), 5.1.1 (padding), 6.2 (rounds);
// names follow it. Deviation: the whole message is in memory, so there is no streaming interface.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

namespace andorra::checker {

class Sha256 {
 public:
  using Bytes = std::span<const std::uint8_t>;

  // The digest of `message` as 64 lower-case hexadecimal digits.
  static std::string hex(Bytes message) {
    Sha256 hash;
    const std::size_t whole = message.size() / kBlock * kBlock;
    for (std::size_t at = 0; at < whole; at += kBlock) hash.add_block(message.data() + at);
    hash.add_padded(message.subspan(whole), message.size());
    return hash.digits();
  }

 private:
  using Word = std::uint32_t;
  static constexpr std::size_t kBlock = 64;

  static constexpr std::array<Word, 64> kRound = {
      0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
      0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
      0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
      0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
      0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
      0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
      0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
      0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
      0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
      0xc67178f2};

  static Word choose(Word x, Word y, Word z) { return (x & y) ^ (~x & z); }
  static Word majority(Word x, Word y, Word z) { return (x & y) ^ (x & z) ^ (y & z); }
  static Word sum0(Word x) { return std::rotr(x, 2) ^ std::rotr(x, 13) ^ std::rotr(x, 22); }
  static Word sum1(Word x) { return std::rotr(x, 6) ^ std::rotr(x, 11) ^ std::rotr(x, 25); }
  static Word sigma0(Word x) { return std::rotr(x, 7) ^ std::rotr(x, 18) ^ (x >> 3); }
  static Word sigma1(Word x) { return std::rotr(x, 17) ^ std::rotr(x, 19) ^ (x >> 10); }

  static std::array<Word, 64> schedule(const std::uint8_t* block) {
    std::array<Word, 64> w;
    for (std::size_t t = 0; t < 16; ++t) {
      const std::uint8_t* byte = block + 4 * t;
      w[t] = Word{byte[0]} << 24 | Word{byte[1]} << 16 | Word{byte[2]} << 8 | Word{byte[3]};
    }
    for (std::size_t t = 16; t < 64; ++t)
      w[t] = sigma1(w[t - 2]) + w[t - 7] + sigma0(w[t - 15]) + w[t - 16];
    return w;
  }

  void add_block(const std::uint8_t* block) {
    const std::array<Word, 64> w = schedule(block);
    auto [a, b, c, d, e, f, g, h] = state_;
    for (std::size_t t = 0; t < 64; ++t) {
      const Word t1 = h + sum1(e) + choose(e, f, g) + kRound[t] + w[t];
      const Word t2 = sum0(a) + majority(a, b, c);
      h = g, g = f, f = e, e = d + t1;
      d = c, c = b, b = a, a = t1 + t2;
    }
    const std::array<Word, 8> added = {a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < added.size(); ++i) state_[i] += added[i];
  }

  // `rest` is shorter than a block; the bit 1, zeros and the length in bits fill one block or two.
  void add_padded(Bytes rest, std::uint64_t message_bytes) {
    std::array<std::uint8_t, 2 * kBlock> padded{};
    if (!rest.empty()) std::memcpy(padded.data(), rest.data(), rest.size());
    padded[rest.size()] = 0x80;
    const std::size_t size = rest.size() + 9 <= kBlock ? kBlock : 2 * kBlock;
    for (std::size_t i = 0; i < 8; ++i)
      padded[size - 1 - i] = static_cast<std::uint8_t>(message_bytes * 8 >> (8 * i));
    for (std::size_t at = 0; at < size; at += kBlock) add_block(padded.data() + at);
  }

  std::string digits() const {
    std::string text;
    for (const Word word : state_)
      for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[word >> shift & 15];
    return text;
  }

  std::array<Word, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
};

}  // namespace andorra::checker
