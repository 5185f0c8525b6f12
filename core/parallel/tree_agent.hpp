// An agent of a team (parallel/team_search.hpp) that works on a graph which all agents share.
//
// Idea: a step of best-first search has three phases (search/pns.hpp): selecting a leaf and
// updating the graph are short, the work in between is long. One lock around the graph is then
// enough: who holds it selects or updates, and all others work.
// A `Search` is a Pns; taking turns, an agent does one phase at a time, so that others come
// between its choice of a leaf and what becomes of it, as they do in threads.
// Source: Saito, Winands & van den Herik 2010 has one tree that threads lock, too; ours is locked
// as a whole.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>
#include <utility>

#include "errors.hpp"
#include "limits.hpp"
#include "question.hpp"
#include "stats.hpp"

namespace andorra {

template <Game G, class Search>
class TreeAgent {
 public:
  // make(problem, monitor, stats) makes the search.
  template <class Make>
  TreeAgent(const Problem<G>& its, Monitor& chief, std::mutex& mutex, std::size_t number,
            std::size_t agents, bool takes_turns, Make&& make)
      : monitor(chief, number == 0, agents),
        takes_turns_(takes_turns),
        mutex_(mutex),
        game_(its.game()),
        problem_(game_, its.question()),
        search_(make(problem_, monitor, stats)) {}

  void begin() {
    const auto alone = lock();
    search_.begin();
  }

  bool advance() {
    if (phase_ == Phase::select) return select();
    if (phase_ == Phase::update) return update();
    search_.work();
    phase_ = Phase::update;
    return true;
  }

  void search() {
    try {
      begin();
      while (advance()) continue;
    } catch (const Interrupted&) {
      monitor.interrupt();
      finish();
    }
  }

  void end() {}  // its monitor does

  Bounds result() const {
    const std::lock_guard alone(mutex_);
    return search_.root();
  }

  std::size_t bytes() const { return search_.bytes(); }

  Monitor monitor;
  Stats stats;

 private:
  enum class Phase : std::uint8_t { select, work, update };

  bool select() {
    {
      const auto alone = lock();
      if (search_.is_over()) return search_.end(), false;
      if (search_.select()) return start_work(), true;
    }
    wait();
    return true;
  }

  void start_work() {
    monitor.busy();
    phase_ = Phase::work;
  }

  void wait() {
    ++stats.idle;
    monitor.idle([&] {
      Event event;
      event.root = result();
      event.stats = stats;
      return event;
    });
    if (!takes_turns_) std::this_thread::yield();
  }

  bool update() {
    const auto alone = lock();
    phase_ = Phase::select;
    if (search_.update()) return true;
    search_.end();
    return false;
  }

  void finish() {
    const auto alone = lock();
    search_.end();
  }

  std::unique_lock<std::mutex> lock() {
    std::unique_lock alone(mutex_, std::try_to_lock);
    if (alone.owns_lock()) return alone;
    const double start = monitor.seconds();
    alone.lock();
    if (!monitor.is_idle()) stats.seconds_waited += monitor.seconds() - start;
    return alone;
  }

  const bool takes_turns_;
  std::mutex& mutex_;
  G game_;
  Problem<G> problem_;
  Search search_;
  Phase phase_ = Phase::select;
};

}  // namespace andorra
