// Where the entries of a certificate go, line by line as docs/certificate.md says.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace andorra {

class Sink {
 public:
  using Write = std::function<void(std::string_view)>;

  explicit Sink(Write write) : write_(std::move(write)) {}

  void entry(char kind, std::string_view position, std::string_view move, std::string_view rank,
             std::string_view plies) {
    ++count_;
    buffer_ += kind;
    for (std::string_view field : {position, move, rank}) (buffer_ += '\t') += field;
    if (!plies.empty()) (buffer_ += '\t') += plies;
    buffer_ += '\n';
    if (buffer_.size() >= kChunk) flush();
  }

  void flush() {
    if (!buffer_.empty()) write_(buffer_);
    buffer_.clear();
  }

  std::uint64_t count() const { return count_; }

 private:
  static constexpr std::size_t kChunk = std::size_t{1} << 16;

  Write write_;
  std::string buffer_;
  std::uint64_t count_ = 0;
};

}  // namespace andorra
