// Novelty: does a search still find positions that it has never seen?
//
// Idea: the table cannot tell once it has forgotten, and an exact set would need memory without
// end. So positions are sketched as for counting distinct ones: of the keys that share their low
// bits, remember the longest run of leading zeros. A position seen before changes nothing; among n
// different positions, a new one changes something with a chance of about 2,900 in n.
// Source: HyperLogLog (Flajolet, Fusy, Gandouet, Meunier 2007), whose registers these are.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "game.hpp"

namespace andorra {

class Novelty {
 public:
  // True if the sketch changes: the position is certainly new. False says nothing.
  bool add(Key key) {
    std::uint8_t& longest = longest_[place_bits(key.board) % longest_.size()];
    const auto zeros = static_cast<std::uint8_t>(std::countl_zero(key.board & kPublicInBoard) + 1);
    if (zeros <= longest) return false;
    longest = zeros;
    return true;
  }

 private:
  std::array<std::uint8_t, 4096> longest_{};
};

}  // namespace andorra
