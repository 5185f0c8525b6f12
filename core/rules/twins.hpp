// Twins: disproofs that hold on one path only, kept for that path.
//
// Idea: a disproof that rests on a repetition above its node must not be stored for the position,
// but it holds whenever the position is reached by the same path again. A path is known by a code:
// the XOR of a random number for each position on it and its ply. The position's own table entry,
// the base, keeps the numbers that all paths share, which start again from 1.
// Source: Kishimoto & Müller 2004 (base and twin entries, path codes); their codes are of moves and
// plies, ours of positions and plies, which are known without asking the game. With ghi=paths only
// the same path is served, which is the separate repetition table of current solvers; with
// ghi=base-twin other paths try the stored moves too (rules/simulation.hpp).
// Invariant: a twin says on which depth of its line the disproof rests; the same code means the
// same line, so the depth still holds. Codes that anybody could solve for would let a disproof
// serve a path that it does not hold on; so a code has two halves, a public one that chooses a
// twin's set, and a secret one that it is known by (secret.hpp). Sets of four; the twin that was
// not used for longest goes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "game.hpp"
#include "mix.hpp"
#include "rules/repetition.hpp"
#include "secret.hpp"
#include "table/reserved.hpp"

namespace andorra {

struct PathCode {
  std::uint64_t place = 0;
  std::uint64_t check = 0;
  friend bool operator==(const PathCode&, const PathCode&) = default;
};

inline const std::array<std::uint64_t, 3> kSecretsOfPaths = {
    Secret::of(0x70617468, 0), Secret::of(0x70617468, 1), Secret::of(0x70617468, 2)};

// A random number for a position and its ply, from secrets that are in both factors.
inline std::uint64_t secret_code(Key position, std::uint64_t ply) {
  const auto& [one, two, three] = kSecretsOfPaths;
  const auto product = static_cast<unsigned __int128>(position.board ^ one) * (position.rest ^ two);
  const auto upper = static_cast<std::uint64_t>(product >> 64);
  return mix(mix(static_cast<std::uint64_t>(product) ^ upper ^ three) ^ (ply * kGoldenGamma));
}

// The code of a path, after the position at `ply` was added to it (or taken away).
inline PathCode with_position(PathCode path, Key position, std::uint64_t ply) {
  const Key known = public_part(position);
  std::uint64_t x =
      known.board ^ (known.rest * 0xbf58476d1ce4e5b9ULL) ^ ((ply + 1) * 0x9e3779b97f4a7c15ULL);
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return {path.place ^ x ^ (x >> 31), path.check ^ secret_code(position, ply)};
}

class Twins {
 public:
  explicit Twins(std::size_t bytes)
      : sets_(std::max<std::size_t>(1, bytes / sizeof(Set))), memory_(sets_) {}

  void add(Key key, PathCode path, Depth rests_on) {
    Set& set = set_of(key, path);
    Twin* place = &set.twins[0];
    for (Twin& twin : set.twins) {
      if (is(twin, key, path)) return use(set, twin);
      if (twin.used < place->used) place = &twin;
    }
    if (place->used == 0) used_bytes_ += sizeof(Twin);
    *place = {key.board, mixed(key, path), rests_on, 0};
    use(set, *place);
  }

  // The depth that the position's disproof on this path rests on, or kRestsOnNothing without one.
  Depth find(Key key, PathCode path) {
    Set& set = set_of(key, path);
    for (Twin& twin : set.twins) {
      if (!is(twin, key, path)) continue;
      use(set, twin);
      return twin.rests_on;
    }
    return kRestsOnNothing;
  }

  std::size_t bytes() const { return used_bytes_; }

 private:
  struct Twin {
    std::uint64_t board;
    std::uint64_t path;  // mixed with the rest of the key
    Depth rests_on;
    std::uint32_t used;  // when; 0: the place is empty
  };

  struct Set {
    Twin twins[4];
    std::uint32_t now;
  };

  static std::uint64_t mixed(Key key, PathCode path) {
    return path.check ^ (key.rest * 0x94d049bb133111ebULL);
  }

  static bool is(const Twin& twin, Key key, PathCode path) {
    return twin.used != 0 && twin.board == key.board && twin.path == mixed(key, path);
  }

  static void use(Set& set, Twin& twin) { twin.used = ++set.now; }

  Set& set_of(Key key, PathCode path) {
    const std::uint64_t code = ((key.board & kPublicInBoard) ^ path.place) * kGoldenGamma;
    return memory_[static_cast<std::size_t>((static_cast<unsigned __int128>(code) * sets_) >> 64)];
  }

  std::size_t sets_;
  std::size_t used_bytes_ = 0;
  Reserved<Set> memory_;
};

}  // namespace andorra
