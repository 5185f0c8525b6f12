// Virtual numbers: agents spread by counting each other.
//
// Idea: the numbers of a child that others are below will grow, about by one for each of them. Who
// adds that beforehand goes elsewhere as soon as another child is about as good, and follows the
// others where no other child is.
// Source: Kaneko 2010, figure 3 and section 4. Deviations: only open children get virtual numbers,
// and only nodes with kLeastWork visits below them are shared; he has them everywhere. Of a child's
// two numbers only the one that it is chosen by gets virtual: the other adds up to what is left of
// the parent's threshold, and that is one for real numbers.
#pragma once

#include <cstdint>

#include "bounds.hpp"
#include "search/frames.hpp"
#include "search/presence.hpp"

namespace andorra {

struct VirtualNumbers {
  static constexpr std::uint64_t kLeastWork = 64;

  // `phi` is that of the parent, whose mover chooses by that number.
  static void see(FrameChild& child, unsigned phi, Key key, const Presence& presence) {
    const std::uint32_t agents = presence.below(presence.of(key));
    child.numbers[phi] = capped(Wide{child.numbers[phi]} + agents);
  }
};

}  // namespace andorra
