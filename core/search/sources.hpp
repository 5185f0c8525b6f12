// Sources: marks children on df-pn's line that one position is counted through twice.
//
// The climb along parent pointers is in rules/double_count.hpp; here is what it means for frames.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "rules/double_count.hpp"
#include "rules/summation.hpp"
#include "search/frames.hpp"

namespace andorra {

class Sources {
 public:
  // `snda`: mark the two children that meet; otherwise all children (Nagai).
  Sources(Frames& frames, const Line& line, const Table& table, bool snda)
      : frames_(frames), line_(line), table_(table), snda_(snda) {}

  // The position is about to get a frame below the one on top; `known` is its entry, or null, and
  // `above_root` the number of positions on the line that have no frame. Sets the care's parent.
  void look_for(FrameCare& care, Key key, const Entry* known, std::size_t above_root) {
    if (frames_.empty()) return;
    const std::uint64_t parent = SourceDetection::pointer_to(frames_.top().key);
    care.parent = known != nullptr && known->parent != 0 ? known->parent : parent;
    if (care.parent == parent || !SourceDetection::worth_it(*known)) return;
    const auto on_line = [&](std::uint64_t board) { return line_.find_board(board); };
    const Source source = SourceDetection::find(table_, key.board, *known, on_line);
    if (source.depth != kRestsOnNothing && source.depth >= above_root)
      mark(source.depth - above_root, source.child);
  }

 private:
  void mark(std::size_t depth, std::uint64_t other_child) {
    const Frame& source = frames_[depth];
    const std::span<FrameChild> children = frames_.children(depth);
    const std::size_t count = std::min(children.size(), kMostMarked);
    std::size_t other = 0;
    while (other < count && frames_.extra(source, other).board != other_child) ++other;
    if (other == count || other == source.chosen || source.chosen >= count) return;
    MoveMask& doubled = frames_.care(depth).doubled;
    doubled |= snda_ ? MoveMask{1} << other | MoveMask{1} << source.chosen : ~MoveMask{0};
    for (std::size_t i = 0; i < count; ++i)
      if ((doubled >> i & 1) != 0) children[i].flags |= kDoubleCounted;
  }

  Frames& frames_;
  const Line& line_;
  const Table& table_;
  const bool snda_;
};

}  // namespace andorra
