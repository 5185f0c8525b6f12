// A set of up to 128 cells, for boards that one 64-bit word does not hold.
#pragma once

#include <bit>
#include <cstdint>

namespace andorra {

struct CellSet {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  static constexpr CellSet of(unsigned cell) {
    const std::uint64_t bit = std::uint64_t{1} << (cell & 63);
    return cell < 64 ? CellSet{bit, 0} : CellSet{0, bit};
  }

  constexpr bool any() const { return (low | high) != 0; }
  constexpr bool has(unsigned cell) const { return ((cell < 64 ? low : high) >> (cell & 63)) & 1; }
  constexpr int count() const { return std::popcount(low) + std::popcount(high); }

  // Takes the lowest cell out; the set must not be empty.
  constexpr unsigned pop() {
    std::uint64_t& word = low != 0 ? low : high;
    const unsigned cell = static_cast<unsigned>(std::countr_zero(word)) + (low != 0 ? 0 : 64);
    word &= word - 1;
    return cell;
  }

  friend constexpr CellSet operator|(CellSet a, CellSet b) {
    return {a.low | b.low, a.high | b.high};
  }
  friend constexpr CellSet operator&(CellSet a, CellSet b) {
    return {a.low & b.low, a.high & b.high};
  }
  friend constexpr CellSet operator-(CellSet a, CellSet b) {
    return {a.low & ~b.low, a.high & ~b.high};
  }
  friend constexpr bool operator==(const CellSet&, const CellSet&) = default;
};

}  // namespace andorra
