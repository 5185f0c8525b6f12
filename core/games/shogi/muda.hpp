// Mate where wasted interpositions (muda-ai) do not count: every evasion is a drop that the checker
// takes, and the king is mated again (docs/games.md; the definition is that of the reference rules,
// src/andorra/rulebook/shogi_muda.py).
//
// Idea: what the attacker holds plays no part, and what was dropped is gone at once. So what is
// asked again is the same board with the checker nearer to the king, and a defender with a piece
// less. Mostly the checker mates from there whatever the defender holds. Hence each square is tried
// for a defender who keeps all, and so has no fewer evasions, and only if that is no mate for each
// kind on its own. Squares next to the king come first: a checker without protection is taken
// there.
// Invariant: the king of the side to move is there and in check; the other side's king is not.
#pragma once

#include "games/shogi/moves.hpp"

namespace andorra::shogi {

class Muda {
 public:
  explicit Muda(const Board& board)
      : board_(board),
        moves_(board),
        defender_(board.to_move()),
        attacker_(other(defender_)),
        king_(board.king(defender_)) {}

  bool mates() const {
    if (moves_.each_evasion([](Move move) { return !is_drop(move); })) return false;
    const Bits checkers = board_.attackers(king_, attacker_, board_.occupied());
    if (!is_single(checkers)) return true;
    const Square checker = lowest(checkers);
    for (Bits left = kAttacks.between(king_, checker); left != 0;) {
      const Square nearest = king_ < checker ? lowest(left) : highest(left);
      if (!wastes_drops(checker, nearest)) return false;
      left &= ~bit(nearest);
    }
    return true;
  }

 private:
  bool wastes_drops(Square checker, Square to) const {
    if (!moves_.each_drop_on(to, [](Move) { return true; })) return true;
    const Hand hand = board_.hand(defender_);
    if (mates_from(to, checker, hand)) return true;
    return !moves_.each_drop_on(
        to, [&](Move drop) { return !mates_from(to, checker, hand - one(moved_by(drop))); });
  }

  // Whether the checker, having taken a piece there, mates a defender who holds this.
  bool mates_from(Square to, Square checker, Hand hand) const {
    const Kind kind = board_.kind_at(checker);
    const Bits zone = kAttacks.zone(attacker_);
    const bool may_promote = can_promote(kind) && (has(zone, checker) || has(zone, to));
    if (may_promote && mates_by(board_move(checker, to, true, kind, kNone), hand)) return true;
    return has(kAttacks.alive(attacker_, kind), to) &&
           mates_by(board_move(checker, to, false, kind, kNone), hand);
  }

  bool mates_by(Move to_what_was_dropped, Hand hand) const {
    Board next = board_;
    next.set_to_move(attacker_);
    next.play(to_what_was_dropped);
    next.set_hand(defender_, hand);
    return !next.in_check(attacker_) && next.in_check(defender_) && Muda(next).mates();
  }

  const Board& board_;
  const Moves moves_;
  const Colour defender_;
  const Colour attacker_;
  const Square king_;
};

}  // namespace andorra::shogi
