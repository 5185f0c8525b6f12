// How much memory the checker may take, and how much it has.
//
// Idea: every block comes from here. In the program, operator new does so too (memory.cpp), which
// makes the limit hold for all containers at once, whatever a file makes grow.
// Invariant: used_ is what the blocks take of the heap, with what malloc adds to them, and at most
// limit_ but for that addition. One thread only.
#pragma once

#include <malloc.h>

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>

namespace andorra::checker {

// The limit on memory would be passed: the file is neither verified nor rejected.
struct TooLarge : std::bad_alloc {
  const char* what() const noexcept override { return "too large"; }
};

class Memory {
 public:
  static void set_limit(std::size_t bytes) { limit_ = bytes; }
  static std::size_t limit() { return limit_; }

  static void* allocate(std::size_t bytes) {
    demand(bytes, used_);
    return counted(std::malloc(bytes == 0 ? 1 : bytes));
  }

  static void* allocate(std::size_t bytes, std::size_t alignment) {
    const std::size_t whole = (bytes + alignment - 1) / alignment * alignment;
    demand(whole, used_);
    return counted(std::aligned_alloc(alignment, whole));
  }

  // The block with another size, perhaps elsewhere; on an exception it stays as it is. Large blocks
  // move without a copy, so they count once.
  static void* resize(void* block, std::size_t bytes) {
    const std::size_t before = size_of(block);
    demand(bytes, used_ - before);
    void* const moved = std::realloc(block, bytes);
    if (moved == nullptr) throw std::bad_alloc();
    used_ -= before;
    return counted(moved);
  }

  static void release(void* block) noexcept {
    used_ -= size_of(block);
    std::free(block);
  }

 private:
  static constexpr std::size_t kHeader = sizeof(std::size_t);

  static std::size_t size_of(void* block) {
    return block == nullptr ? 0 : malloc_usable_size(block) + kHeader;
  }

  static void demand(std::size_t bytes, std::size_t used) {
    if (used > limit_ || bytes > limit_ - used) throw TooLarge();
  }

  static void* counted(void* block) {
    if (block == nullptr) throw std::bad_alloc();
    used_ += size_of(block);
    return block;
  }

  static inline std::size_t limit_ = std::numeric_limits<std::size_t>::max();
  static inline std::size_t used_ = 0;
};

}  // namespace andorra::checker
