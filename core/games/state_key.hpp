// The 128-bit key of a state that is given as bytes.
//
// Idea: the two halves of the key absorb 16 bytes at a time and go through a mixing step after
// each. Every operation of the step can be undone (odd multipliers, xor with a shifted or rotated
// half), so the step is a permutation of 128 bits. Invariant: states of up to 16 bytes, all of one
// length, never collide. Longer ones collide if one block cancels the difference that another one
// has left, for which anybody can solve; therefore these keys get secret check bits. Deviation:
// bytes are read in the machine's order, in which compiled games write their states too.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "game.hpp"
#include "mix.hpp"
#include "secret.hpp"

namespace andorra {

// Two rounds are enough that every bit of a state flips every bit of the key with a chance of one
// half.
constexpr Key mixed(Key key) {
  constexpr std::uint64_t kOdd[] = {0x9E3779B97F4A7C15u, 0xD6E8FEB86659FD93u};
  for (const std::uint64_t odd : kOdd) {
    key.board = (key.board ^ (key.board >> 32)) * odd;
    key.rest ^= std::rotl(key.board, 32);
    key.rest = (key.rest ^ (key.rest >> 29)) * odd;
    key.board ^= std::rotl(key.rest, 31);
  }
  return key;
}

// For up to 16 bytes, which is most games: a bijection again, because `rest` gives back one word
// and `board` then the other. Only `board` has to look random.
constexpr Key short_key(std::uint64_t first, std::uint64_t second) {
  return {mix(first ^ std::rotl(second * kGoldenGamma, 32)), second};
}

// Whole blocks are copied by a constant size, which is much faster than the same by a variable.
inline Key state_key(const std::uint8_t* state, std::size_t bytes) {
  constexpr std::size_t kBlock = 16;
  const std::uint8_t* const start = state;
  const std::size_t length = bytes;
  Key key{0x243F6A8885A308D3u, 0x13198A2E03707344u};
  std::uint64_t words[2] = {0, 0};
  if (bytes == kBlock) {
    std::memcpy(words, state, kBlock);
    return short_key(words[0], words[1]);
  }
  for (; bytes >= kBlock; bytes -= kBlock, state += kBlock) {
    std::memcpy(words, state, kBlock);
    key = mixed({key.board ^ words[0], key.rest ^ words[1]});
  }
  if (bytes > 0) {
    words[0] = words[1] = 0;
    std::memcpy(words, state, bytes);
    key = mixed({key.board ^ words[0], key.rest ^ words[1]});
  }
  return length < kBlock ? key : with_check(key, StateCheck::of(start, length));
}

}  // namespace andorra
