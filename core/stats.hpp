// What a search counts. `nodes` are visits by the search step, `expansions` first-time move
// generations, `moves` moves made (play calls); all three, because programs mean different things
// by "nodes".
#pragma once

#include <cstddef>
#include <cstdint>

namespace andorra {

struct Stats {
  std::uint64_t nodes = 0;
  std::uint64_t expansions = 0;
  std::uint64_t reexpansions = 0;  // move generations of positions that were expanded before
  std::uint64_t moves = 0;
  std::uint64_t collections = 0;     // runs of garbage collection, or of DeleteLeastProving
  std::uint64_t repetitions = 0;     // moves that led back to a position on the current line
  std::uint64_t simulations = 0;     // positions solved with borrowed moves
  std::uint64_t closures = 0;        // times that the expanded positions were closed
  std::uint64_t shared_steps = 0;    // choices of a child with a look at what other agents do
  std::uint64_t duplicated = 0;      // expansions that another agent had stored meanwhile
  std::uint64_t idle = 0;            // turns of an agent with nothing to do
  std::uint64_t stops = 0;           // times that it went up because of what others had done
  std::uint64_t searched_again = 0;  // gaps that the extraction of a line or certificate closed
  std::size_t table_entries = 0;     // cells of the table at the end, and how many are in use
  std::size_t table_used = 0;
  std::size_t memory = 0;  // the most bytes the search had allocated
  double cpu_seconds = 0;  // of all threads
  double wall_seconds = 0;
  double seconds_waited = 0;  // for others that held what was needed: a lock, cells, the gate
  double seconds_idle = 0;    // with nothing to do, until others had found more or ended

  // What another agent of the same search has counted.
  void add(const Stats& other) {
    nodes += other.nodes;
    expansions += other.expansions;
    reexpansions += other.reexpansions;
    moves += other.moves;
    collections += other.collections;
    repetitions += other.repetitions;
    simulations += other.simulations;
    closures += other.closures;
    shared_steps += other.shared_steps;
    idle += other.idle;
    stops += other.stops;
    duplicated += other.duplicated;
    cpu_seconds += other.cpu_seconds;
    seconds_waited += other.seconds_waited;
    seconds_idle += other.seconds_idle;
  }
};

}  // namespace andorra
