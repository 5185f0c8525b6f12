// How far apart are two cores? Prints the nanoseconds that a cache line takes from one to the
// other: two threads, each on a core of its own, hand a number to and fro.
#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

namespace {

constexpr int kRounds = 100'000;
alignas(128) std::atomic<int> turn{0};

void stay_on(int core) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(core, &cores);
  pthread_setaffinity_np(pthread_self(), sizeof cores, &cores);
}

void play(int core, int mine) {
  stay_on(core);
  for (int round = 0; round < kRounds; ++round) {
    while (turn.load(std::memory_order_acquire) != mine) continue;
    turn.store(1 - mine, std::memory_order_release);
  }
}

}  // namespace

int main() {
  const auto start = std::chrono::steady_clock::now();
  std::thread other([] { play(1, 1); });
  play(0, 0);
  other.join();
  const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
  std::printf("%.0f\n", time.count() / (2 * kRounds));
}
