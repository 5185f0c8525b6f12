// SFEN: a shogi position as text (src/andorra/rulebook/sfen.py has the grammar), and USI moves.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "games/shogi/board.hpp"
#include "games/text_reader.hpp"

namespace andorra::shogi {

class SfenReader {
 public:
  explicit SfenReader(TextReader& reader) : reader_(reader) {}

  // Board, side, hands and, if it comes next, the number of the move.
  Board read() {
    for (int rank = 0; rank < kSide; ++rank) {
      if (rank > 0) reader_.expect('/');
      read_rank(rank);
    }
    reader_.expect(' ');
    board_.set_to_move(reader_.one_of("bw") == 'b' ? kBlack : kWhite);
    reader_.expect(' ');
    if (!reader_.skip('-')) read_hands();
    skip_number();
    return board_;
  }

 private:
  void read_rank(int rank) {
    const std::size_t start = reader_.place();
    int squares = 0;
    while (!at(" /") && !reader_.at_end()) {
      const int empty = reader_.at_digit() ? reader_.number(1, kSide, "empty squares") : 0;
      if (empty == 0 && squares < kSide) read_piece(square(kSide - 1 - squares, rank));
      squares += empty == 0 ? 1 : empty;
      if (squares > kSide) reader_.fail_at(start, "this rank has more than 9 squares");
    }
    if (squares < kSide) reader_.fail_at(start, "this rank has less than 9 squares");
  }

  bool at(std::string_view characters) const {
    const std::string_view rest = reader_.text().substr(reader_.place());
    return !rest.empty() && characters.find(rest.front()) != std::string_view::npos;
  }

  void read_piece(Square to) {
    const std::size_t start = reader_.place();
    const bool promotes = reader_.skip('+');
    const auto [colour, kind] = read_letter("PLNSGBRKplnsgbrk");
    if (promotes && !can_promote(kind)) reader_.fail_at(start, "this piece cannot be promoted");
    if (kind == kKing && board_.has_king(colour))
      reader_.fail_at(start, "expected one king of a side at most");
    board_.put(colour, promotes ? promoted(kind) : kind, to);
  }

  Piece read_letter(std::string_view allowed) {
    const char letter = reader_.one_of(allowed);
    const bool white = letter >= 'a';
    const char capital = white ? static_cast<char>(letter - 'a' + 'A') : letter;
    return {white ? kWhite : kBlack, static_cast<Kind>(kLetters.find(capital))};
  }

  void read_hands() {
    do {
      const std::size_t start = reader_.place();
      const int number =
          reader_.at_digit() ? reader_.number(2, kMostHeld, "2 or more pieces in hand") : 1;
      const auto [colour, kind] = read_letter("PLNSGBRplnsgbr");
      if (count(board_.hand(colour), kind) != 0)
        reader_.fail_at(start, "this kind of piece came before");
      if (number > kMostOfKind[kind]) reader_.fail_at(start, "there are not so many in a set");
      board_.set_hand(colour, board_.hand(colour) + static_cast<Hand>(number) * one(kind));
    } while (!reader_.at_end() && !at(" "));
  }

  void skip_number() {
    const std::string_view rest = reader_.text().substr(reader_.place());
    if (rest.size() < 2 || rest[0] != ' ' || rest[1] < '0' || rest[1] > '9') return;
    reader_.expect(' ');
    reader_.number(0, 999'999'999, "the number of the move");
  }

  static constexpr int kMostHeld = 18;

  TextReader& reader_;
  Board board_;
};

inline std::string piece_text(Piece piece) {
  std::string text = piece.kind > kKing ? "+" : "";
  const char capital = kLetters[piece.kind > kKing ? unpromoted(piece.kind) : piece.kind];
  text += piece.colour == kBlack ? capital : static_cast<char>(capital - 'A' + 'a');
  return text;
}

inline std::string hand_text(Colour colour, Hand hand) {
  std::string text;
  for (Kind kind = kRook; kind >= kPawn; --kind) {
    const int number = count(hand, kind);
    if (number > 1) text += std::to_string(number);
    if (number > 0) text += piece_text({colour, kind});
  }
  return text;
}

inline std::string rank_text(const Board& board, int rank) {
  std::string text;
  int empty = 0;
  for (int file = kSide - 1; file >= 0; --file) {
    const Piece piece = board.at(square(file, rank));
    if (piece.kind == kNone) {
      ++empty;
      continue;
    }
    if (empty > 0) text += std::to_string(empty);
    empty = 0;
    text += piece_text(piece);
  }
  return empty > 0 ? text + std::to_string(empty) : text;
}

inline std::string sfen(const Board& board) {
  std::string text;
  for (int rank = 0; rank < kSide; ++rank) text += (rank > 0 ? "/" : "") + rank_text(board, rank);
  const std::string hands =
      hand_text(kBlack, board.hand(kBlack)) + hand_text(kWhite, board.hand(kWhite));
  return text + (board.to_move() == kBlack ? " b " : " w ") + (hands.empty() ? "-" : hands) + " 1";
}

inline std::string square_text(Square square) {
  return {static_cast<char>('1' + file_of(square)), static_cast<char>('a' + rank_of(square))};
}

inline std::string usi(Move move) {
  const std::string to = square_text(to_of(move));
  if (is_drop(move)) return std::string{kLetters[moved_by(move)]} + "*" + to;
  return square_text(from_of(move)) + to + (promotes(move) ? "+" : "");
}

}  // namespace andorra::shogi
