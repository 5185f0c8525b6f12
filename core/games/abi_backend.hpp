// The backend over the game ABI (core/abi.h): rules given as C functions, from a shared library or
// compiled with Numba.
//
// Idea: states live in one arena that grows with the path, so nothing is allocated in steady state.
// `expand` writes its children at the arena's end; what stays is as many states as there are moves.
// Invariant: frames_ is the path; the children of a frame begin behind those of the frame before.
// Return values and statuses are checked on every call. What would cost too much is checked on the
// first 1000 expansions: that the state is left alone, move codes are unique, `describe` agrees
// with `expand`, and text reads back. Deviation: bytes written behind max_moves children cannot be
// seen, as always in C.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "games/abi_rules.hpp"
#include "games/state_key.hpp"
#include "games/user_game.hpp"

namespace andorra {

// Bytes that start at a multiple of 16 and keep their contents when they grow.
class StateArena {
 public:
  static constexpr std::size_t kAlignment = 16;

  static constexpr std::size_t aligned(std::size_t offset) {
    return (offset + kAlignment - 1) / kAlignment * kAlignment;
  }

  std::uint8_t* at(std::size_t offset) { return blocks_.front().bytes + offset; }
  const std::uint8_t* at(std::size_t offset) const { return blocks_.front().bytes + offset; }

  std::size_t bytes() const { return blocks_.capacity() * kAlignment; }

  void reserve(std::size_t bytes) {
    const std::size_t blocks = aligned(bytes) / kAlignment;
    if (blocks > blocks_.size()) blocks_.resize(std::max(blocks, 2 * blocks_.size()));
  }

 private:
  struct alignas(kAlignment) Block {
    std::uint8_t bytes[kAlignment];
  };
  std::vector<Block> blocks_ = std::vector<Block>(1);
};

class AbiBackend final : public Backend {
 public:
  // `owner` keeps alive what `rules` points to, functions included; null if the caller does.
  explicit AbiBackend(const andorra_rules_v1* rules, std::shared_ptr<const void> owner = nullptr)
      : rules_(rules),
        owner_(std::move(owner)),
        bytes_(rules_.c().state_bytes),
        moves_(rules_.c().max_moves),
        status_(rules_.c().max_moves) {}

  std::unique_ptr<Backend> clone() const override { return std::make_unique<AbiBackend>(*this); }
  std::string spec() const override { return rules_.spec(); }
  bool acyclic() const override { return (rules_.c().flags & ANDORRA_ACYCLIC) != 0; }
  bool can_draw() const override { return (rules_.c().flags & ANDORRA_NO_DRAWS) == 0; }

  Child reset() override { return restart(rules_.initial()); }
  Child reset(std::string_view text) override { return restart(rules_.parse(text)); }

  void expand(std::vector<Child>& children) override {
    Frame& top = frames_.back();
    top.children = StateArena::aligned(top.children);
    arena_.reserve(top.children + std::size_t{rules_.c().max_moves} * bytes_);
    const StateBytes before = checks_left_ > 0 ? state_on_top() : StateBytes();
    const std::size_t count = call_expand(top);
    top.end = top.children + count * bytes_;
    append(children, count);
    if (checks_left_ > 0) check_closely(before, count);
  }

  void push(std::size_t child) override {
    const Frame& top = frames_.back();
    frames_.push_back({top.children + child * bytes_, top.end, top.end});
  }

  void pop() override { frames_.pop_back(); }
  std::size_t bytes() const override { return arena_.bytes() + frames_.capacity() * sizeof(Frame); }

  std::string format() override { return rules_.format(top_state()); }

  std::string format_move(std::span<const Child> children, std::size_t child) override {
    return rules_.format_move(top_state(), children[child].move);
  }

  std::size_t parse_move(std::span<const Child> children, std::string_view text) override {
    std::size_t found = children.size();
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (format_move(children, i) != text) continue;
      if (found < children.size()) ambiguous(text);
      found = i;
    }
    if (found == children.size()) illegal(children, text);
    return found;
  }

 private:
  static constexpr int kCheckedExpansions = 1000;

  // Offsets in the arena: of the state, of its children, and of the first byte behind them.
  struct Frame {
    std::size_t state = 0;
    std::size_t children = 0;
    std::size_t end = 0;
  };

  const std::uint8_t* top_state() const { return arena_.at(frames_.back().state); }
  StateBytes state_on_top() const { return {top_state(), top_state() + bytes_}; }

  Child restart(const StateBytes& state) {
    const Child root = child("describe", state.data(), 0, rules_.describe(state.data()));
    rules_.check_text(state.data());
    arena_.reserve(bytes_);
    std::memcpy(arena_.at(0), state.data(), bytes_);
    frames_.assign(1, Frame{0, bytes_, bytes_});
    return root;
  }

  std::size_t call_expand(const Frame& top) {
    const std::int32_t result = rules_.c().expand(arena_.at(top.state), arena_.at(top.children),
                                                  moves_.data(), status_.data());
    if (result <= 0) rules_.failed("expand", top_state());
    const std::size_t count = static_cast<std::size_t>(result) - 1;
    if (count > moves_.size()) too_many(count);
    return count;
  }

  void append(std::vector<Child>& children, std::size_t count) {
    const std::uint8_t* state = arena_.at(frames_.back().children);
    const std::size_t first = children.size();
    children.resize(first + count);
    Child* out = children.data() + first;
    for (std::size_t i = 0; i < count; ++i, state += bytes_)
      out[i] = child("expand", state, moves_[i], status_[i]);
  }

  Child child(const char* rule, const std::uint8_t* state, std::uint32_t move,
              std::uint8_t status) const {
    if (status > ANDORRA_STATUS(1, ANDORRA_DRAW)) bad_status(rule, state, status);
    return {state_key(state, bytes_), move, static_cast<Side>(status & 1),
            static_cast<Outcome>(status >> 1)};
  }

  void check_closely(const StateBytes& before, std::size_t count) {
    --checks_left_;
    if (before != state_on_top()) rules_.broken("expand", "changed its input", before.data());
    check_codes(count);
    check_statuses(count);
    rules_.check_text(top_state());
  }

  void check_codes(std::size_t count) const {
    std::vector<std::uint32_t> codes(moves_.begin(), moves_.begin() + static_cast<int>(count));
    std::sort(codes.begin(), codes.end());
    const auto twice = std::adjacent_find(codes.begin(), codes.end());
    if (twice != codes.end())
      rules_.broken("expand", "gave the move code " + std::to_string(*twice) + " twice",
                    top_state());
  }

  void check_statuses(std::size_t count) const {
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint8_t* state = arena_.at(frames_.back().children + i * bytes_);
      const std::uint8_t status = rules_.describe(state);
      if (status != status_[i])
        rules_.broken("describe",
                      "gave status " + std::to_string(status) + ", 'expand' gave " +
                          std::to_string(status_[i]) + ",",
                      state);
    }
  }

  [[noreturn]] void too_many(std::size_t count) const {
    rules_.broken("expand",
                  "returned " + std::to_string(count + 1) + ", expected at most 1 + " +
                      std::to_string(moves_.size()) + " (max_moves)",
                  top_state());
  }

  [[noreturn]] void bad_status(const char* rule, const std::uint8_t* state,
                               std::uint8_t status) const {
    rules_.broken(rule, "gave status " + std::to_string(status) + ", expected 0 to 7,", state);
  }

  [[noreturn]] void ambiguous(std::string_view text) const {
    rules_.broken("format_move", "wrote '" + std::string(text) + "' for two moves", top_state());
  }

  [[noreturn]] void illegal(std::span<const Child> children, std::string_view text) {
    std::string legal;
    for (std::size_t i = 0; i < children.size(); ++i) legal += ' ' + format_move(children, i);
    throw PositionError("'" + std::string(text) + "' is no legal move in '" + format() +
                        "'; legal:" + legal);
  }

  AbiRules rules_;
  std::shared_ptr<const void> owner_;
  std::size_t bytes_;  // of a state
  StateArena arena_;
  std::vector<Frame> frames_;         // the path; never empty after reset
  std::vector<std::uint32_t> moves_;  // scratch of expand
  std::vector<std::uint8_t> status_;  // scratch of expand
  int checks_left_ = kCheckedExpansions;
};

}  // namespace andorra
