// Verifies a whole certificate of game G: what its head says, and then each part.
#pragma once

#include <string>
#include <string_view>

#include "check.hpp"
#include "interface.hpp"

namespace andorra::checker {

// The game that the certificate names, in its initial position.
template <Game G>
G make_game(const Certificate& certificate) {
  const std::size_t colon = certificate.game.find(':');
  const std::string_view parameters =
      colon == std::string_view::npos ? "" : certificate.game.substr(colon + 1);
  if constexpr (HasData<G>) {
    if (!certificate.data) throw Rejection("the game's data is missing");
    return G(parameters, *certificate.data);
  } else {
    if (certificate.data) throw Rejection("this game has no data");
    return G(parameters);
  }
}

template <Game G>
void check_canonical(const G& game, const Certificate& certificate) {
  const std::string parameters = game.parameters();
  const std::string spec = std::string(G::kName) + (parameters.empty() ? "" : ":") + parameters;
  if (spec != certificate.game)
    throw Rejection("expected the canonical game " + quoted(spec) + ", found " +
                    quoted(certificate.game));
  if constexpr (HasData<G>) {
    std::string data = game.data();
    if (!data.ends_with('\n')) data += '\n';
    if (data != *certificate.data) throw Rejection("the game's data is not canonical");
  }
}

template <Game G>
void go_to_root(G& game, std::string_view text) {
  try {
    game.parse(text);
  } catch (const Error& error) {
    throw Rejection("the root " + quoted(text) + " is no position: " + error.what());
  }
  const std::string canonical = game.format();
  if (canonical != text)
    throw Rejection("expected the canonical root " + quoted(canonical) + ", found " + quoted(text));
}

inline void check_prover(const Part& part, Side to_move) {
  const Side asked = part.asked_side.value_or(to_move);
  if (part.prover != asked)
    throw Rejection("the question " + quoted(part.question) + " is about " +
                    std::string(side_name(asked)) + ", but the prover is " +
                    std::string(side_name(part.prover)));
}

// The value that the parts show, "-" if none. Play without end is no win for either side, so a
// disproof shows the other side's win only where every line ends and none in a draw.
inline std::string_view value_shown(const std::vector<Part>& parts, bool always_won) {
  const bool of_first = parts[0].prover == Side::first;
  if (parts[0].proven) return of_first ? "win" : "loss";
  for (const Part& part : parts)
    if (part.within) return "-";
  if (parts.size() == 2) return "draw";
  if (!always_won) return "-";
  return of_first ? "loss" : "win";
}

// Neither side can force a win.
inline bool is_draw(const Part& first, const Part& second) {
  return !first.proven && !second.proven && first.prover == Side::first &&
         second.prover == Side::second;
}

// A side wins, but not within fewer plies.
inline bool is_length(const Part& win, const Part& sooner) {
  return win.proven && !sooner.proven && win.prover == sooner.prover && sooner.within &&
         (!win.within || *sooner.within < *win.within);
}

// A side can force a score, but not one that is better for it.
inline bool is_score(const Part& reached, const Part& better) {
  if (!reached.proven || better.proven || reached.prover != better.prover) return false;
  if (!reached.score || !better.score) return false;
  return reached.prover == Side::first ? *better.score > *reached.score
                                       : *better.score < *reached.score;
}

inline bool fit_together(const Part& one, const Part& two) {
  if (one.score || two.score) return is_score(one, two);
  return is_draw(one, two) || is_length(one, two);
}

inline void check_value(const Certificate& certificate, bool always_won) {
  const std::vector<Part>& parts = certificate.parts;
  if (parts.size() == 2 && !fit_together(parts[0], parts[1]))
    throw Rejection(
        "two parts must be the disproofs of a win of first and of a win of second, the proof of a "
        "win and the disproof of the same within fewer plies, or the proof of a score and the "
        "disproof of a better one");
  if (certificate.value != "-" && parts[0].score)
    throw Rejection("the value " + quoted(certificate.value) + " does not follow from scores");
  if (certificate.value != "-" && certificate.value != value_shown(parts, always_won))
    throw Rejection("the value " + quoted(certificate.value) + " does not follow from the parts");
}

template <class G>
Verified verify(const Certificate& certificate) {
  G game = make_game<G>(certificate);
  check_canonical(game, certificate);
  const bool from_start = game.format() == certificate.position;
  go_to_root(game, certificate.position);
  check_value(certificate, game.acyclic() && !game.can_draw());
  for (const Part& part : certificate.parts) {
    check_prover(part, game.side_to_move());
    G root = game;
    PartCheck<G>(root, certificate, part).walk();
  }
  return {from_start};
}

}  // namespace andorra::checker
