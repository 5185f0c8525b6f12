// Runs all tests of the core that are linked in; an argument selects those whose names contain it.
#include "check.hpp"

int main(int argc, char** argv) {
  return check::run_tests(argc > 1 ? argv[1] : "");
}
