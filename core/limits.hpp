// Limits on a search, and the monitor that tells a search to stop.
//
// Idea: the search step asks `stop(nodes)` at every visit, which is one comparison; clocks, signals
// and the tracer are looked at once in kPollInterval visits. The limit on nodes is exact, so runs
// with one thread are repeatable.
#pragma once

#include <algorithm>
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

  // True if the search must end now; `snapshot()` makes the event if one is due.
  template <class Snapshot>
  bool stop(std::uint64_t nodes, Snapshot&& snapshot) {
    if (nodes < next_) return false;
    return poll(nodes, snapshot);
  }

  // The same for work that counts no nodes (extraction): call it once a step.
  template <class Snapshot>
  bool tick(Snapshot&& snapshot) {
    if (++ticks_ % kPollInterval != 0) return reached_ != Limit::none;
    return poll(0, snapshot);
  }

  void end(Limit limit) { reached_ = limit; }
  Limit reached() const { return reached_; }
  const Limits& limits() const { return limits_; }

  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

  void announce(Event event) {
    event.seconds = seconds();
    if (tracer_ != nullptr) tracer_->on_event(event);
  }

  // Extraction may search on after the limit on nodes: the verdict is known, only its reasons are
  // collected. Time and Ctrl-C still count.
  void lift_node_limit() {
    limits_.nodes = std::numeric_limits<std::uint64_t>::max();
    next_ = 0;
  }

 private:
  template <class Snapshot>
  bool poll(std::uint64_t nodes, Snapshot&& snapshot) {
    const double now = seconds();
    if (nodes > 0 && nodes >= limits_.nodes) reached_ = Limit::nodes;
    if (now >= limits_.seconds) reached_ = Limit::seconds;
    if (interrupted_ && interrupted_()) reached_ = Limit::interrupted;
    if (tracer_ != nullptr && now >= next_event_) {
      announce(snapshot());
      next_event_ = now + kEventSeconds;
    }
    if (nodes > 0) schedule(nodes);
    return reached_ != Limit::none;
  }

  void schedule(std::uint64_t nodes) { next_ = std::min(limits_.nodes, nodes + kPollInterval); }

  Limits limits_;
  Tracer* tracer_;
  std::function<bool()> interrupted_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::uint64_t next_ = 0;
  std::uint64_t ticks_ = 0;
  double next_event_ = kEventSeconds;
  Limit reached_ = Limit::none;
};

}  // namespace andorra
