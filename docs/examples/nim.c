/* Nim for the game ABI: take any number from one heap; who takes the last piece wins. */
#include <stdio.h>
#include <string.h>

#include "abi.h"

enum { HEAPS = 3, SIDE = HEAPS, BYTES = HEAPS + 1, LARGEST = 9 };

static int32_t initial(uint8_t* state) {
  const uint8_t start[BYTES] = {1, 2, 3, 0};
  memcpy(state, start, BYTES);
  return 1;
}

static int32_t describe(const uint8_t* state, uint8_t* status) {
  unsigned pieces = 0, outcome = ANDORRA_ONGOING;
  for (int heap = 0; heap < HEAPS; ++heap) {
    if (state[heap] > LARGEST) return 0; /* no position */
    pieces += state[heap];
  }
  if (state[SIDE] > 1) return 0;
  if (pieces == 0) outcome = state[SIDE] == 1 ? ANDORRA_FIRST_WINS : ANDORRA_SECOND_WINS;
  *status = ANDORRA_STATUS(state[SIDE], outcome);
  return 1;
}

static int32_t expand(const uint8_t* state, uint8_t* children, uint32_t* moves, uint8_t* status) {
  int32_t count = 0;
  for (int heap = 0; heap < HEAPS; ++heap)
    for (int take = 1; take <= state[heap]; ++take, ++count) {
      uint8_t* child = children + count * BYTES;
      memcpy(child, state, BYTES);
      child[heap] -= take;
      child[SIDE] ^= 1;
      moves[count] = 10 * heap + take;
      if (describe(child, &status[count]) == 0) return 0;
    }
  return 1 + count;
}

static int32_t format_state(const uint8_t* state, char* text, uint32_t capacity) {
  const char side = state[SIDE] == 0 ? 'x' : 'o';
  return 1 + snprintf(text, capacity, "%d,%d,%d %c", state[0], state[1], state[2], side);
}

static int32_t parse_state(const char* text, uint8_t* state) {
  if (strlen(text) != 7 || text[1] != ',' || text[3] != ',' || text[5] != ' ') return 0;
  for (int heap = 0; heap < HEAPS; ++heap) {
    if (text[2 * heap] < '0' || text[2 * heap] > '9') return 0;
    state[heap] = (uint8_t)(text[2 * heap] - '0');
  }
  if (text[6] != 'x' && text[6] != 'o') return 0;
  state[SIDE] = text[6] == 'o';
  return 1;
}

static int32_t format_move(const uint8_t* state, uint32_t move, char* text, uint32_t capacity) {
  (void)state;
  return 1 + snprintf(text, capacity, "%c%u", 'a' + (int)(move / 10), (unsigned)(move % 10));
}

const andorra_rules_v1* andorra_rules(void) {
  static const andorra_rules_v1 rules = {
      .abi_version = ANDORRA_ABI_VERSION,
      .state_bytes = BYTES,
      .max_moves = HEAPS * LARGEST,
      .flags = ANDORRA_ACYCLIC | ANDORRA_NO_DRAWS,
      .initial = initial,
      .describe = describe,
      .expand = expand,
      .format_state = format_state,
      .parse_state = parse_state,
      .format_move = format_move,
      .name = "nim",
      .parameters = "1,2,3",
  };
  return &rules;
}
