// Sizes of memory as texts: the grammar of `andorra solve --memory`, and the default limit.
#pragma once

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace andorra::checker {

inline constexpr std::size_t kSmallestMemory = std::size_t{1} << 20;
inline constexpr std::size_t kMemoryEnd = std::size_t{1} << 50;  // beyond the largest

// The power of two that a unit stands for: "", "KiB", "mb", "G", ...
inline std::optional<unsigned> shift_of(std::string_view unit) {
  constexpr std::string_view kUnits = "kmgt";
  std::string lower(unit);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const std::size_t known = lower.empty() ? std::string::npos : kUnits.find(lower[0]);
  const std::string_view rest = std::string_view(lower).substr(known == std::string::npos ? 0 : 1);
  if (!rest.empty() && rest != "b" && rest != "ib") return {};
  return known == std::string::npos ? 0 : 10 * (static_cast<unsigned>(known) + 1);
}

// "512MiB", "2GiB", "1.5g" or a number of bytes; none if `text` is no size or out of range.
inline std::optional<std::size_t> read_size(std::string text) {
  constexpr std::string_view kDigits = "0123456789";
  text.erase(0, text.find_first_not_of(' '));
  text.erase(text.find_last_not_of(' ') + 1);
  const std::size_t whole = std::min(text.find_first_not_of(kDigits), text.size());
  std::size_t end = whole;
  if (whole > 0 && text.substr(whole, 1) == ".") {
    end = std::min(text.find_first_not_of(kDigits, whole + 1), text.size());
    if (end == whole + 1) return {};
  }
  const std::size_t unit = std::min(text.find_first_not_of(' ', end), text.size());
  const std::optional<unsigned> shift = shift_of(std::string_view(text).substr(unit));
  if (whole == 0 || !shift) return {};
  const double number = std::strtod(text.substr(0, end).c_str(), nullptr);
  const double bytes = std::min(number, 1e18) * static_cast<double>(std::size_t{1} << *shift);
  if (bytes < kSmallestMemory || bytes >= static_cast<double>(kMemoryEnd)) return {};
  return static_cast<std::size_t>(bytes);
}

// 2147483648 as "2 GiB", with one decimal where there is need for one.
inline std::string shown_size(std::size_t bytes) {
  const bool large = bytes >= std::size_t{1} << 30;
  const double tenths = static_cast<double>(bytes) * 10 / (large ? 1 << 30 : 1 << 20);
  std::array<char, 64> text{};
  const auto rounded = static_cast<unsigned long long>(tenths + 0.5);
  std::snprintf(text.data(), text.size(), rounded % 10 == 0 ? "%llu" : "%llu.%llu", rounded / 10,
                rounded % 10);
  return text.data() + std::string(large ? " GiB" : " MiB");
}

// A quarter of what this process may have, and no more than 2 GiB, as for searches.
inline std::size_t default_memory() {
  const long page = sysconf(_SC_PAGE_SIZE), pages = sysconf(_SC_PHYS_PAGES);
  if (page <= 0 || pages <= 0) return kSmallestMemory << 11;
  std::size_t total = static_cast<std::size_t>(page) * static_cast<std::size_t>(pages);
  rlimit most{};
  if (getrlimit(RLIMIT_AS, &most) == 0 && most.rlim_cur != RLIM_INFINITY)
    total = std::min<std::size_t>(total, most.rlim_cur);
  return std::clamp(total / 4, kSmallestMemory, std::size_t{2} << 30);
}

}  // namespace andorra::checker
