// Simple undirected graphs of at most 62 vertices, and their texts: graph6, or a list of edges.
//
// Idea: a graph is a set of vertices for each vertex, as bits: itself and those that an edge leads
// to, which is what a piece that may stay can reach in one step.
// Source: McKay's description of graph6 (formats.txt of nauty). n + 63, then a bit for each pair of
// vertices, (0,1), (0,2), (1,2), (0,3), ..., six a character, the first one highest, plus 63.
// Invariant: near[v] has bit v exactly if v is a vertex, near is symmetric, and it is empty beyond
// the last vertex; so the sets tell graphs of all sizes apart.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "game.hpp"
#include "games/state_key.hpp"
#include "games/text_reader.hpp"
#include "secret.hpp"

namespace andorra {

struct SmallGraph {
  static constexpr int kMostVertices = 62;

  int vertices = 0;
  std::array<std::uint64_t, kMostVertices> near{};

  bool has_edge(int a, int b) const { return a != b && (near[a] >> b & 1); }

  void add_vertices(int up_to) {
    for (; vertices <= up_to; ++vertices) near[vertices] = std::uint64_t{1} << vertices;
  }

  void add_edge(int a, int b) {
    near[a] |= std::uint64_t{1} << b;
    near[b] |= std::uint64_t{1} << a;
  }

  Key key() const {
    Key key;
    for (std::size_t v = 0; v < near.size(); v += 2)
      key = mixed({key.board ^ near[v], key.rest ^ near[v + 1]});
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(near.data());
    return with_check(key, StateCheck::of(bytes, sizeof near));
  }
};

// The rules of graph6, which reading and writing share.
namespace graph6 {

constexpr int kOffset = 63;
constexpr int kBits = 6;  // a character

constexpr int pairs(int vertices) {
  return vertices * (vertices - 1) / 2;
}

constexpr int characters(int vertices) {
  return 1 + (pairs(vertices) + kBits - 1) / kBits;
}

inline std::string length_rule(int vertices) {
  return "graph6 of " + std::to_string(vertices) + " vertices has " +
         std::to_string(characters(vertices)) + " characters";
}

// Calls visit(a, b) for each pair a < b in the order of the bits.
template <class Visit>
void each_pair(int vertices, Visit visit) {
  for (int b = 1; b < vertices; ++b)
    for (int a = 0; a < b; ++a) visit(a, b);
}

inline bool at_end_of_field(const TextReader& reader) {
  return reader.at_end() || reader.text()[reader.place()] == ' ';
}

inline int read_character(TextReader& reader) {
  constexpr char kLowest = '?';
  constexpr char kHighest = '~';
  const char c = reader.at_end() ? '\0' : reader.text()[reader.place()];
  if (c < kLowest || c > kHighest) reader.fail("graph6 has characters from '?' to '~' only");
  reader.skip(c);
  return c - kOffset;
}

inline int read_vertices(TextReader& reader) {
  if (at_end_of_field(reader)) reader.fail("expected a graph: graph6, or edges such as 0-1,1-2");
  const std::size_t place = reader.place();
  const int vertices = read_character(reader);
  if (vertices < 1 || vertices > SmallGraph::kMostVertices)
    reader.fail_at(place, "expected graph6 of 1 to 62 vertices");
  return vertices;
}

inline SmallGraph read(TextReader& reader) {
  SmallGraph graph;
  graph.add_vertices(read_vertices(reader) - 1);
  int bits = 0;
  int left = 0;
  each_pair(graph.vertices, [&](int a, int b) {
    if (left == 0) {
      if (at_end_of_field(reader)) reader.fail(length_rule(graph.vertices));
      bits = read_character(reader);
      left = kBits;
    }
    if (bits >> --left & 1) graph.add_edge(a, b);
  });
  if (!at_end_of_field(reader)) reader.fail(length_rule(graph.vertices));
  if (bits & ((1 << left) - 1))
    reader.fail_at(reader.place() - 1, "the last bits of this graph6 are no edges: expected zeros");
  return graph;
}

inline std::string write(const SmallGraph& graph) {
  std::string text(1, static_cast<char>(graph.vertices + kOffset));
  int left = 0;
  each_pair(graph.vertices, [&](int a, int b) {
    if (left == 0) {
      text += static_cast<char>(kOffset);
      left = kBits;
    }
    text.back() = static_cast<char>(text.back() + (graph.has_edge(a, b) << --left));
  });
  return text;
}

}  // namespace graph6

inline void read_edge(TextReader& reader, SmallGraph& graph) {
  constexpr int kLast = SmallGraph::kMostVertices - 1;
  const std::size_t place = reader.place();
  const int a = reader.number(0, kLast, "a vertex");
  if (!reader.skip('-')) return graph.add_vertices(a);
  const int b = reader.number(0, kLast, "a vertex");
  if (a == b) reader.fail_at(place, "this joins a vertex to itself");
  graph.add_vertices(std::max(a, b));
  if (graph.has_edge(a, b)) reader.fail_at(place, "this edge is there twice");
  graph.add_edge(a, b);
}

// Reads up to the next space or the end.
inline SmallGraph read_graph(TextReader& reader) {
  if (!reader.at_digit()) {
    constexpr std::string_view kHeader = ">>graph6<<";
    if (reader.text().substr(reader.place()).starts_with(kHeader))
      for (char c : kHeader) reader.expect(c);
    return graph6::read(reader);
  }
  SmallGraph graph;
  do {
    read_edge(reader, graph);
  } while (reader.skip(','));
  if (!graph6::at_end_of_field(reader)) reader.fail("expected ',' and an edge, or a space");
  return graph;
}

}  // namespace andorra
