// Secret bits of keys: why nobody can make two positions look alike to a search on purpose.
//
// Idea: a key that is a hash can be solved. Keys that XOR random numbers are linear, so whoever
// knows these numbers finds two boards with one key by Gaussian elimination and a generalised
// birthday search (Wagner 2002), in minutes. Therefore 56 bits of each such key, its check bits
// (Key in game.hpp), come from numbers that each process draws for itself. The other bits, which
// choose places in tables and the order of things, are the same in all processes: so node counts
// are, too.
// Source: SipHash-2-4 (Aumasson & Bernstein 2012), here of two words, makes numbers that cannot be
// foreseen from a secret of 128 bits. Hashing by a secret sum of products is universal (Carter &
// Wegman 1979): two states of one length that differ meet with a chance of 2^-61, and 2^-56 is left
// after the cut to the check bits.
// Invariant: nothing that a user can see depends on the secret, but for collisions.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>

#include "game.hpp"
#include "mix.hpp"

namespace andorra {

class Secret {
 public:
  // A number for x that is always the same in this process and unknown outside of it. Whoever needs
  // numbers has a purpose of its own.
  static std::uint64_t of(std::uint64_t purpose, std::uint64_t x) {
    const Secret& secret = of_process();
    State v{secret.first_ ^ 0x736f6d6570736575, secret.second_ ^ 0x646f72616e646f6d,
            secret.first_ ^ 0x6c7967656e657261, secret.second_ ^ 0x7465646279746573};
    constexpr std::uint64_t kLength = std::uint64_t{sizeof purpose + sizeof x} << 56;
    for (const std::uint64_t word : {purpose, x, kLength}) {
      v[3] ^= word;
      rounds(v, 2);
      v[0] ^= word;
    }
    v[2] ^= 0xff;
    rounds(v, 4);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
  }

 private:
  using State = std::array<std::uint64_t, 4>;

  Secret() : first_(drawn()), second_(drawn()) {}

  static const Secret& of_process() {
    static const Secret secret;
    return secret;
  }

  static std::uint64_t drawn() {
    std::random_device device;
    const std::uint64_t upper = device();
    return upper << 32 | device();
  }

  static void rounds(State& v, int count) {
    while (count-- > 0) {
      v[0] += v[1];
      v[2] += v[3];
      v[1] = std::rotl(v[1], 13) ^ v[0];
      v[3] = std::rotl(v[3], 16) ^ v[2];
      v[0] = std::rotl(v[0], 32);
      v[2] += v[1];
      v[0] += v[3];
      v[1] = std::rotl(v[1], 17) ^ v[2];
      v[3] = std::rotl(v[3], 21) ^ v[0];
      v[2] = std::rotl(v[2], 32);
    }
  }

  std::uint64_t first_;
  std::uint64_t second_;
};

// The upper 56 bits of a number, where a key has its check bits.
constexpr Key check_bits(std::uint64_t number) {
  return {number >> 40, number << 24 & ~kPublicInRest};
}

// The key with secret check bits in place of its own.
constexpr Key with_check(Key key, Key check) {
  return {(key.board & kPublicInBoard) | check.board, (key.rest & kPublicInRest) | check.rest};
}

// A random number for each of so many things that a position may have: public bits by a seed, and
// secret check bits.
template <std::size_t count>
std::array<Key, count> zobrist_keys(std::uint64_t seed) {
  std::array<Key, count> keys = public_zobrist_keys<count>(seed);
  for (std::size_t i = 0; i < count; ++i)
    keys[i] = with_check(keys[i], check_bits(Secret::of(seed, i)));
  return keys;
}

// Secret check bits of states that are given as bytes: the sum of their words, each times a secret
// number, modulo the prime 2^61 - 1. All states that are compared have the same length.
class StateCheck {
 public:
  static constexpr std::size_t kMostBytes = 4096;

  static Key of(const std::uint8_t* state, std::size_t bytes) {
    unsigned __int128 sum = 0;
    const std::uint64_t* factor = factors().data();
    std::uint32_t word = 0;
    for (; bytes >= sizeof word; bytes -= sizeof word, state += sizeof word) {
      std::memcpy(&word, state, sizeof word);
      sum += static_cast<unsigned __int128>(*factor++) * word;
    }
    word = 0;
    if (bytes > 0) std::memcpy(&word, state, bytes);
    sum += static_cast<unsigned __int128>(*factor) * word;
    return check_bits(modulo_prime(sum) << kSpare);
  }

 private:
  static constexpr int kBits = 61;
  static constexpr int kSpare = 64 - kBits;
  static constexpr std::uint64_t kPrime = (std::uint64_t{1} << kBits) - 1;
  static constexpr std::uint64_t kPurpose = 0x7374617465;

  using Factors = std::array<std::uint64_t, kMostBytes / sizeof(std::uint32_t) + 1>;

  static std::uint64_t modulo_prime(unsigned __int128 sum) {
    sum = (sum & kPrime) + (sum >> kBits);
    const auto twice =
        static_cast<std::uint64_t>(sum & kPrime) + static_cast<std::uint64_t>(sum >> kBits);
    return twice >= kPrime ? twice - kPrime : twice;
  }

  static const Factors& factors() {
    static const Factors all = [] {
      Factors made{};
      for (std::size_t i = 0; i < made.size(); ++i) made[i] = Secret::of(kPurpose, i) % kPrime;
      return made;
    }();
    return all;
  }
};

}  // namespace andorra
