// andorra-check: verifies certificates (docs/certificate.md) of the built-in games.
//
// Exit code: 0 all files verified, 1 some rejected, 2 wrong usage, 3 some could not be read (and
// none was rejected). A line a file, in the order given; further lines of a file are indented.
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "errors.hpp"
#include "format.hpp"
#include "games/list.hpp"
#include "interface.hpp"
#include "rejection.hpp"

namespace andorra::checker {
namespace {

constexpr std::string_view kUsage =
    "usage: andorra-check [--quiet] FILE...\n"
    "       andorra-check [--quiet] --stdin-list\n";

constexpr std::string_view kHelp =
    "\n"
    "Verifies certificates of the built-in games: follows every line of play that the strategy\n"
    "in a file allows, and rejects the file unless all of them show what it claims.\n"
    "\n"
    "  --quiet       print only what was not verified, in one line a file\n"
    "  --stdin-list  read the names of the files from standard input, one a line\n"
    "  --help        print this and exit\n"
    "  --version     print the version and exit\n"
    "\n"
    "Exit code: 0 all verified, 1 some rejected, 2 wrong usage, 3 some unreadable.\n";

constexpr std::string_view kVersion = "andorra-check 1\n";

struct GameRow {
  std::string_view name;
  Verified (*verify)(const Certificate&);
};

#define ANDORRA_CHECKER_ROW(Class, name) {name, &verify<Class>},
constexpr GameRow kGames[] = {ANDORRA_GAMES(ANDORRA_CHECKER_ROW)};
#undef ANDORRA_CHECKER_ROW

enum Exit { kVerified = 0, kRejected = 1, kUsageError = 2, kUnreadable = 3 };

struct Options {
  bool quiet = false;
  bool stdin_list = false;
  std::vector<std::string> files;
};

struct Unreadable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::vector<std::uint8_t> read_file(const std::string& name) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(name.c_str(), "rb"),
                                                             &std::fclose);
  if (!file) throw Unreadable(std::strerror(errno));
  std::vector<std::uint8_t> bytes;
  for (std::size_t room = 1 << 16;; room = bytes.size()) {
    const std::size_t size = bytes.size();
    bytes.resize(size + room);
    const std::size_t got = std::fread(bytes.data() + size, 1, room, file.get());
    bytes.resize(size + got);
    if (std::ferror(file.get()) != 0) throw Unreadable(std::strerror(errno));
    if (got < room) return bytes;
  }
}

// 1234567 as "1,234,567".
std::string grouped(Count number) {
  std::string text = std::to_string(number);
  for (std::size_t place = text.size(); place > 3; place -= 3) text.insert(place - 3, 1, ',');
  return text;
}

std::string question_text(const Part& part) {
  if (part.score) return std::string(part.question);
  return "win:" + std::string(side_name(part.prover)) +
         (part.within ? "<=" + std::to_string(*part.within) : "");
}

std::string summary(const Part& part) {
  return question_text(part) + (part.proven ? " proven (" : " disproven (") + grouped(part.count) +
         (part.count == 1 ? " entry)" : " entries)");
}

// The score is known exactly if nothing lies between the two.
std::string score_shown(const Part& reached, const Part& better) {
  const bool exact = std::abs(*better.score - *reached.score) == 1;
  return exact ? ", score " + std::to_string(*reached.score) : "";
}

// What the two parts say together, if that is how long the win takes, or a score.
std::string length_shown(const std::vector<Part>& parts) {
  if (parts.size() != 2 || !parts[0].proven) return "";
  if (parts[0].score) return score_shown(parts[0], parts[1]);
  const std::string bound =
      parts[0].within ? " within " + std::to_string(*parts[0].within) + " plies" : "";
  return ", won" + bound + " and not within " + std::to_string(*parts[1].within);
}

std::string summary(const Certificate& certificate, const Verified& verified) {
  std::string text(certificate.game);
  if (!verified.from_start) text += " at " + quoted(certificate.position);
  std::string_view separator = "  ";
  for (const Part& part : certificate.parts) {
    text += std::string(separator) + summary(part);
    separator = ", ";
  }
  text += length_shown(certificate.parts);
  if (certificate.value != "-") text += ", value " + std::string(certificate.value);
  return text;
}

Verified verify_any(const Certificate& certificate) {
  const std::string_view name = certificate.game.substr(0, certificate.game.find(':'));
  for (const GameRow& row : kGames)
    if (row.name == name) return row.verify(certificate);
  throw Rejection("game " + quoted(name) +
                  " is not built in; use: andorra check --rules MODULE:CLASS FILE");
}

// Verifies one file; what was found.
std::string check_file(const std::string& name) {
  const std::vector<std::uint8_t> bytes = read_file(name);
  const Text body = unpack_file(bytes);
  const Certificate certificate = BodyReader::read(body.view());
  const Verified verified = verify_any(certificate);
  return summary(certificate, verified);
}

void report(std::string_view status, const std::string& name, std::string text, bool quiet) {
  if (quiet) text = text.substr(0, text.find('\n'));
  std::cout << status << "  " << printable(name) << ": " << printable(text, LineFeeds::kept)
            << '\n';
}

Exit run_file(const std::string& name, bool quiet) {
  try {
    const std::string found = check_file(name);
    if (!quiet) report("verified", name, found, quiet);
    return kVerified;
  } catch (const Unreadable& error) {
    report("unreadable", name, error.what(), quiet);
  } catch (const std::bad_alloc&) {
    report("unreadable", name, "not enough memory", quiet);
  } catch (const std::exception& error) {
    report("rejected", name, error.what(), quiet);
    return kRejected;
  }
  return kUnreadable;
}

Exit run(const Options& options) {
  bool rejected = false, unreadable = false;
  const auto check = [&](const std::string& name) {
    const Exit result = run_file(name, options.quiet);
    rejected |= result == kRejected;
    unreadable |= result == kUnreadable;
  };
  for (const std::string& name : options.files) check(name);
  if (options.stdin_list)
    for (std::string name; std::getline(std::cin, name);) check(name);
  if (!std::cout.flush()) return kUnreadable;
  return rejected ? kRejected : unreadable ? kUnreadable : kVerified;
}

Exit usage_error(const std::string& what) {
  std::cerr << "andorra-check: " << what << '\n' << kUsage;
  return kUsageError;
}

Exit main_of(const std::vector<std::string>& arguments) {
  Options options;
  bool names_only = false;
  for (const std::string& argument : arguments) {
    if (names_only || argument.empty() || argument[0] != '-') {
      options.files.push_back(argument);
    } else if (argument == "--") {
      names_only = true;
    } else if (argument == "--quiet") {
      options.quiet = true;
    } else if (argument == "--stdin-list") {
      options.stdin_list = true;
    } else if (argument == "--help") {
      std::cout << kUsage << kHelp;
      return kVerified;
    } else if (argument == "--version") {
      std::cout << kVersion;
      return kVerified;
    } else {
      return usage_error("unknown option " + quoted(argument));
    }
  }
  if (options.files.empty() == !options.stdin_list)
    return usage_error("expected files, or --stdin-list, and not both");
  return run(options);
}

}  // namespace
}  // namespace andorra::checker

int main(int count, char** arguments) {
  std::ios::sync_with_stdio(false);
  return andorra::checker::main_of({arguments + 1, arguments + count});
}
