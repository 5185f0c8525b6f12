// Keys of positions: mixers that spread a packed position over 128 bits.
//
// Idea: where a position fits into 64 or 128 bits, mix it with bijections, so that different
// positions never share a key; where it does not, XOR one random number a stone (Zobrist 1970),
// with check bits that are secret (secret.hpp).
// Source: mix() is the output function of SplitMix64 (Steele, Lea, Flood 2014), remix() the 64-bit
// finaliser of MurmurHash3 (Appleby 2011). Both are bijections of 64-bit numbers.
// Invariant: everything here is a pure function of its arguments, on every machine.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "game.hpp"

namespace andorra {

inline constexpr std::uint64_t kGoldenGamma = 0x9e3779b97f4a7c15;

constexpr std::uint64_t mix(std::uint64_t x) {
  x += kGoldenGamma;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

constexpr std::uint64_t remix(std::uint64_t x) {
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccd;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53;
  return x ^ (x >> 33);
}

// Either half alone tells any two packed positions apart; only `board` has to look random.
constexpr Key exact_key(std::uint64_t packed) {
  return {mix(packed), packed};
}

// A bijection of 128 bits: `board` and `rest` give back b, and then a.
constexpr Key exact_key(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t board = mix(a ^ remix(b));
  return {board, remix(b ^ board)};
}

constexpr Key combined(Key a, Key b) {
  return {a.board ^ b.board, a.rest ^ b.rest};
}

template <std::size_t count>
constexpr std::array<Key, count> public_zobrist_keys(std::uint64_t seed) {
  std::array<Key, count> keys{};
  for (Key& key : keys) {
    key.board = mix(seed += kGoldenGamma);
    key.rest = mix(seed += kGoldenGamma);
  }
  return keys;
}

}  // namespace andorra
