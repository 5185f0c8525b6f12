// A stack of plain records that grows and never shrinks its memory: the children of all open nodes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

namespace andorra {

template <class T>
class Arena {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  // Room for `count` more, not yet part of the stack; pointers into the arena become invalid.
  T* reserve(std::size_t count) {
    if (size_ + count > capacity_) grow(size_ + count);
    return items_.get() + size_;
  }

  void resize(std::size_t size) { size_ = size; }

  T& operator[](std::size_t i) { return items_[i]; }
  std::span<T> from(std::size_t first) { return {items_.get() + first, size_ - first}; }
  std::span<T> between(std::size_t first, std::size_t end) {
    return from(first).first(end - first);
  }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return capacity_ * sizeof(T); }

 private:
  void grow(std::size_t wanted) {
    capacity_ = std::max(wanted, 2 * capacity_);
    auto larger = std::make_unique_for_overwrite<T[]>(capacity_);
    std::copy_n(items_.get(), size_, larger.get());
    items_ = std::move(larger);
  }

  std::size_t size_ = 0;
  std::size_t capacity_ = 64;
  std::unique_ptr<T[]> items_ = std::make_unique_for_overwrite<T[]>(64);
};

}  // namespace andorra
