/* The game ABI, version 1: rules of a game as C functions, for games compiled outside of the core.
 *
 * Idea: one *batched* call `expand` gives all children of a position with their status, so that the
 * search pays one indirect call a node. docs/abi.md explains it with examples that run.
 *
 * Contract:
 *   - A state is `state_bytes` bytes that the functions alone understand, and it is canonical:
 * equal bytes exactly for equal positions (so no padding and no pointers). The core makes its
 * 128-bit keys of these bytes.
 *   - Every function returns a positive number on success and 0 on an error; a function compiled
 *     with Numba returns 0 when an exception passes through it. Negative numbers are errors, too.
 *   - Functions are pure: the same input gives the same output, moves in the same order, and the
 *     input is not changed. They may be called from several threads at once.
 *   - Arrays of states start at a multiple of 16 bytes and have no gaps, so a state is aligned to
 *     the largest power of two, up to 16, that divides `state_bytes`.
 *   - The struct and everything it points to stay as they are while a game uses them.
 *
 * Version: a later version gets a struct, and an exported function, of its own; this one stays.
 */
#ifndef ANDORRA_ABI_H
#define ANDORRA_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ANDORRA_ABI_VERSION 1u

/* Limits that a game must keep. */
#define ANDORRA_MAX_STATE_BYTES 4096u
#define ANDORRA_MAX_MOVES 65535u
#define ANDORRA_MAX_TEXT_BYTES 1048576u

/* Flags. A game that sets one and breaks it is stopped with an error when that is seen. */
#define ANDORRA_ACYCLIC 1u  /* no position can come again */
#define ANDORRA_NO_DRAWS 2u /* no line ends in a draw */

/* Outcomes. Sides: 0 is the player who moves first in the initial position, 1 the other one. */
#define ANDORRA_ONGOING 0u
#define ANDORRA_FIRST_WINS 1u
#define ANDORRA_SECOND_WINS 2u
#define ANDORRA_DRAW 3u

/* A status byte: bit 0 is the side to move, bits 1 and 2 the outcome, all others are zero. */
#define ANDORRA_STATUS(side, outcome) ((uint8_t)((unsigned)(side) | ((unsigned)(outcome) << 1)))

typedef struct andorra_rules_v1 {
  uint32_t abi_version; /* ANDORRA_ABI_VERSION */
  uint32_t state_bytes; /* 1 to ANDORRA_MAX_STATE_BYTES */
  uint32_t max_moves;   /* 1 to ANDORRA_MAX_MOVES: no position has more moves than this */
  uint32_t flags;       /* ANDORRA_ACYCLIC, ANDORRA_NO_DRAWS; all other bits are zero */

  /* Writes the position at which the game starts. */
  int32_t (*initial)(uint8_t* state);

  /* Writes the status of a position; 0 if the bytes are no position. */
  int32_t (*describe)(const uint8_t* state, uint8_t* status);

  /* Writes, for every legal move in a stable order, the state after it, the code of the move (a
   * number unique among the moves of this position) and the status of the state after it. Each
   * array has room for max_moves. Returns 1 + the number of moves, so 1 exactly at an end. */
  int32_t (*expand)(const uint8_t* state, uint8_t* child_states, uint32_t* moves,
                    uint8_t* child_status);

  /* Optional (null: states are written as hexadecimal digits, moves as decimal codes); the first
   * two are both given or both null. Text is printable ASCII and not empty, equal exactly for equal
   * positions; a move's is without spaces and unique among the moves of the position. Writers
   * write at most `capacity` bytes and return 1 + the length of the whole text, as
   * 1 + snprintf(...) does; if the length is not below `capacity` they are called again with more
   * room. The reader gets text that ends with a zero byte, and returns 0 if it is no position. */
  int32_t (*format_state)(const uint8_t* state, char* text, uint32_t capacity);
  int32_t (*parse_state)(const char* text, uint8_t* state);
  int32_t (*format_move)(const uint8_t* state, uint32_t move, char* text, uint32_t capacity);

  /* Optional: after a function has returned 0 for this state, says why, for the error message. */
  int32_t (*explain)(const uint8_t* state, char* text, uint32_t capacity);

  const char* name;       /* of the game: not empty, no white space, no colon */
  const char* parameters; /* in canonical spelling, no white space; null is the same as "" */
} andorra_rules_v1;

#if defined(_WIN32)
#define ANDORRA_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define ANDORRA_EXPORT __attribute__((visibility("default")))
#else
#define ANDORRA_EXPORT
#endif

/* What a shared library exports. Null is an error. */
ANDORRA_EXPORT const andorra_rules_v1* andorra_rules(void);

#ifdef __cplusplus
}
#endif

#endif /* ANDORRA_ABI_H */
