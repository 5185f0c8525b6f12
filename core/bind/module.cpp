// The Python module andorra._core: games, solve calls, the tables of options and algorithms.
// Nothing is decided here; src/andorra/api.py is the API that people see.
#include <nanobind/nanobind.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "bind/entry_index.hpp"
#include "bind/interrupts.hpp"
#include "bind/python_backend.hpp"
#include "games/abi_backend.hpp"
#include "solve/games.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace andorra {
namespace {

using KeyPair = std::pair<std::uint64_t, std::uint64_t>;

KeyPair pair_of(Key key) {
  return {key.board, key.rest};
}

std::optional<std::string> outcome_name(Outcome outcome) {
  constexpr const char* kNames[] = {"", "first", "second", "draw"};
  if (outcome == Outcome::ongoing) return std::nullopt;
  return kNames[static_cast<int>(outcome)];
}

// Errors of the core become the classes of the same names in andorra.errors.
void translate_errors(const std::exception_ptr& thrown, void*) {
  const auto raise = [](const char* name, const std::exception& error) {
    const nb::object type = nb::module_::import_("andorra.errors").attr(name);
    // Quoted input need not be UTF-8.
    const std::string_view text = error.what();
    PyObject* message =
        PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
    PyErr_SetObject(type.ptr(), message);
    Py_XDECREF(message);
  };
  try {
    std::rethrow_exception(thrown);
  } catch (const PositionError& error) {
    raise("PositionError", error);
  } catch (const OptionError& error) {
    raise("OptionError", error);
  } catch (const RuleError& error) {
    raise("RuleError", error);
  } catch (const Interrupted&) {  // outside of a search
    PyErr_SetNone(PyExc_KeyboardInterrupt);
  }
}

// What a user's callback returns; Ctrl-C while it runs ends the search. Needs the GIL.
template <class... Arguments>
nb::object call(nb::handle callback, const Arguments&... arguments) {
  try {
    return callback(arguments...);
  } catch (const nb::python_error& error) {
    end_or_rethrow(error);
  }
}

class PythonTracer : public Tracer {
 public:
  explicit PythonTracer(nb::object callback) : callback_(std::move(callback)) {}

  void on_event(const Event& event) override {
    const nb::gil_scoped_acquire gil;
    call(callback_, event);
  }

 private:
  nb::object callback_;
};

// Runs Python's signal handlers. Ctrl-C ends the search; any other exception passes through.
bool ctrl_c() {
  const nb::gil_scoped_acquire gil;
  if (PyErr_CheckSignals() == 0) return false;
  if (!PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) throw nb::python_error();
  PyErr_Clear();
  ++interrupts;
  return true;
}

// The core copies its callbacks while it does not hold the GIL, so they hold no references of their
// own: the arguments of the solve call outlive them.

std::function<bool()> interruption(nb::handle stop) {
  if (stop.is_none()) return ctrl_c;
  return [stop] {
    if (ctrl_c()) return true;
    const nb::gil_scoped_acquire gil;
    return static_cast<bool>(nb::bool_(call(stop)));
  };
}

Sink::Write writer(nb::handle callback) {
  if (callback.is_none()) return {};
  return [callback](std::string_view lines) {
    const nb::gil_scoped_acquire gil;
    call(callback, nb::bytes(lines.data(), lines.size()));
  };
}

Options options_of(const std::map<std::string, std::string>& texts) {
  Options options;
  for (const auto& [name, value] : texts) options.set(name, value);
  return options;
}

std::map<std::string, std::string> defaults(const AnyGame& game,
                                            const std::map<std::string, std::string>& asked) {
  const auto own = game.defaults(options_of(asked));
  return {own.begin(), own.end()};
}

Report run(AnyGame& game, const Request& request) {
  const nb::gil_scoped_release no_gil;
  return game.solve(request);
}

Report solve(AnyGame& game, const std::string& position, Side prover,
             std::optional<std::uint32_t> within, const std::string& algorithm,
             const std::map<std::string, std::string>& options, std::optional<std::uint64_t> nodes,
             std::optional<double> seconds, std::size_t memory, nb::object progress,
             nb::handle certificate, nb::handle stop, std::uint32_t length_step, Table* table,
             std::optional<std::int32_t> score, Series* series) {
  Request request;
  request.position = position;
  request.question = {prover, within.has_value(), within.value_or(0), score.has_value(),
                      score.value_or(0)};
  request.algorithm = algorithm;
  request.options = options_of(options);
  if (nodes) request.limits.nodes = *nodes;
  if (seconds) request.limits.seconds = *seconds;
  request.limits.memory = memory;
  PythonTracer tracer(progress);
  if (!progress.is_none()) request.tracer = &tracer;
  request.interrupted = interruption(stop);
  request.certificate = writer(certificate);
  request.length_step = length_step;
  request.table = table;
  request.series = series;
  return run(game, request);
}

void bind_results(nb::module_& m) {
  nb::class_<Stats>(m, "Stats")
      .def_ro("nodes", &Stats::nodes)
      .def_ro("expansions", &Stats::expansions)
      .def_ro("moves", &Stats::moves)
      .def_ro("collections", &Stats::collections)
      .def_ro("repetitions", &Stats::repetitions)
      .def_ro("reexpansions", &Stats::reexpansions)
      .def_ro("simulations", &Stats::simulations)
      .def_ro("closures", &Stats::closures)
      .def_ro("shared_steps", &Stats::shared_steps)
      .def_ro("stops", &Stats::stops)
      .def_ro("duplicated", &Stats::duplicated)
      .def_ro("idle", &Stats::idle)
      .def_ro("seconds_waited", &Stats::seconds_waited)
      .def_ro("seconds_idle", &Stats::seconds_idle)
      .def_ro("searched_again", &Stats::searched_again)
      .def_ro("table_entries", &Stats::table_entries)
      .def_ro("table_used", &Stats::table_used)
      .def_ro("memory", &Stats::memory)
      .def_ro("cpu_seconds", &Stats::cpu_seconds)
      .def_ro("wall_seconds", &Stats::wall_seconds);
  nb::class_<Report>(m, "Report")
      .def_ro("position", &Report::position)
      .def_prop_ro("pn", [](const Report& r) { return r.bounds.pn; })
      .def_prop_ro("dn", [](const Report& r) { return r.bounds.dn; })
      .def_prop_ro("limit", [](const Report& r) { return std::string(name(r.limit)); })
      .def_ro("line", &Report::line)
      .def_ro("line_end", &Report::line_end)
      .def_ro("longest", &Report::longest)
      .def_ro("unsound", &Report::unsound)
      .def_ro("entries", &Report::entries)
      .def_prop_ro("certificate_limit",
                   [](const Report& r) { return std::string(name(r.certificate_limit)); })
      .def_ro("stats", &Report::stats)
      .def_ro("agents", &Report::agents);
  nb::class_<Event>(m, "Event")
      .def_prop_ro(
          "kind",
          [](const Event& e) { return e.kind == Event::Kind::search ? "search" : "extract"; })
      .def_prop_ro("pn", [](const Event& e) { return e.root.pn; })
      .def_prop_ro("dn", [](const Event& e) { return e.root.dn; })
      .def_ro("stats", &Event::stats)
      .def_ro("depth", &Event::depth)
      .def_ro("table_fill", &Event::table_fill)
      .def_ro("seconds", &Event::seconds)
      .def_ro("line", &Event::line_names)
      .def_prop_ro("children", [](const Event& e) {
        std::vector<std::tuple<std::string, Number, Number>> children;
        for (const Event::Child& each : e.children)
          children.emplace_back(each.name, each.bounds.pn, each.bounds.dn);
        return children;
      });
}

void bind_shared_tables(nb::module_& m) {
  nb::class_<Table>(m, "Table")
      .def("__init__",
           [](Table* place, std::size_t memory) {
             new (place) Table(Table::cells_in(memory));
             place->share();
           })
      .def_prop_ro("capacity", &Table::capacity)
      .def_prop_ro("used", &Table::used);
  nb::class_<Series>(m, "Series").def(nb::init<>());
}

void bind_games(nb::module_& m) {
  nb::class_<AnyGame>(m, "Game")
      .def_prop_ro("spec", &AnyGame::spec)
      .def_prop_ro("acyclic", &AnyGame::acyclic)
      .def_prop_ro("can_draw", &AnyGame::can_draw)
      .def_prop_ro("in_parallel", &AnyGame::in_parallel)
      .def("defaults", &defaults, "options"_a)
      .def("initial", &AnyGame::initial)
      .def("canonical", &AnyGame::canonical, "position"_a)
      .def("to_move",
           [](AnyGame& g, std::string_view p) { return static_cast<int>(g.side_to_move(p)); })
      .def("outcome", [](AnyGame& g, std::string_view p) { return outcome_name(g.outcome(p)); })
      .def("moves", &AnyGame::moves, "position"_a)
      .def("play", &AnyGame::play, "position"_a, "move"_a)
      .def("key", [](AnyGame& g, std::string_view p) { return pair_of(g.key(p)); })
      .def("perft", &AnyGame::perft, "position"_a, "depth"_a)
      .def("divide",
           [](AnyGame& g, std::string_view p, unsigned depth) {
             nb::dict counts;
             for (const auto& [move, count] : g.divide(p, depth)) counts[move.c_str()] = count;
             return counts;
           })
      .def("replay",
           [](AnyGame& g, std::string_view p, const std::vector<std::string>& moves) {
             std::vector<std::pair<std::string, KeyPair>> seen;
             for (const auto& [text, key] : g.replay(p, moves))
               seen.emplace_back(text, pair_of(key));
             return seen;
           })
      .def("resources", &AnyGame::resources, "position"_a)
      .def("scores",
           [](AnyGame& g, std::string_view p) {
             const Scores scores = g.scores(p);
             return std::pair(scores.least, scores.most);
           })
      .def("board_key",
           [](AnyGame& g, std::string_view p) -> std::optional<KeyPair> {
             const std::optional<Key> key = g.board_key(p);
             if (!key) return std::nullopt;
             return pair_of(*key);
           })
      .def(
          "solve",
          [](AnyGame& g, const std::string& position, int prover,
             std::optional<std::uint32_t> within, const std::string& algorithm,
             const std::map<std::string, std::string>& options, std::optional<std::uint64_t> nodes,
             std::optional<double> seconds, std::size_t memory, nb::object progress,
             nb::object certificate, nb::object stop, std::uint32_t length_step, Table* table,
             std::optional<std::int32_t> score, Series* series) {
            return solve(g, position, prover == 0 ? Side::first : Side::second, within, algorithm,
                         options, nodes, seconds, memory, std::move(progress), certificate, stop,
                         length_step, table, score, series);
          },
          "position"_a, "prover"_a, "within"_a.none(), "algorithm"_a, "options"_a, "nodes"_a.none(),
          "seconds"_a.none(), "memory"_a, "progress"_a.none(), "certificate"_a.none(),
          "stop"_a.none(), "length_step"_a = 0, "table"_a.none() = nb::none(),
          "score"_a.none() = nb::none(), "series"_a.none() = nb::none());

  m.def(
      "make_game",
      [](std::string_view spec, std::optional<std::string> data) {
        const nb::gil_scoped_release no_gil;  // a large graph takes long to read
        return make_game(spec, data.value_or(""));
      },
      "spec"_a, "data"_a.none() = nb::none());
  m.def("pack_entries", pack_entries, "body"_a, "from_"_a, "most"_a, "fields"_a);
  m.def("python_game", [](nb::object rules) {
    return make_user_game(std::make_unique<PythonBackend>(std::move(rules)));
  });
  // `address` is that of an andorra_rules_v1 (core/abi.h), which must outlive the game.
  m.def("abi_game", [](std::uintptr_t address) {
    const auto* rules = reinterpret_cast<const andorra_rules_v1*>(address);
    return make_user_game(std::make_unique<AbiBackend>(rules));
  });
}

void bind_tables(nb::module_& m) {
  m.def("options", [] {
    nb::list rows;
    for (const OptionRow& row : kOptions)
      rows.append(nb::make_tuple(row.name, row.algorithms, row.default_value, row.range, row.help,
                                 row.conflict, row.unsafe, row.needs));
    return rows;
  });
  m.def("algorithms", [] {
    nb::list rows;
    for (const AlgorithmRow& row : kAlgorithms)
      rows.append(nb::make_tuple(row.name, row.help, row.games));
    return rows;
  });
  m.def("interrupts", [] { return interrupts; });
  m.attr("INFINITE") = kInfinite;
}

}  // namespace
}  // namespace andorra

NB_MODULE(_core, m) {
  nb::register_exception_translator(andorra::translate_errors);
  andorra::bind_results(m);
  andorra::bind_shared_tables(m);
  andorra::bind_games(m);
  andorra::bind_tables(m);
}
