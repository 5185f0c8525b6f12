// The backend over a Python object: a user's rules behind andorra.user_game.PythonBackend.
//
// Idea: one call of Python a node. The object offers
//   spec: str, acyclic: bool, can_draw: bool
//   initial() -> node          parse(text) -> node          expand(state) -> list of nodes
//   format(state) -> str       parse_move(state, text) -> int, the index in the expansion
// where a node is a tuple (state, move text, key: 16 bytes, side: 0 or 1, outcome: 0 to 3).
// Invariant: Python objects are held for the path and its children only. Every function takes the
// interpreter lock itself, so a search may run with or without it.
// Errors in Python propagate as they are (nb::python_error); the Python side has already made
// RuleError of what a rule raised, so that interrupts stay interrupts.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bind/interrupts.hpp"
#include "games/user_game.hpp"

namespace andorra {

class PythonBackend final : public Backend {
 public:
  explicit PythonBackend(nanobind::object rules)
      : rules_(std::move(rules)),
        spec_(text_of(rules_.attr("spec"))),
        acyclic_(nanobind::cast<bool>(rules_.attr("acyclic"))),
        can_draw_(nanobind::cast<bool>(rules_.attr("can_draw"))) {}

  PythonBackend(const PythonBackend& other)
      : PythonBackend(other, nanobind::gil_scoped_acquire()) {}
  PythonBackend& operator=(const PythonBackend&) = delete;

  ~PythonBackend() override {
    const nanobind::gil_scoped_acquire lock;
    frames_.clear();
    rules_.reset();
  }

  std::unique_ptr<Backend> clone() const override { return std::make_unique<PythonBackend>(*this); }
  std::string spec() const override { return spec_; }
  bool acyclic() const override { return acyclic_; }
  bool can_draw() const override { return can_draw_; }
  bool in_parallel() const override { return false; }  // the interpreter runs one call at a time

  Child reset() override {
    const nanobind::gil_scoped_acquire lock;
    return restart(rules_.attr("initial")());
  }

  Child reset(std::string_view text) override {
    const nanobind::gil_scoped_acquire lock;
    return restart(rules_.attr("parse")(nanobind::str(text.data(), text.size())));
  }

  void expand(std::vector<Child>& children) override {
    const nanobind::gil_scoped_acquire lock;
    Frame& top = frames_.back();
    nodes_ -= nanobind::len(top.children);
    top.children = nanobind::list(call("expand", top.state));
    nodes_ += nanobind::len(top.children);
    for (const nanobind::handle node : top.children) children.push_back(child_of(node));
  }

  void push(std::size_t child) override {
    const nanobind::gil_scoped_acquire lock;
    frames_.push_back({nanobind::object(frames_.back().children[child][kState]), {}});
  }

  void pop() override {
    const nanobind::gil_scoped_acquire lock;
    nodes_ -= nanobind::len(frames_.back().children);
    frames_.pop_back();
  }

  // Python's objects have no size that can be asked for; a node is taken as a few small ones.
  std::size_t bytes() const override {
    constexpr std::size_t kNode = 512;
    return nodes_ * kNode;
  }

  std::string format() override {
    const nanobind::gil_scoped_acquire lock;
    return text_of(call("format", frames_.back().state));
  }

  std::string format_move(std::span<const Child>, std::size_t child) override {
    const nanobind::gil_scoped_acquire lock;
    return text_of(frames_.back().children[child][kMove]);
  }

  std::size_t parse_move(std::span<const Child>, std::string_view text) override {
    const nanobind::gil_scoped_acquire lock;
    return nanobind::cast<std::size_t>(
        rules_.attr("parse_move")(frames_.back().state, nanobind::str(text.data(), text.size())));
  }

 private:
  // The fields of a node.
  static constexpr int kState = 0, kMove = 1, kKey = 2, kSide = 3, kOutcome = 4;

  struct Frame {
    nanobind::object state;
    nanobind::list children;  // nodes
  };

  // The lock is held until the members are copied.
  PythonBackend(const PythonBackend& other, const nanobind::gil_scoped_acquire&)
      : Backend(other),
        rules_(other.rules_),
        spec_(other.spec_),
        acyclic_(other.acyclic_),
        can_draw_(other.can_draw_),
        frames_(other.frames_),
        nodes_(other.nodes_) {}

  nanobind::object call(const char* rule, const nanobind::object& state) {
    try {
      return rules_.attr(rule)(state);
    } catch (const nanobind::python_error& error) {
      end_or_rethrow(error);
    }
  }

  Child restart(const nanobind::object& node) {
    const Child root = child_of(node);
    frames_.clear();
    nodes_ = 0;
    frames_.push_back({nanobind::object(node[kState]), {}});
    return root;
  }

  // The code of a move is a hash of its text: enough to see that a list of moves has changed.
  static Child child_of(nanobind::handle node) {
    const std::string move = text_of(node[kMove]);
    const auto code = static_cast<std::uint32_t>(std::hash<std::string>()(move));
    return {key_of(node[kKey]), code, static_cast<Side>(nanobind::cast<std::uint8_t>(node[kSide])),
            static_cast<Outcome>(nanobind::cast<std::uint8_t>(node[kOutcome]))};
  }

  static Key key_of(nanobind::handle object) {
    const auto bytes = nanobind::cast<nanobind::bytes>(object);
    if (bytes.size() != sizeof(Key)) throw RuleError("a key must have 16 bytes");
    Key key;
    std::memcpy(&key, bytes.data(), sizeof(Key));
    return key;
  }

  static std::string text_of(nanobind::handle object) {
    return nanobind::cast<nanobind::str>(object).c_str();
  }

  nanobind::object rules_;
  std::string spec_;
  bool acyclic_;
  bool can_draw_;
  std::vector<Frame> frames_;  // the path; never empty after reset
  std::size_t nodes_ = 0;      // children held by the frames
};

}  // namespace andorra
