// Zeroed memory that is reserved whole and becomes real when it is touched.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>

namespace andorra {

template <class T>
class Reserved {
 public:
  explicit Reserved(std::size_t count) : bytes_(count * sizeof(T)) {
    void* block = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (block == MAP_FAILED) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    madvise(block, bytes_, MADV_HUGEPAGE);  // look-ups are random: pages of 4 KiB thrash the TLB
#endif
    items_ = static_cast<T*>(block);
  }
  ~Reserved() { munmap(static_cast<void*>(items_), bytes_); }
  Reserved(const Reserved&) = delete;
  Reserved& operator=(const Reserved&) = delete;

  T& operator[](std::size_t i) const { return items_[i]; }

 private:
  std::size_t bytes_;
  T* items_ = nullptr;
};

}  // namespace andorra
