// Why a certificate was not accepted. Everything in the checker that finds a fault throws this, so
// that nothing but a run to the very end can accept a file.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace andorra::checker {

struct Rejection : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// `text` in quotes, cut and with control characters replaced, fit for one line of a terminal.
inline std::string quoted(std::string_view text) {
  constexpr std::size_t kShown = 160;
  std::string shown = "'";
  for (const char c : text.substr(0, kShown)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\t') {
      shown += "\\t";
    } else {
      shown += byte < 0x20 || byte == 0x7f ? '?' : c;
    }
  }
  return shown + (text.size() > kShown ? "'..." : "'");
}

}  // namespace andorra::checker
