// Tests of the core in a few lines: TEST(name) { ... } registers itself, CHECK and CHECK_THROWS
// count, and run_tests() (tests/core/main.cpp) runs everything and reports. A failed check is
// printed with its place and does not end its test; an exception that leaves a test fails it.
#pragma once

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace check {

struct Test {
  const char* name;
  void (*run)();
};

struct State {
  std::vector<Test> tests;
  const char* current = "";
  int passed = 0;
  int failed = 0;
};

inline State& state() {
  static State only;
  return only;
}

struct Registration {
  Registration(const char* name, void (*run)()) { state().tests.push_back({name, run}); }
};

inline void report(bool ok, const std::string& what, const char* file, int line) {
  constexpr int kShown = 50;
  State& now = state();
  ++(ok ? now.passed : now.failed);
  if (!ok && now.failed <= kShown)
    std::printf("FAILED %s: %s\n  %s:%d\n", now.current, what.c_str(), file, line);
}

inline void run(const Test& test) {
  state().current = test.name;
  try {
    test.run();
  } catch (const std::exception& error) {
    report(false, std::string("left by an exception: ") + error.what(), "", 0);
  }
}

// With `only`, runs the tests whose names contain it. Running none is a failure.
inline int run_tests(const std::string& only) {
  for (const Test& test : state().tests)
    if (std::string(test.name).find(only) != std::string::npos) run(test);
  std::printf("%d passed, %d failed\n", state().passed, state().failed);
  return state().failed == 0 && state().passed > 0 ? 0 : 1;
}

}  // namespace check

#define TEST(name)                                                      \
  static void test_##name();                                            \
  static const check::Registration register_##name(#name, test_##name); \
  static void test_##name()

#define CHECK(condition) check::report(static_cast<bool>(condition), #condition, __FILE__, __LINE__)

// As CHECK, with a text, made only on failure, that says which of many cases it is.
#define CHECK_FOR(condition, text)                                                             \
  do {                                                                                         \
    const bool ok = static_cast<bool>(condition);                                              \
    check::report(ok, ok ? std::string() : std::string(#condition " for ") + (text), __FILE__, \
                  __LINE__);                                                                   \
  } while (false)

#define CHECK_THROWS(expression, Type)                                       \
  do {                                                                       \
    bool thrown = false;                                                     \
    try {                                                                    \
      static_cast<void>(expression);                                         \
    } catch (const Type&) {                                                  \
      thrown = true;                                                         \
    }                                                                        \
    check::report(thrown, #expression " throws " #Type, __FILE__, __LINE__); \
  } while (false)
