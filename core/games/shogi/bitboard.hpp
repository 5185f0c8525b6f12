// Sets of squares: 81 bits, one a square.
#pragma once

#include <bit>
#include <cstdint>

#include "games/shogi/pieces.hpp"

namespace andorra::shogi {

using Bits = unsigned __int128;

constexpr Bits bit(Square square) {
  return Bits{1} << square;
}

constexpr bool has(Bits bits, Square square) {
  return (bits >> square & 1) != 0;
}

constexpr Square lowest(Bits bits) {
  const auto low = static_cast<std::uint64_t>(bits);
  const auto high = static_cast<std::uint64_t>(bits >> 64);
  return low != 0 ? std::countr_zero(low) : 64 + std::countr_zero(high);
}

constexpr Square highest(Bits bits) {
  const auto low = static_cast<std::uint64_t>(bits);
  const auto high = static_cast<std::uint64_t>(bits >> 64);
  return high != 0 ? 127 - std::countl_zero(high) : 63 - std::countl_zero(low);
}

constexpr Square take_lowest(Bits& bits) {
  const Square square = lowest(bits);
  bits &= bits - 1;
  return square;
}

constexpr bool is_single(Bits bits) {
  return bits != 0 && (bits & (bits - 1)) == 0;
}

inline int size(Bits bits) {
  return std::popcount(static_cast<std::uint64_t>(bits)) +
         std::popcount(static_cast<std::uint64_t>(bits >> 64));
}

}  // namespace andorra::shogi
