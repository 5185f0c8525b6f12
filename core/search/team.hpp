// A team: what the agents of one search share besides the table.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "search/presence.hpp"

namespace andorra {

// How agents spread.
enum class Scheduler : std::uint8_t { by_virtual_numbers, by_jobs };

class Team {
 public:
  // `memory` in bytes.
  Team(Scheduler its_scheduler, bool by_turns, std::size_t agents, std::size_t memory)
      : scheduler(its_scheduler),
        takes_turns(by_turns),
        presence(agents, its_scheduler == Scheduler::by_jobs, memory) {}

  // The number of one more agent; before the search begins.
  Presence::Seat join() { return members_++; }

  const Scheduler scheduler;
  const bool takes_turns;  // in one thread
  Presence presence;

  // Somebody has solved a node that others are below: they look whether they still have to be
  // there.
  void tell_solved() { solved_.fetch_add(1, std::memory_order_release); }
  std::uint64_t solved() const { return solved_.load(std::memory_order_acquire); }

  // The root is solved, or nobody can go on: all stop.
  void end() { ended_.store(true, std::memory_order_release); }
  bool ended() const { return ended_.load(std::memory_order_acquire); }

 private:
  std::size_t members_ = 0;
  alignas(64) std::atomic<std::uint64_t> solved_{0};
  alignas(64) std::atomic<bool> ended_{false};
};

}  // namespace andorra
