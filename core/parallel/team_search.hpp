// Team search: several agents at one search, in threads of their own or taking turns in one.
//
// Idea: every agent searches the same root, with its own position, line and counters. What they
// share is theirs to know: the table, whose solved entries hold on every line, and what they spread
// by (search/shared_frames.hpp, parallel/tree_agent.hpp). The first that solves the root ends
// them all. Taking turns, by a seed, makes runs repeatable: how much more a search visits with N
// agents can be measured on one core, and a failure can be replayed.
// Source: Kaneko 2010, section 4.
// An `Agent` has monitor and stats; begin() and advance(), which takes a turn and says whether
// there is another; search(), which is both; result() and bytes(), for its own thread or after it;
// and end(), which any thread may call.
// Invariant: an agent that gives up (it makes no progress, or its memory is full) does not end the
// others; the search ends without an answer when all have given up or a common limit is reached.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "bounds.hpp"
#include "errors.hpp"
#include "limits.hpp"
#include "stats.hpp"
#include "table/table.hpp"

namespace andorra {

template <class Agent>
class TeamSearch {
 public:
  // make(i) makes agent i.
  template <class Make>
  TeamSearch(Monitor& monitor, std::size_t agents, Make&& make) : monitor_(monitor) {
    for (std::size_t i = 0; i < agents; ++i) agents_.push_back(make(i));
  }

  Bounds run_in_threads() {
    std::vector<std::jthread> threads;
    start(threads);
    run_in_thread(*agents_[0]);
    watch_over_others();
    threads.clear();
    const double end = monitor_.seconds();
    for (const auto& agent : agents_) agent->stats.seconds_idle += end;
    if (error_) std::rethrow_exception(error_);
    return result_;
  }

  Bounds run_in_turns(std::uint64_t seed) {
    if (agents_.size() == 1) return run_in_threads();  // nobody to take turns with
    std::mt19937_64 random(seed);
    std::vector<Agent*> busy;
    for (const auto& agent : agents_) {
      agent->begin();
      busy.push_back(agent.get());
    }
    while (!busy.empty()) {
      const std::size_t turn = random() % busy.size();
      const std::uint64_t before = busy[turn]->stats.nodes;
      const bool goes_on = go_on(*busy[turn]);
      unwatched_ += 1 + busy[turn]->stats.nodes - before;
      if (unwatched_ >= Monitor::kPollInterval) watch_between_turns(busy[0] == agents_[0].get());
      if (goes_on) continue;
      finish(*busy[turn]);
      busy.erase(busy.begin() + static_cast<std::ptrdiff_t>(turn));
    }
    return result_;
  }

  std::vector<Stats> stats() const {
    std::vector<Stats> all;
    for (const auto& agent : agents_) all.push_back(agent->stats);
    return all;
  }

  std::size_t bytes() const {
    std::size_t all = 0;
    for (const auto& agent : agents_) all += agent->bytes();
    return all;
  }

 private:
  // All agents but the first, which has the caller's thread.
  void start(std::vector<std::jthread>& threads) {
    try {
      for (std::size_t i = 1; i < agents_.size(); ++i)
        threads.emplace_back([this, i] { run_in_thread(*agents_[i]); });
    } catch (const std::system_error&) {
      end_all();
      throw OptionError("threads=" + std::to_string(agents_.size()) + ": the system let only " +
                        std::to_string(threads.size() + 1) + " start; expected fewer");
    } catch (...) {  // no memory for another
      end_all();
      throw;
    }
  }

  void run_in_thread(Agent& agent) {
    const double start = cpu_seconds();
    const double waited = Table::seconds_waited();
    run_until_end(agent);
    agent.stats.cpu_seconds = cpu_seconds() - start;
    agent.stats.seconds_waited += Table::seconds_waited() - waited;
    agent.monitor.busy();
    agent.stats.seconds_idle = agent.monitor.seconds_idle() - monitor_.seconds();  // plus the end
  }

  void run_until_end(Agent& agent) {
    guarded([&] { agent.search(); });
    finish(agent);
  }

  // What is thrown ends all agents, and goes on when they have ended.
  template <class Work>
  void guarded(Work&& work) {
    try {
      work();
    } catch (const Interrupted&) {
      monitor_.end(Limit::interrupted);
    } catch (...) {
      const std::lock_guard alone(mutex_);
      if (!error_) error_ = std::current_exception();
      end_all();
    }
  }

  // The first agent, which looks at clocks and signals for all, has given up before the others.
  void watch_over_others() {
    while (finished_ != agents_.size()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      guarded([&] { monitor_.look_around_for_all([&] { return so_far(); }); });
    }
  }

  // The first agent, which looks around for all, has its turn now and then only, and when it is not
  // there any more, nobody else speaks to the tracer.
  void watch_between_turns(bool first_is_there) {
    unwatched_ = 0;
    try {
      if (first_is_there)
        monitor_.watch();
      else
        monitor_.look_around_for_all([&] { return so_far(); });
    } catch (const Interrupted&) {
      monitor_.end(Limit::interrupted);
    }
    if (monitor_.reached() != Limit::none) end_all();
  }

  Event so_far() {
    const std::lock_guard alone(mutex_);
    Event event;
    event.root = result_;
    return event;
  }

  bool go_on(Agent& agent) {
    try {
      return agent.advance();
    } catch (const Interrupted&) {
      monitor_.end(Limit::interrupted);
      return false;
    }
  }

  void finish(Agent& agent) {
    const std::lock_guard alone(mutex_);
    const Bounds its = agent.result();
    if (its.solved() || monitor_.reached() != Limit::none) end_all();
    if (!result_.solved()) result_ = its;  // who ends early knows less
    const bool last = ++finished_ == agents_.size();
    if (last && !result_.solved() && monitor_.reached() == Limit::none)
      monitor_.end(agent.monitor.reached());
  }

  // Their monitors as well: an agent may be at something longer than a step.
  void end_all() {
    for (const auto& agent : agents_) {
      agent->end();
      if (agent->monitor.reached() == Limit::none) agent->monitor.end(Limit::interrupted);
    }
  }

  Monitor& monitor_;
  std::vector<std::unique_ptr<Agent>> agents_;
  std::mutex mutex_;
  std::exception_ptr error_;
  Bounds result_;
  std::atomic<std::size_t> finished_{0};
  std::uint64_t unwatched_ = 0;  // turns and visits since the last look between turns
};

}  // namespace andorra
