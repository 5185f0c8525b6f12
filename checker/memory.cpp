// operator new and delete of the program, by which the limit on memory covers every container.
// The forms for arrays, and those that do not throw, are made from these by the library.
#include "memory.hpp"

using andorra::checker::Memory;

void* operator new(std::size_t bytes) {
  return Memory::allocate(bytes);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return Memory::allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* block) noexcept {
  Memory::release(block);
}
void operator delete(void* block, std::size_t) noexcept {
  Memory::release(block);
}
void operator delete(void* block, std::align_val_t) noexcept {
  Memory::release(block);
}
void operator delete(void* block, std::size_t, std::align_val_t) noexcept {
  Memory::release(block);
}
