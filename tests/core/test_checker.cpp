// The parts of the fast checker: inflate against streams made by zlib and by hand, SHA-256 against
// published digests, the format's reader, and the verification on small graphs.
// tests/test_fast_checker.py tests the whole program.
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "../../checker/format.hpp"
#include "../../checker/inflate.hpp"
#include "../../checker/sha256.hpp"
#include "../../checker/verify.hpp"
#include "check.hpp"
#include "games/graph.hpp"
#include "games/toll.hpp"

namespace andorra::checker {
namespace {

using Data = std::vector<std::uint8_t>;

Data from_hex(std::string_view digits) {
  Data bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2)
    bytes.push_back(
        static_cast<std::uint8_t>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16)));
  return bytes;
}

std::string unpacked(const Data& packed) {
  return std::string(Inflater::unpack(packed).view());
}

Bytes bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// What was rejected and why; empty if nothing was.
template <class Action>
std::string rejection(Action action) {
  try {
    action();
  } catch (const Rejection& found) {
    return found.what();
  }
  return "";
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// ---- Inflate ----

constexpr std::string_view kText = "abcabcabcabcabcabcabc, and a certificate";
constexpr std::string_view kStored =
    "7801012800d7ff6162636162636162636162636162636162636162632c20616e6420612063657274696669636174"
    "652d540eae";
constexpr std::string_view kFixedLevel1 =
    "78014b4c4a4ec4403a0a8979290a890ac9a94525996999c98925a9002d540eae";
constexpr std::string_view kFixedLevel6 =
    "789c4b4c4a4ec4403a0a8979290a890ac9a94525996999c98925a9002d540eae";
constexpr std::string_view kFixedLevel9 =
    "78da4b4c4a4ec4403a0a8979290a890ac9a94525996999c98925a9002d540eae";
constexpr std::string_view kDynamic =
    "780105c1b10d00200c04b15532004bdd1f20a5a140ec2f6c229148241289a338b328d77dbd5bdefa2d540eae";
constexpr std::string_view kStreams[] = {kStored, kFixedLevel1, kFixedLevel6, kFixedLevel9,
                                         kDynamic};

TEST(inflate_reads_what_zlib_wrote) {
  for (const std::string_view stream : kStreams)
    CHECK_FOR(unpacked(from_hex(stream)) == kText, std::string(stream));
  CHECK(unpacked(from_hex("78014b1c05440300d8a871ad")) == std::string(300, 'a'));
  CHECK(unpacked(from_hex("789c030000000001")).empty());
}

// Some bits fill up a byte and mean nothing; every other change must be noticed.
TEST(inflate_notices_every_changed_bit) {
  for (const std::string_view stream : kStreams) {
    Data bytes = from_hex(stream);
    int unnoticed = 0;
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
      const auto mask = static_cast<std::uint8_t>(1 << bit % 8);
      bytes[bit / 8] ^= mask;
      const std::string reason = rejection([&] { CHECK(unpacked(bytes) == kText); });
      unnoticed += reason.empty();
      bytes[bit / 8] ^= mask;
    }
    CHECK_FOR(unnoticed < 8, std::string(stream));
  }
}

TEST(inflate_notices_truncation_and_more) {
  for (const std::string_view stream : kStreams) {
    const Data bytes = from_hex(stream);
    for (std::size_t size = 0; size < bytes.size(); ++size)
      CHECK_THROWS(unpacked(Data(bytes.begin(), bytes.begin() + static_cast<long>(size))),
                   Rejection);
    Data longer = bytes;
    longer.push_back(0);
    CHECK(rejection([&] { unpacked(longer); }) == "bytes follow the zlib stream");
  }
}

TEST(inflate_survives_random_bytes) {
  std::mt19937 random(1);
  for (int round = 0; round < 20'000; ++round) {
    Data bytes = {0x78, 0x9c, static_cast<std::uint8_t>(random() % 8)};
    for (unsigned size = random() % 200; size > 0; --size)
      bytes.push_back(static_cast<std::uint8_t>(random()));
    CHECK_THROWS(unpacked(bytes), Rejection);
  }
}

// Writes deflate blocks by hand, to reach what zlib never writes.
class BitWriter {
 public:
  void put(unsigned value, unsigned bits) {
    for (unsigned i = 0; i < bits; ++i) put_bit(value >> i & 1);
  }

  // Huffman codes are written highest bit first.
  void put_code(unsigned code, unsigned bits) {
    for (unsigned i = bits; i > 0; --i) put_bit(code >> (i - 1) & 1);
  }

  // The stream of these bits, for the text that they stand for.
  Data stream(std::string_view text) const {
    Data bytes = bytes_;
    std::uint32_t a = 1, b = 0;
    for (const char c : text) {
      a = (a + static_cast<std::uint8_t>(c)) % 65521;
      b = (b + a) % 65521;
    }
    for (const std::uint32_t half : {b, a}) {
      bytes.push_back(static_cast<std::uint8_t>(half >> 8));
      bytes.push_back(static_cast<std::uint8_t>(half));
    }
    return bytes;
  }

 private:
  void put_bit(unsigned bit) {
    if (used_ % 8 == 0) bytes_.push_back(0);
    bytes_.back() |= static_cast<std::uint8_t>(bit << used_++ % 8);
  }

  Data bytes_ = {0x78, 0x9c};
  std::size_t used_ = 0;
};

// The head of the last block with these code lengths. The lengths are coded with four bits for 0 to
// 14 and five for 15 and 16, so that the codes are 0, 1, ... 14, 30, 31.
BitWriter dynamic_block(const std::vector<unsigned>& lengths,
                        const std::vector<unsigned>& distances) {
  BitWriter out;
  out.put(1, 1);
  out.put(2, 2);
  out.put(static_cast<unsigned>(lengths.size()) - 257, 5);
  out.put(static_cast<unsigned>(distances.size()) - 1, 5);
  out.put(15, 4);
  for (const unsigned symbol : {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15})
    out.put(symbol < 15 ? 4 : symbol < 17 ? 5 : 0, 3);
  for (const auto* list : {&lengths, &distances})
    for (const unsigned length : *list)
      length < 15 ? out.put_code(length, 4) : out.put_code(length + 15, 5);
  return out;
}

// Codes of 1 to 15 bits for 'a' to 'o', and one of 15 bits for the end of the block.
std::vector<unsigned> codes_of_all_lengths() {
  std::vector<unsigned> lengths(257);
  for (unsigned i = 0; i < 15; ++i) lengths['a' + i] = i + 1;
  lengths[256] = 15;
  return lengths;
}

TEST(inflate_reads_the_longest_codes) {
  BitWriter out = dynamic_block(codes_of_all_lengths(), {0});
  std::string text;
  for (int round = 0; round < 3; ++round)
    for (unsigned i = 0; i < 15; ++i) {
      out.put_code((1u << (i + 1)) - 2, i + 1);
      text += static_cast<char>('a' + i);
    }
  out.put_code(0x7fff, 15);
  CHECK(unpacked(out.stream(text)) == text);
}

TEST(inflate_rejects_bad_sets_of_codes) {
  std::vector<unsigned> lengths = codes_of_all_lengths();
  const auto reason = [&](const std::vector<unsigned>& distances) {
    return rejection([&] { unpacked(dynamic_block(lengths, distances).stream("")); });
  };
  CHECK(contains(reason({1, 1, 1}), "over-full"));
  CHECK(contains(reason({2, 2, 2}), "incomplete"));
  lengths['z'] = 15;
  CHECK(contains(reason({0}), "over-full"));
  lengths['z'] = lengths['a'] = 0;
  CHECK(contains(reason({0}), "incomplete"));
  lengths['a'] = 1;
  lengths['o'] = 14;
  lengths['n'] = 15;
  lengths[256] = 0;
  CHECK(contains(reason({0}), "without an end"));
  lengths.resize(287);
  CHECK(contains(reason({0}), "too many"));
}

// One code of one bit is the incomplete set that is allowed; its other half is no code.
TEST(inflate_allows_one_code_of_one_bit) {
  std::vector<unsigned> lengths(257);
  lengths[256] = 1;
  BitWriter end = dynamic_block(lengths, {0});
  end.put_code(0, 1);
  CHECK(unpacked(end.stream("")).empty());
  BitWriter other = dynamic_block(lengths, {0});
  other.put_code(1, 1);
  CHECK(contains(rejection([&] { unpacked(other.stream("")); }), "invalid code"));
}

// A block with the fixed codes: `literals`, and then a match of three bytes.
Data fixed_match(std::string_view literals, unsigned distance_symbol, std::string_view text) {
  BitWriter out;
  out.put(1, 1);
  out.put(1, 2);
  for (const char c : literals) out.put_code(0x30 + static_cast<std::uint8_t>(c), 8);
  out.put_code(1, 7);
  out.put_code(distance_symbol, 5);
  out.put_code(0, 7);
  return out.stream(text);
}

TEST(inflate_checks_distances) {
  CHECK(unpacked(fixed_match("ab", 0, "abbbb")) == "abbbb");
  CHECK(unpacked(fixed_match("ab", 1, "ababa")) == "ababa");
  CHECK(contains(rejection([] { unpacked(fixed_match("ab", 2, "ab")); }), "too far back"));
  CHECK(contains(rejection([] { unpacked(fixed_match("ab", 30, "ab")); }), "invalid code"));
}

TEST(inflate_checks_the_header) {
  for (const std::string_view head : {"0000", "7800", "799c", "889c", "78bb", "78"})
    CHECK_THROWS(unpacked(from_hex(std::string(head) + "030000000001")), Rejection);
  CHECK(contains(rejection([] { unpacked(from_hex("789c070000000001")); }), "reserved"));
}

// ---- SHA-256 ----

TEST(sha256_gives_published_digests) {
  const auto digest = [](std::string_view text) { return Sha256::hex(bytes_of(text)); };
  CHECK(digest("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(digest("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(digest(std::string(1'000'000, 'a')) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// The padding takes one block up to 55 bytes and two from there on.
TEST(sha256_pads_right) {
  const auto digest = [](std::size_t size) {
    return Sha256::hex(bytes_of(std::string(size, 'a')));
  };
  CHECK(digest(55) == "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  CHECK(digest(56) == "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
  CHECK(digest(63) == "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34");
  CHECK(digest(64) == "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
  CHECK(digest(119) == "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb");
  CHECK(digest(120) == "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c");
}

// ---- The format ----

const std::string kHead = "game toll:1\nposition 0 - 1 0 1 k\nvalue win\nparts 1\n";
const std::string kPart = "question win:first\nprover first\nwithin -\nverdict proven\n";
const std::string kEntries = "entries 2\n=\t0 0 1 0 1 t\tpay\t1\n=\t0 1 1 0 0 t\tpay\t1\n";
const std::string kBody = kHead + kPart + kEntries + "end\n";

void read_and_verify(const std::string& body) {
  verify<Toll>(BodyReader::read(body));
}

// `body` with its first `from` replaced.
std::string with(std::string body, std::string_view from, std::string_view to) {
  const std::size_t place = body.find(from);
  CHECK_FOR(place != std::string::npos, std::string(from));
  return body.replace(place, from.size(), to);
}

TEST(format_reads_a_body) {
  const Certificate read = BodyReader::read(kBody);
  CHECK(read.game == "toll:1" && read.position == "0 - 1 0 1 k" && read.value == "win");
  CHECK(!read.data && read.parts.size() == 1 && read.parts[0].count == 2);
  CHECK(read.parts[0].proven && read.parts[0].prover == Side::first && !read.parts[0].within);
  CHECK(rejection([] { read_and_verify(kBody); }).empty());
}

TEST(format_names_the_line) {
  const auto reason = [](std::string_view from, std::string_view to) {
    return rejection([&] { read_and_verify(with(kBody, from, to)); });
  };
  CHECK(contains(reason("value win", "value won"), "line 3: expected 'value ' and then one of"));
  CHECK(contains(reason("value win", "value won"), "found 'value won'"));
  CHECK(contains(reason("parts 1", "parts 3"), "line 4: "));
  CHECK(contains(reason("win:first", "win:third"), "line 5: "));
  CHECK(contains(reason("within -", "within 3"), "line 7: "));
  CHECK(contains(reason("entries 2", "entries 02"), "line 9: "));
  CHECK(contains(reason("entries 2", "entries 1000000000000000000"), "line 9: "));
  CHECK(contains(reason("entries 2", "entries 999999999999999999"), "line 12: "));
  CHECK(contains(reason("entries 2", "entries 1"), "line 11: expected 'end'"));
  CHECK(contains(reason("pay\t1", "pay\t0"), "line 10: expected an entry"));
  CHECK(contains(reason("pay\t1", "pay\t-"), "line 10: expected an entry"));
  CHECK(contains(reason("pay\t1", "pay\t1\t1"), "line 10: expected an entry"));
  CHECK(contains(reason("pay\t1", "pay 1"), "line 10: expected an entry"));
  CHECK(contains(reason("end\n", "end\n\n"), "line 13: expected nothing"));
  CHECK(contains(reason("end\n", "end"), "line 12: expected 'end' and a line feed"));
}

TEST(format_demands_utf8) {
  const auto reason = [](std::string_view name) {
    return rejection([&] { read_and_verify(with(kBody, "toll", name)); });
  };
  for (const std::string_view bad : {"\x80", "a\xc0\x80", "\xc3", "\xe0\x80\x80", "\xed\xa0\x80",
                                     "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", "\xff"})
    CHECK_FOR(contains(reason(bad), "line 1: expected UTF-8"), std::string(bad));
  for (const std::string_view good : {"\x7f", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80"})
    CHECK_FOR(contains(reason(good), "expected the canonical game"), std::string(good));
}

// ---- The verification ----

// A certificate for a graph; the entries are given one a line.
std::string graph_body(std::string_view graph, std::string_view verdict, std::string_view entries) {
  const std::string root(graph.substr(0, graph.find(':')));
  const std::string data = "root " + root + "\n" + std::string(graph);
  const auto lines = [](std::string_view text) {
    return std::to_string(std::count(text.begin(), text.end(), '\n')) + "\n" + std::string(text);
  };
  return "game graph\ndata " + lines(data) + "position " + root + "\nvalue -\nparts 1\n" +
         "question win:first\nprover first\nwithin -\nverdict " + std::string(verdict) +
         "\nentries " + lines(entries) + "end\n";
}

std::string graph_rejection(std::string_view graph, std::string_view verdict,
                            std::string_view entries) {
  const std::string body = graph_body(graph, verdict, entries);
  return rejection([&] { verify<Graph>(BodyReader::read(body)); });
}

TEST(a_proof_must_not_go_round) {
  constexpr std::string_view kRound = "a: and b\nb: and c d\nc: and a d\nd: win\n";
  CHECK(contains(graph_rejection(kRound, "proven", ""), "comes back to 'b'"));
  CHECK(contains(graph_rejection(kRound, "proven", ""), "line of play: b c a b"));
  constexpr std::string_view kProvers = "a: or b\nb: or c d\nc: or a d\nd: ";
  CHECK(graph_rejection(std::string(kProvers) + "loss\n", "disproven", "").empty());
  CHECK(contains(graph_rejection(std::string(kProvers) + "win\n", "disproven", ""),
                 "ends with a win of first"));
}

// Two entries whose runs share positions: what one run learns of them must not fool the other.
TEST(ranks_fall_through_shared_runs) {
  constexpr std::string_view kShared =
      "a: and p q r\np: or s\nq: or x\nr: or y\ns: and t u\nx: and t\ny: and u\n"
      "t: and v\nu: and v\nv: and e f\ne: or w\nf: or w\nw: win\n";
  const auto reason = [&](const std::string& p, const std::string& q, const std::string& r) {
    const std::string entries = "=\tp\ts\t" + p + "\n=\tq\tx\t" + q + "\n=\tr\ty\t" + r + "\n";
    return graph_rejection(kShared, "proven", entries + "=\te\tw\t2\n=\tf\tw\t1\n");
  };
  CHECK(reason("3", "3", "3").empty());
  CHECK(contains(reason("2", "3", "3"), "not fall: from 2 the line reaches 'e' with rank 2"));
  CHECK(contains(reason("2", "3", "3"), "line of play: p s t v e"));
  CHECK(contains(reason("3", "2", "3"), "line of play: q x t v e"));
  CHECK(contains(reason("3", "3", "2"), "line of play: r y u v e"));
}

// Each layer doubles the lines: 2^60 of them.
TEST(runs_that_meet_again_are_walked_once) {
  const auto layers = [](const std::string& kind, const std::string& end) {
    std::string graph;
    for (int i = 0; i < 60; ++i) {
      const std::string here = std::to_string(i), next = std::to_string(i + 1);
      graph += "m" + here + kind + "a" + here + " b" + here + "\n";
      for (const char side : {'a', 'b'}) graph += side + here + kind + "m" + next + "\n";
    }
    return graph + "m60: " + end + "\n";
  };
  CHECK(graph_rejection(layers(": and ", "win"), "proven", "").empty());
  CHECK(graph_rejection(layers(": or ", "loss"), "disproven", "").empty());
  CHECK(contains(graph_rejection(layers(": and ", "draw"), "proven", ""), "ends in a draw"));
}

// A line on which the sides take turns, and the entries that prove it.
struct Chain {
  explicit Chain(int plies) {
    for (int i = 0; i < plies; ++i) {
      const std::string here = std::to_string(i), next = std::to_string(i + 1);
      graph += here + (i % 2 == 0 ? ": or " : ": and ") + next + "\n";
      if (i % 2 == 0)
        entries += "=\t" + here + "\t" + next + "\t" + std::to_string(plies - i) + "\n";
    }
    graph += std::to_string(plies) + ": win\n";
  }

  std::string graph;
  std::string entries;
};

TEST(a_line_may_have_a_million_plies) {
  const Chain chain(1'000'000);
  CHECK(graph_rejection(chain.graph, "proven", chain.entries).empty());
}

TEST(the_end_of_a_long_line_is_shown) {
  const Chain chain(1000);
  const std::string lost = with(chain.graph, ": win", ": loss");
  CHECK(contains(graph_rejection(lost, "proven", chain.entries),
                 "the line ends with a win of second\n  line of play: (940 moves) 941 942 "));
  const std::string rising = with(chain.entries, "\t20\n", "\t22\n");
  CHECK(contains(graph_rejection(chain.graph, "proven", rising), "does not fall: from 22"));
}

TEST(entries_must_serve_a_line) {
  constexpr std::string_view kIsland = "a: or w\nb: or c w\nc: and b\nw: win\n";
  const std::string entry = "=\ta\tw\t1\n";
  CHECK(graph_rejection(kIsland, "proven", entry).empty());
  CHECK(contains(graph_rejection(kIsland, "proven", entry + "=\tb\tw\t1\n"), "serves a line"));
  CHECK(contains(graph_rejection(kIsland, "proven", entry + "=\tc\tb\t1\n"), "where first moves"));
  CHECK(contains(graph_rejection(kIsland, "proven", entry + "=\tw\tw\t1\n"), "no entry at an end"));
  CHECK(contains(graph_rejection(kIsland, "proven", entry + "=\tx\tw\t1\n"), "a position ("));
  CHECK(contains(graph_rejection(kIsland, "proven", entry + entry), "one entry for a position"));
  CHECK(contains(graph_rejection(kIsland, "proven", "=\ta\tb\t1\n"), "'b' is not legal in 'a'"));
  CHECK(contains(graph_rejection(kIsland, "proven", ""), "no entry serves 'a'"));
}

// One entry with the fewest coins serves both of the traveller's positions with nothing asked.
TEST(covers_serve_what_dominates_them) {
  const auto reason = [](std::string_view entries) {
    std::string body = "game toll:2\nposition 0 - 2 0 0 k\nvalue win\nparts 1\n" + kPart;
    body += "entries 2\n" + std::string(entries) + "end\n";
    return rejection([&] { read_and_verify(body); });
  };
  CHECK(reason("~\t0 0 0 0 0 t\tpay\t2\n~\t1 0 0 0 0 t\tpay\t1\n").empty());
  CHECK(contains(reason("~\t0 0 3 0 0 t\tpay\t2\n~\t1 0 0 0 0 t\tpay\t1\n"), "no entry serves"));
  CHECK(contains(reason("=\t0 0 0 0 0 t\tpay\t2\n~\t1 0 0 0 0 t\tpay\t1\n"), "no entry serves"));
  CHECK(contains(reason("~\t0 0 0 0 0 t\tpay\t2\n~\t1 0 0 0 0 t\tpay\t2\n"), "does not fall"));
  CHECK(contains(reason("~\t0 0 0 0 0 t\tpay\t2\n~\t1 0 0 0 00 t\tpay\t1\n"), "a position ("));
  CHECK(contains(reason("~\t0 0 0 0 0 t\twait\t2\n~\t1 0 0 0 0 t\tpay\t1\n"), "not legal"));
}

// A graph with resources, to bring about what no game here can: the node "b.2" is the board "b"
// with the resource 2.
class Stocked : public Graph {
 public:
  using Graph::Graph;

  std::vector<int> resources() const {
    const std::string name = format();
    return {name.find('.') == std::string::npos ? 0 : std::stoi(name.substr(name.find('.') + 1))};
  }

  // One that is of no use: checkers go by the bytes of a board.
  Key board_key() const { return {}; }

  std::string board_bytes() const {
    const std::string name = format();
    return name.substr(0, name.find('.'));
  }
};
static_assert(HasResources<Stocked>);

std::string stocked_rejection(std::string_view graph, std::string_view entries) {
  const std::string body = graph_body(graph, "proven", entries);
  return rejection([&] { verify<Stocked>(BodyReader::read(body)); });
}

// The cover entry with the lowest rank serves, then the one with the smallest resources; an exact
// one goes before. If its rank does not fit, no other is tried.
TEST(covers_are_taken_in_order) {
  constexpr std::string_view kGraph =
      "a: and b.3 c\nb.1: or x\nb.2: or w\nb.3: or w\nc: or d\nd: and b.3\nx: and w\nw: win\n";
  const std::string c = "=\tc\td\t2\n", low = "~\tb.2\tw\t1\n", high = "~\tb.2\tw\t5\n";
  const std::string other_low = "~\tb.1\tx\t1\n";
  CHECK(stocked_rejection(kGraph, c + low).empty());
  CHECK(contains(stocked_rejection(kGraph, c + high), "does not fall"));
  CHECK(contains(stocked_rejection(kGraph, c + low + "~\tb.1\tx\t2\n"), "serves a line"));
  for (const std::string& both : {low + other_low, other_low + low})
    CHECK(contains(stocked_rejection(kGraph, c + both), "'x' is not legal in 'b.3'"));
  CHECK(contains(stocked_rejection(kGraph, c + low + "=\tb.3\tw\t2\n"), "does not fall"));
}

// A graph whose nodes name the scores that are left: "b.3.9" are 3 to 9.
class Named : public Graph {
 public:
  using Graph::Graph;

  Scores scores() const {
    const std::string name = format();
    const std::size_t first = name.find('.'), second = name.rfind('.');
    if (first == std::string::npos) return Graph::scores();
    return {std::stoi(name.substr(first + 1)), std::stoi(name.substr(second + 1))};
  }
};
static_assert(HasScore<Named>);

std::string named_rejection(std::string_view graph, const std::string& entries) {
  std::string body = graph_body(graph, "proven", entries);
  body.replace(body.find("win:first"), 9, "score>=7");
  return rejection([&] { verify<Named>(BodyReader::read(body)); });
}

TEST(scores_never_part_further_after_a_move) {
  const auto graph = [](const std::string& middle) {
    return "a.0.9: or " + middle + "\n" + middle + ": and c\nc: score 7\n";
  };
  CHECK(named_rejection(graph("b.3.8"), "=\ta.0.9\tb.3.8\t1\n").empty());
  CHECK(contains(named_rejection(graph("b.3.10"), "=\ta.0.9\tb.3.10\t1\n"),
                 "scores from 3 to 10 after a move, and from 0 to 9 before it"));
  CHECK(contains(named_rejection(graph("b.3.6"), "=\ta.0.9\tb.3.6\t1\n"), "out of reach"));
}

}  // namespace
}  // namespace andorra::checker
