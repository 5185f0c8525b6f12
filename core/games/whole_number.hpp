// Whole numbers in their one spelling: no plus sign, no leading zeros, no minus zero, at most nine
// digits. Scores are written so, in graph files and in questions.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace andorra {

// None if `text` is anything else.
inline std::optional<std::int32_t> whole_number(std::string_view text) {
  constexpr std::size_t kMostDigits = 9;
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  if (digits.size() > kMostDigits || (digits.starts_with('0') && text != "0")) return {};
  std::int32_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [read_to, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || read_to != end) return {};
  return number;
}

}  // namespace andorra
