// Frames: the nodes of df-pn's current line, each with the numbers of all its children.
//
// Idea: three stacks that grow and shrink together: the frames, what some rules keep beside a frame
// (its care), and the children of all frames, one after the other. Plain searches have no cares and
// no extras, because small frames are fast.
// Invariant: children of the frame on top are the last ones; with `extras`, there is one a child.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bounds.hpp"
#include "game.hpp"
#include "rules/double_count.hpp"
#include "rules/repetition.hpp"
#include "rules/threshold.hpp"
#include "rules/twins.hpp"
#include "search/arena.hpp"

namespace andorra {

struct FrameChild {
  Number numbers[2];
  Move move;
  Depth rests_on : kDepthBits;
  unsigned flags : 32 - kDepthBits;  // kOldChild, kDoubleCounted, kUnseen

  bool open() const { return numbers[kPn] != 0 && numbers[kDn] != 0; }
  void set(Bounds bounds) {
    numbers[kPn] = bounds.pn;
    numbers[kDn] = bounds.dn;
  }
};

// Kept beside a child only where a rule asks for it.
struct ChildExtra {
  std::uint64_t board;  // the upper half of the key
  std::uint32_t group;
  Resources solution;  // what its solution takes
};

struct Frame {
  Thresholds thresholds;
  Key key;
  std::uint64_t nodes_before;  // for the work below
  std::uint32_t work_before;
  std::uint32_t first;  // of its children
  std::uint32_t chosen = 0;
  unsigned phi;  // kPn at OR nodes, kDn at AND nodes
  // Of an agent's frame (search/shared_frames.hpp): it looks there at what others do; the team
  // counts it there.
  bool shared = false;
  bool counted = false;
};

// Kept beside a frame only where a rule asks for it.
struct FrameCare {
  std::uint16_t distance = 0;
  bool raised = false;     // TCA raises thresholds here and below
  std::uint8_t flags = 0;  // for its entry
  Number weight = 1;       // of weak sums
  Wide increment = 1;      // of thresholds
  PathCode path;           // with its own position
  MoveMask doubled = 0;    // children that count once
  std::uint64_t parent = 0;
};

class Frames {
 public:
  bool empty() const { return frames_.empty(); }
  std::size_t size() const { return frames_.size(); }
  Frame& top() { return frames_.back(); }
  const Frame& top() const { return frames_.back(); }
  Frame& operator[](std::size_t i) { return frames_[i]; }
  const Frame& operator[](std::size_t i) const { return frames_[i]; }

  bool has_cares() const { return !cares_.empty(); }
  FrameCare& care() { return cares_.back(); }
  const FrameCare& care() const { return cares_.back(); }
  FrameCare& care(std::size_t i) { return cares_[i]; }
  void add_care(const FrameCare& care) { cares_.push_back(care); }

  Frame& open() {
    Frame& frame = frames_.emplace_back();
    frame.first = static_cast<std::uint32_t>(children_.size());
    return frame;
  }

  void close() {
    children_.resize(top().first);
    extras_.resize(std::min<std::size_t>(extras_.size(), top().first));
    frames_.pop_back();
    if (!cares_.empty()) cares_.pop_back();
  }

  // Children are written into what reserve() gives, and belong to the frame on top with keep().
  FrameChild* reserve(std::size_t count) { return children_.reserve(count); }
  void keep(std::size_t count) { children_.resize(children_.size() + count); }

  std::span<FrameChild> children() { return children_.from(top().first); }
  std::span<FrameChild> children(std::size_t i) {
    const std::size_t end = i + 1 < size() ? frames_[i + 1].first : children_.size();
    return children_.between(frames_[i].first, end);
  }
  // The child that the frame on top is for.
  const FrameChild& child_above_top() {
    const Frame& parent = frames_[frames_.size() - 2];
    return children_[parent.first + parent.chosen];
  }
  FrameChild& chosen() { return children_[top().first + top().chosen]; }

  // One a child of the frame on top.
  std::span<ChildExtra> add_extras(std::size_t count) {
    extras_.reserve(count);
    extras_.resize(top().first + count);
    return extras_.from(top().first);
  }
  ChildExtra& extra(const Frame& frame, std::size_t child) { return extras_[frame.first + child]; }

  std::size_t bytes() const {
    return frames_.capacity() * sizeof(Frame) + cares_.capacity() * sizeof(FrameCare) +
           children_.bytes() + extras_.bytes();
  }

 private:
  std::vector<Frame> frames_;
  std::vector<FrameCare> cares_;
  Arena<FrameChild> children_;
  Arena<ChildExtra> extras_;
};

}  // namespace andorra
