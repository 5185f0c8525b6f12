// How far apart are two cores? Prints the nanoseconds that a cache line takes from one to the
// other: two threads, each on a core of its own, hand a number to and fro.
// With the argument "together" nothing is measured: the two cores sleep and wake each other by
// turns, because a host tends to put a virtual core that is woken near the one that wakes it. Of
// five tries with cores that were far apart, four brought them together; pauses of 1 ms did not.
#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
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

constexpr int kWakes = 60;
constexpr std::chrono::milliseconds kPause{3};
std::mutex mutex;
std::condition_variable woken;

void wake_the_other(int core, int mine) {
  stay_on(core);
  for (int round = 0; round < kWakes; ++round) {
    std::unique_lock lock(mutex);
    woken.wait(lock, [&] { return turn == mine; });
    std::this_thread::sleep_for(kPause);
    turn = 1 - mine;
    woken.notify_one();
  }
}

void both(void (&work)(int, int)) {
  std::thread other([&] { work(1, 1); });
  work(0, 0);
  other.join();
}

}  // namespace

int main(int count, char**) {
  if (count > 1) return both(wake_the_other), 0;
  const auto start = std::chrono::steady_clock::now();
  both(play);
  const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
  std::printf("%.0f\n", time.count() / (2 * kRounds));
}
