// The certificate's file format (docs/certificate.md, version 1), read strictly.
//
// Idea: the body stays in memory as the text it is, and everything read from it is a view into it,
// so that an entry costs nothing but its line. Entries are taken apart when they are needed; the
// reader of the body only counts their lines.
// Invariant: nothing is allocated because a file announces a large count.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "game.hpp"
#include "games/utf8.hpp"
#include "games/whole_number.hpp"
#include "inflate.hpp"
#include "rejection.hpp"
#include "sha256.hpp"

namespace andorra::checker {

using Bytes = std::span<const std::uint8_t>;
using Count = std::uint64_t;
inline constexpr std::size_t kMostDigits = 18;

// One question, its verdict, and the strategy that is to show it.
struct Part {
  std::string_view question;
  std::optional<Side> asked_side;  // the side that the question names
  Side prover = Side::first;
  std::optional<Count> within;
  std::optional<std::int32_t> score;  // at least, or at most if second proves
  bool proven = false;
  Count count = 0;
  std::string_view entries;  // that many lines, not looked at yet
};

struct Certificate {
  std::string_view body;
  std::string_view game;
  std::optional<std::string_view> data;  // lines, each with its line feed
  std::string_view position;
  std::string_view value;
  std::vector<Part> parts;
};

struct Entry {
  bool cover = false;
  std::string_view position;
  std::string_view move;
  Count rank = 0;   // in a disproof 0
  Count plies = 0;  // without a bound 0
};

inline constexpr std::string_view side_name(Side side) {
  return side == Side::first ? "first" : "second";
}

// Throws the rejection of the line that starts at `line`, a view into `body`.
[[noreturn]] inline void reject_line(std::string_view body, std::string_view line,
                                     const std::string& expected) {
  const std::string_view before(body.data(), static_cast<std::size_t>(line.data() - body.data()));
  const auto number = 1 + std::count(before.begin(), before.end(), '\n');
  throw Rejection("line " + std::to_string(number) + ": expected " + expected + ", found " +
                  quoted(line));
}

// A count: decimal, without leading zeros, at most 18 digits; none if `text` is anything else.
inline std::optional<Count> read_count(std::string_view text) {
  if (text.empty() || text.size() > kMostDigits || (text[0] == '0' && text.size() > 1)) return {};
  Count count = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return {};
    count = 10 * count + static_cast<Count>(c - '0');
  }
  return count;
}

inline std::optional<Side> read_side(std::string_view text) {
  if (text == side_name(Side::first)) return Side::first;
  if (text == side_name(Side::second)) return Side::second;
  return {};
}

inline constexpr std::string_view kHeader = "andorra certificate 1\n";

// Checks that the file starts as a certificate does; `text` is all of it, or more than a line.
inline void check_header(std::string_view text) {
  if (!text.starts_with(kHeader))
    throw Rejection("this is no certificate of version 1: it starts with " +
                    quoted(text.substr(0, kHeader.size())));
}

// Checks the file's first line, its digest and its end, and unpacks the body.
inline Text unpack_file(Bytes file) {
  constexpr std::string_view kDigest = "\nsha256 ";
  constexpr std::size_t kTrailer = kDigest.size() + 64 + 1;
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  check_header(text);
  const bool room = file.size() >= kHeader.size() + kTrailer;
  const std::string_view trailer = text.substr(room ? text.size() - kTrailer : 0);
  if (!room || !trailer.starts_with(kDigest) || trailer.back() != '\n')
    throw Rejection("the file does not end with its digest: it is truncated, or more follows");
  const Bytes content = file.first(file.size() - kTrailer);
  if (trailer.substr(kDigest.size(), 64) != Sha256::hex(content))
    throw Rejection("the digest is not that of the content: the file is damaged");
  return Inflater::unpack(content.subspan(kHeader.size()));
}

// Reads the entries of a part.
class EntryReader {
 public:
  EntryReader(std::string_view body, const Part& part)
      : body_(body), proven_(part.proven), bounded_(part.within.has_value()) {}

  // The entry whose line starts at `start`, a view into the body up to the end of the entries.
  Entry read(std::string_view start) const {
    const std::string_view line = start.substr(0, start.find('\n'));
    Entry entry;
    std::string_view rest = line;
    const std::string_view kind = cut(rest);
    entry.cover = kind == "~";
    entry.position = cut(rest);
    entry.move = cut(rest);
    const std::string_view rank = bounded_ ? cut(rest) : rest;
    const bool good = (kind == "=" || kind == "~") && read_rank(rank, entry) &&
                      (!bounded_ || read_plies(rest, entry));
    if (!good) reject_line(body_, line, expected());
    return entry;
  }

  std::string expected() const {
    return std::string("an entry '= or ~, position, move, ") + (proven_ ? "rank" : "-") +
           (bounded_ ? ", plies" : "") + "' with tabs between";
  }

 private:
  // The text up to the next tab, which must exist; `rest` becomes what follows it.
  static std::string_view cut(std::string_view& rest) {
    const std::size_t tab = rest.find('\t');
    if (tab == std::string_view::npos) return rest = {};
    const std::string_view field = rest.substr(0, tab);
    rest.remove_prefix(tab + 1);
    return field;
  }

  bool read_rank(std::string_view text, Entry& entry) const {
    if (!proven_) return text == "-";
    entry.rank = read_count(text).value_or(0);
    return entry.rank > 0;
  }

  static bool read_plies(std::string_view text, Entry& entry) {
    const std::optional<Count> plies = read_count(text);
    entry.plies = plies.value_or(0);
    return plies.has_value();
  }

  std::string_view body_;
  bool proven_;
  bool bounded_;
};

// Reads the body, line by line.
class BodyReader {
 public:
  static Certificate read(std::string_view body) { return BodyReader(body).certificate(); }

 private:
  explicit BodyReader(std::string_view body) : body_(body), rest_(body) {}

  Certificate certificate() {
    Certificate certificate;
    certificate.body = body_;
    certificate.game = field("game ", "a game");
    if (rest_.starts_with("data ")) certificate.data = data();
    certificate.position = field("position ", "a position");
    certificate.value = one_of("value ", {"win", "draw", "loss", "-"});
    const std::size_t parts = one_of("parts ", {"1", "2"}) == "1" ? 1 : 2;
    while (certificate.parts.size() < parts) certificate.parts.push_back(part());
    if (next_line("'end'") != "end") reject("'end'");
    if (!rest_.empty()) next_line("nothing"), reject("nothing after 'end'");
    return certificate;
  }

  std::string_view data() {
    const Count lines = count("data ");
    const char* const start = rest_.data();
    for (Count i = 0; i < lines; ++i) next_line("a line of data");
    return {start, static_cast<std::size_t>(rest_.data() - start)};
  }

  Part part() {
    Part part;
    read_question(part);
    part.prover = *read_side(one_of("prover ", {"first", "second"}));
    check_within(part);
    part.proven = one_of("verdict ", {"proven", "disproven"}) == "proven";
    part.count = count("entries ");
    const std::string expected = EntryReader(body_, part).expected();
    const char* const start = rest_.data();
    for (Count i = 0; i < part.count; ++i) {
      const std::string_view line = next_line(expected);
      if (!line.starts_with("=\t") && !line.starts_with("~\t")) reject(expected);
    }
    part.entries = {start, static_cast<std::size_t>(rest_.data() - start)};
    return part;
  }

  void read_question(Part& part) {
    constexpr std::string_view kExpected =
        "win[:first|:second][<=count], score>=number or score<=number";
    part.question = field("question ", kExpected);
    const bool good = part.question.starts_with("score") ? read_score(part) : read_win(part);
    if (!good) reject("'question ' and then " + std::string(kExpected));
  }

  static bool read_win(Part& part) {
    const std::size_t bound = part.question.find("<=");
    const std::string_view win = part.question.substr(0, bound);
    if (bound != std::string_view::npos) {
      part.within = read_count(part.question.substr(bound + 2));
      if (!part.within) return false;
    }
    if (win.starts_with("win:")) part.asked_side = read_side(win.substr(4));
    return win == "win" || part.asked_side;
  }

  static bool read_score(Part& part) {
    constexpr std::string_view kAtLeast = "score>=", kAtMost = "score<=";
    const bool at_least = part.question.starts_with(kAtLeast);
    if (!at_least && !part.question.starts_with(kAtMost)) return false;
    part.asked_side = at_least ? Side::first : Side::second;
    part.score = whole_number(part.question.substr(kAtLeast.size()));
    return part.score.has_value();
  }

  void check_within(const Part& part) {
    const std::string asked = part.within ? std::to_string(*part.within) : "-";
    if (field("within ", asked) != asked) reject("'within " + asked + "', as the question says");
  }

  Count count(std::string_view name) {
    const std::optional<Count> count = read_count(field(name, "a count"));
    if (!count) reject(quoted(name) + " and then a count of at most 18 digits");
    return *count;
  }

  std::string_view one_of(std::string_view name, std::initializer_list<std::string_view> allowed) {
    std::string list;
    for (const std::string_view word : allowed) list += (list.empty() ? "" : ", ") + quoted(word);
    const std::string_view text = field(name, "one of " + list);
    if (std::find(allowed.begin(), allowed.end(), text) == allowed.end())
      reject(quoted(name) + " and then one of " + list);
    return text;
  }

  // What follows `name` in the next line.
  std::string_view field(std::string_view name, std::string_view meaning) {
    const std::string expected = quoted(name) + " and then " + std::string(meaning);
    const std::string_view line = next_line(expected);
    if (!line.starts_with(name)) reject(expected);
    return line.substr(name.size());
  }

  std::string_view next_line(std::string_view expected) {
    line_ = rest_;
    const std::size_t end = rest_.find('\n');
    if (end == std::string_view::npos) reject(std::string(expected) + " and a line feed");
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    check_utf8(line_);
    return line_;
  }

  [[noreturn]] void reject(const std::string& expected) const {
    reject_line(body_, line_, expected);
  }

  void check_utf8(std::string_view line) const {
    for (std::size_t place = 0; place < line.size();)
      if (is_ascii(line.substr(place, kWord)))
        place += kWord;
      else if (next_code_point(line, place) == kIllFormed)
        reject("UTF-8 text");
  }

  // For speed, eight characters are looked at at once.
  static bool is_ascii(std::string_view text) {
    constexpr std::uint64_t kHighBits = 0x8080808080808080;
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), text.size());
    return (word & kHighBits) == 0;
  }

  static constexpr std::size_t kWord = sizeof(std::uint64_t);

  std::string_view body_;
  std::string_view rest_;
  std::string_view line_;
};

}  // namespace andorra::checker
