// Moves with regard to kings: evasions of a check, moves that give check, mate by a pawn drop.
//
// Idea: out of a single check leads a move of the king, the capture of the checker or something put
// in between; these are found from the few squares they lead to. Checks are found from the squares
// on which each kind would attack the king, and from pieces that stand in the way of a slider.
// Each generator hands moves to a visitor in any order until it returns true, so that the same code
// lists moves and tells whether there are any.
// Invariant: the side not to move is not in check. Only legal moves are handed out.
#pragma once

#include "games/shogi/board.hpp"

namespace andorra::shogi {

class Moves {
 public:
  explicit Moves(const Board& board)
      : board_(board),
        mover_(board.to_move()),
        enemy_(other(mover_)),
        occupied_(board.occupied()) {}

  // All legal moves that give check to the enemy's king. The mover's own king may be missing.
  template <class Visit>
  bool each_check(Visit&& visit) const {
    const Square target = board_.king(enemy_);
    const Bits screens = board_.screens(target, mover_, occupied_) & board_.pieces(mover_);
    const OwnKing own(*this);
    const auto legal = [&](Move move) { return own.is_safe_after(move) && visit(move); };
    const Lines lines(target, enemy_, occupied_);
    return each_check_by_step(target, screens, legal) ||
           each_check_by_slider(target, lines, screens, legal) || each_check_by_drop(lines, legal);
  }

  // All legal moves of a side whose king is there.
  template <class Visit>
  bool each_legal_move(Visit&& visit) const {
    const Bits checkers = board_.attackers(board_.king(mover_), enemy_, occupied_);
    return checkers != 0 ? each_evasion(checkers, visit) : each_quiet_move(visit);
  }

  // The same if its king is in check.
  template <class Visit>
  bool each_evasion(Visit&& visit) const {
    return each_evasion(board_.attackers(board_.king(mover_), enemy_, occupied_), visit);
  }

  template <class Visit>
  bool each_evasion(Bits checkers, Visit&& visit) const {
    const Square king = board_.king(mover_);
    if (each_king_move(visit)) return true;
    if (!is_single(checkers)) return false;
    const Square checker = lowest(checkers);
    const Bits movable = ~(board_.screens(king, enemy_, occupied_) | bit(king));
    if (each_move_to(checker, movable, visit)) return true;
    for (Bits left = kAttacks.between(king, checker); left != 0;) {
      const Square to = take_lowest(left);
      if (each_move_to(to, movable, visit) || each_drop_on(to, visit)) return true;
    }
    return false;
  }

  // All legal moves of a side whose king is there and is not in check.
  template <class Visit>
  bool each_quiet_move(Visit&& visit) const {
    const OwnKing own(*this);
    const auto legal = [&](Move move) { return own.is_safe_after(move) && visit(move); };
    for (Bits left = board_.pieces(mover_); left != 0;) {
      const Square from = take_lowest(left);
      const Kind kind = board_.kind_at(from);
      const Bits to = kAttacks.of(mover_, kind, from, occupied_) & ~board_.pieces(mover_);
      if (each_move(from, kind, to, to, legal)) return true;
    }
    for (Square to = 0; to < kSquares; ++to)
      if (!has(occupied_, to) && each_drop_on(to, visit)) return true;
    return false;
  }

  // All drops on an empty square, which must be one that answers a check if there is one.
  template <class Visit>
  bool each_drop_on(Square to, Visit&& visit) const {
    for (Kind kind = kPawn; kind <= kRook; ++kind) {
      if (count(board_.hand(mover_), kind) == 0) continue;
      if (!has(kAttacks.alive(mover_, kind), to)) continue;
      if (kind == kPawn && !pawn_may_drop(to)) continue;
      if (visit(drop_move(kind, to))) return true;
    }
    return false;
  }

  // Whether the mover, with a piece of the kind in hand, could drop it: with check, or else as a
  // legal move. May err on the side of yes.
  bool may_drop(Kind kind, bool with_check) const {
    Bits to = ~occupied_ & kAttacks.alive(mover_, kind);
    if (with_check)
      to &= kAttacks.of(enemy_, kind, board_.king(enemy_), occupied_);
    else
      to &= squares_that_help();
    while (to != 0) {
      const Square square = take_lowest(to);
      if (kind != kPawn || (kAttacks.file(square) & board_.pieces(mover_, kPawn)) == 0) return true;
    }
    return false;
  }

  // Whether a pawn dropped there by the mover would be mate, if it gives check at all.
  bool pawn_drop_mates(Square pawn) const {
    if (!board_.has_king(enemy_)) return false;
    const Square king = board_.king(enemy_);
    if (!has(kAttacks.steps(mover_, kPawn, pawn), king)) return false;
    const Bits occupied = occupied_ | bit(pawn);
    const Bits screens = board_.screens(king, mover_, occupied);
    if ((board_.attackers(pawn, enemy_, occupied) & ~screens & ~bit(king)) != 0) return false;
    const Bits attacked = board_.attacked_around(king, mover_, occupied & ~bit(king));
    return (kAttacks.king(king) & ~board_.pieces(enemy_) & ~attacked) == 0;
  }

 private:
  // Where a drop is no answer to a double check, one to a single check from afar, or free.
  Bits squares_that_help() const {
    const Square king = board_.king(mover_);
    const Bits checkers = board_.attackers(king, enemy_, occupied_);
    if (checkers == 0) return ~Bits{0};
    return is_single(checkers) ? kAttacks.between(king, lowest(checkers)) : Bits{0};
  }

  // Whether the mover's own king, if there is one, is safe after a move.
  class OwnKing {
   public:
    explicit OwnKing(const Moves& moves) : moves_(moves), king_(moves.board_.king(moves.mover_)) {
      if (king_ == Board::kNowhere) return;
      in_check_ = moves.board_.in_check(moves.mover_);
      screens_ = moves.board_.screens(king_, moves.enemy_, moves.occupied_);
    }

    bool is_safe_after(Move move) const {
      if (king_ == Board::kNowhere) return true;
      const bool drop = is_drop(move);
      const bool moves_king = !drop && from_of(move) == king_;
      if (!in_check_ && !moves_king && (drop || !has(screens_, from_of(move)))) return true;
      const Square to = to_of(move);
      const Bits left = drop ? moves_.occupied_ : moves_.occupied_ & ~bit(from_of(move));
      const Square king = moves_king ? to : king_;
      const Bits attackers = moves_.board_.attackers(king, moves_.enemy_, left | bit(to));
      return (attackers & ~bit(to)) == 0;
    }

   private:
    const Moves& moves_;
    const Square king_;
    bool in_check_ = false;
    Bits screens_ = 0;
  };

  // From where each kind, if it is the mover's, would attack a square.
  class Lines {
   public:
    Lines(Square target, Colour enemy, Bits occupied)
        : target_(target),
          enemy_(enemy),
          straight_(kAttacks.rook(target, occupied)),
          diagonal_(kAttacks.bishop(target, occupied)) {}

    Bits to(Kind kind) const {
      const Bits steps = kAttacks.steps(enemy_, kind, target_);
      if (kind == kLance) return straight_ & kAttacks.ahead(enemy_, target_);
      if (kind == kBishop || kind == kHorse) return steps | diagonal_;
      if (kind == kRook || kind == kDragon) return steps | straight_;
      return steps;
    }

   private:
    const Square target_;
    const Colour enemy_;
    const Bits straight_;
    const Bits diagonal_;
  };

  template <class Visit>
  bool each_check_by_step(Square target, Bits screens, Visit&& visit) const {
    const Bits near = kAttacks.near(mover_, target) | screens;
    for (Bits left = board_.steppers(mover_) & near; left != 0;) {
      const Square from = take_lowest(left);
      const Kind kind = board_.kind_at(from);
      const bool uncovers = has(screens, from);
      if (!uncovers && !has(kAttacks.near(mover_, kind, target), from)) continue;
      const Bits uncovering = uncovers ? ~kAttacks.towards(target, from) : Bits{0};
      const Bits to = kAttacks.steps(mover_, kind, from) & ~board_.pieces(mover_);
      const Bits plain = kind == kKing ? Bits{0} : kAttacks.steps(enemy_, kind, target);
      const Bits promoting = kAttacks.steps(enemy_, promoted(kind), target);
      if (each_move(from, kind, to & (plain | uncovering), to & (promoting | uncovering), visit))
        return true;
    }
    return false;
  }

  template <class Visit>
  bool each_check_by_slider(Square target, const Lines& lines, Bits screens, Visit&& visit) const {
    for (Bits left = board_.sliders(mover_); left != 0;) {
      const Square from = take_lowest(left);
      const Kind kind = board_.kind_at(from);
      const Bits to = kAttacks.of(mover_, kind, from, occupied_) & ~board_.pieces(mover_);
      const Bits uncovering = has(screens, from) ? ~kAttacks.towards(target, from) : Bits{0};
      const Bits plain = lines.to(kind) | uncovering;
      const Bits promoting = lines.to(promoted(kind)) | uncovering;
      if (each_move(from, kind, to & plain, to & promoting, visit)) return true;
    }
    return false;
  }

  template <class Visit>
  bool each_check_by_drop(const Lines& lines, Visit&& visit) const {
    const Hand hand = board_.hand(mover_);
    if (hand == 0) return false;
    for (Kind kind = kPawn; kind <= kRook; ++kind) {
      if (count(hand, kind) == 0) continue;
      for (Bits left = lines.to(kind) & ~occupied_ & kAttacks.alive(mover_, kind); left != 0;) {
        const Square square = take_lowest(left);
        if (kind == kPawn && !pawn_may_drop(square)) continue;
        if (visit(drop_move(kind, square))) return true;
      }
    }
    return false;
  }

  template <class Visit>
  bool each_king_move(Visit&& visit) const {
    const Square king = board_.king(mover_);
    const Bits attacked = board_.attacked_around(king, enemy_, occupied_ & ~bit(king));
    for (Bits left = kAttacks.king(king) & ~board_.pieces(mover_) & ~attacked; left != 0;) {
      const Square to = take_lowest(left);
      if (visit(board_move(king, to, false, kKing, board_.kind_at(to)))) return true;
    }
    return false;
  }

  // By the movable pieces.
  template <class Visit>
  bool each_move_to(Square to, Bits movable, Visit&& visit) const {
    for (Bits left = board_.attackers(to, mover_, occupied_) & movable; left != 0;) {
      const Square from = take_lowest(left);
      if (each_move(from, board_.kind_at(from), bit(to), bit(to), visit)) return true;
    }
    return false;
  }

  // From a square to others, with and without promotion where that is allowed.
  template <class Visit>
  bool each_move(Square from, Kind kind, Bits plain, Bits promoting, Visit&& visit) const {
    plain &= kAttacks.alive(mover_, kind);
    if (!can_promote(kind))
      promoting = 0;
    else if (!has(kAttacks.zone(mover_), from))
      promoting &= kAttacks.zone(mover_);
    for (Bits left = plain | promoting; left != 0;) {
      const Square to = take_lowest(left);
      const Kind captured = board_.kind_at(to);
      if (has(promoting, to) && visit(board_move(from, to, true, kind, captured))) return true;
      if (has(plain, to) && visit(board_move(from, to, false, kind, captured))) return true;
    }
    return false;
  }

  bool pawn_may_drop(Square to) const {
    return (kAttacks.file(to) & board_.pieces(mover_, kPawn)) == 0 && !pawn_drop_mates(to);
  }

  const Board& board_;
  const Colour mover_;
  const Colour enemy_;
  const Bits occupied_;
};

// A quick look at whether a check can be mate at all. It says no only where the king surely
// escapes.
//
// Idea: squares next to the king that nothing attacks must be attacked by the piece that moves, and
// a piece next to the king must be protected. Lines that the piece opens where it stood could
// attack more, so there it says yes.
class MateFilter {
 public:
  explicit MateFilter(const Board& board)
      : board_(board), mover_(board.to_move()), king_(board.king(other(mover_))) {
    const Bits attacked = board.attacked_around(king_, mover_, board.occupied() & ~bit(king_));
    free_ = kAttacks.king(king_) & ~board.pieces(other(mover_)) & ~attacked;
  }

  // Next to the king, that nothing attacks and no piece of its own is on.
  std::uint32_t free_squares() const { return static_cast<std::uint32_t>(size(free_)); }

  bool may_mate(Move check) const {
    const Square to = to_of(check);
    const Bits occupied = board_.occupied();
    if (!is_drop(check) && board_.slides_to(from_of(check), mover_, occupied)) return true;
    const Kind kind = promotes(check) ? promoted(moved_by(check)) : moved_by(check);
    const Bits covered = kAttacks.of(mover_, kind, to, occupied & ~bit(king_)) | bit(to);
    return (free_ & ~covered) == 0;
  }

 private:
  const Board& board_;
  const Colour mover_;
  const Square king_;
  Bits free_ = 0;
};

}  // namespace andorra::shogi
