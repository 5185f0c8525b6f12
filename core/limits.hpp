// Limits on a search, and the monitor that tells a search to stop.
//
// Idea: the search step asks `stop(nodes)` at every visit, which is one comparison; clocks, signals
// and the tracer are looked at once in kPollInterval visits. The limit on nodes is exact, so runs
// with one thread are repeatable.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <functional>
#include <limits>
#include <string_view>
#include <utility>

#include "tracer.hpp"

namespace andorra {

struct Limits {
  std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();
  double seconds = std::numeric_limits<double>::infinity();  // of wall-clock time
  std::size_t memory = std::size_t{1} << 30;  // bytes, for all that a search allocates
};

// What ended a search that has no answer.
enum class Limit { none, nodes, seconds, memory, interrupted, no_progress };

constexpr std::string_view name(Limit limit) {
  constexpr std::string_view kNames[] = {"",       "nodes",       "seconds",
                                         "memory", "interrupted", "no progress"};
  return kNames[static_cast<int>(limit)];
}

inline double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

class Monitor {
 public:
  static constexpr std::uint64_t kPollInterval = 1024;
  static constexpr double kEventSeconds = 0.1;

  // `interrupted` is asked at every poll; the binding looks for Ctrl-C there.
  Monitor(Limits limits, Tracer* tracer, std::function<bool()> interrupted)
      : limits_(limits), tracer_(tracer), interrupted_(std::move(interrupted)) {
    schedule(0);
  }

  // For one of several agents: they count nodes together and end together, except that one may
  // end for itself. The `first` of them looks at clocks and signals and speaks to the tracer.
  Monitor(Monitor& chief, bool first, std::size_t agents)
      : limits_(chief.limits_),
        start_(chief.start_),
        chief_(&chief),
        first_(first),
        agents_(agents) {
    next_ = 0;
  }

  // True if the search must end now; `snapshot()` makes the event if one is due.
  template <class Snapshot>
  bool stop(std::uint64_t nodes, Snapshot&& snapshot) {
    if (nodes < next_) return false;
    return poll(nodes, snapshot);
  }

  // The same for work that counts no nodes (extraction): call it once a step.
  template <class Snapshot>
  bool tick(Snapshot&& snapshot) {
    if (++ticks_ % kPollInterval != 0) return reached() != Limit::none;
    return poll(0, snapshot);
  }

  // The same for one of several agents that has nothing to do while others count nodes. It is idle
  // until busy() is called.
  template <class Snapshot>
  bool idle(Snapshot&& snapshot) {
    if (idle_since_ < 0) idle_since_ = seconds();
    if (++ticks_ % kPollInterval == 0 && first_) chief_->look_around_for_all(snapshot);
    if (chief_->reached() != Limit::none) end(chief_->reached());
    return reached() != Limit::none;
  }

  void busy() {
    if (idle_since_ >= 0) seconds_idle_ += seconds() - std::exchange(idle_since_, -1);
  }

  bool is_idle() const { return idle_since_ >= 0; }
  double seconds_idle() const { return seconds_idle_; }

  // For whoever waits for other agents: the first of them, which looks around for all.
  template <class Snapshot>
  void look_around_for_all(Snapshot&& snapshot) {
    look_around([&] {
      Event event = snapshot();
      event.stats.nodes = nodes_.load();
      return event;
    });
  }

  // Between visits: work that takes long calls it now and then.
  void watch() {
    if (reached() != Limit::none) return;
    if (chief_ != nullptr) return watch_with_others();
    if (seconds() >= limits_.seconds) end(Limit::seconds);
    if (interrupted_ && interrupted_()) end(Limit::interrupted);
  }

  // Ctrl-C arrived inside a callback: the end for all agents.
  void interrupt() {
    end(Limit::interrupted);
    if (chief_ != nullptr) chief_->end(Limit::interrupted);
  }

  void end(Limit limit) { reached_.store(limit, std::memory_order_relaxed); }
  Limit reached() const { return reached_.load(std::memory_order_relaxed); }
  const Limits& limits() const { return limits_; }

  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

  void announce(Event event) {
    event.seconds = seconds();
    if (tracer_ != nullptr) tracer_->on_event(event);
  }

  // Extraction may search on after the limit on nodes: the verdict is known, only its reasons are
  // collected. Time and Ctrl-C still count. (Agents may have reached the limit after one of them
  // had solved the root.)
  void lift_node_limit() {
    if (reached() == Limit::nodes) end(Limit::none);
    limits_.nodes = std::numeric_limits<std::uint64_t>::max();
    next_ = 0;
  }

 private:
  template <class Snapshot>
  bool poll(std::uint64_t nodes, Snapshot&& snapshot) {
    if (chief_ != nullptr) return poll_with_others(nodes, snapshot);
    if (nodes > 0 && nodes >= limits_.nodes) end(Limit::nodes);
    look_around(snapshot);
    if (nodes > 0) schedule(nodes);
    return reached() != Limit::none;
  }

  template <class Snapshot>
  void look_around(Snapshot&& snapshot) {
    watch();
    if (tracer_ == nullptr || seconds() < next_event_) return;
    announce(snapshot());
    next_event_ = seconds() + kEventSeconds;
  }

  template <class Snapshot>
  bool poll_with_others(std::uint64_t nodes, Snapshot&& snapshot) {
    const std::uint64_t all = chief_->nodes_.fetch_add(nodes - told_) + nodes - told_;
    told_ = nodes;
    if (all >= limits_.nodes && chief_->reached() == Limit::none) chief_->end(Limit::nodes);
    if (first_) chief_->look_around_for_all(snapshot);
    if (chief_->reached() != Limit::none) end(chief_->reached());
    const std::uint64_t left = limits_.nodes - std::min(limits_.nodes, all);
    next_ = nodes + std::clamp<std::uint64_t>(left / agents_, 1, kPollInterval);
    return reached() != Limit::none;
  }

  // Signals are for the first agent's thread.
  void watch_with_others() {
    if (first_) chief_->watch();
    if (chief_->reached() == Limit::none && seconds() >= limits_.seconds)
      chief_->end(Limit::seconds);
    if (chief_->reached() != Limit::none) end(chief_->reached());
  }

  void schedule(std::uint64_t nodes) { next_ = std::min(limits_.nodes, nodes + kPollInterval); }

  Limits limits_;
  Tracer* tracer_ = nullptr;
  std::function<bool()> interrupted_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::uint64_t next_ = 0;
  std::uint64_t ticks_ = 0;
  double next_event_ = kEventSeconds;
  std::atomic<Limit> reached_{Limit::none};
  std::atomic<std::uint64_t> nodes_{0};  // of all agents
  Monitor* chief_ = nullptr;
  bool first_ = false;
  std::size_t agents_ = 1;
  std::uint64_t told_ = 0;  // nodes
  double idle_since_ = -1;  // on this clock; negative: it is not idle
  double seconds_idle_ = 0;
};

}  // namespace andorra
