// andorra-check: verifies certificates (docs/certificate.md) of the built-in games.
//
// Exit code: 0 all files verified, 1 some rejected, 2 wrong usage, 3 some could not be read or are
// too large (and none was rejected). A line a file, in the order given; further lines of a file are
// indented.
#include <malloc.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "errors.hpp"
#include "format.hpp"
#include "games/list.hpp"
#include "interface.hpp"
#include "memory.hpp"
#include "rejection.hpp"
#include "size.hpp"

namespace andorra::checker {
namespace {

constexpr std::string_view kUsage =
    "usage: andorra-check [--quiet] [--memory SIZE] FILE...\n"
    "       andorra-check [--quiet] [--memory SIZE] --stdin-list\n";

constexpr std::string_view kHelp =
    "\n"
    "Verifies certificates of the built-in games: follows every line of play that the strategy\n"
    "in a file allows, and rejects the file unless all of them show what it claims.\n"
    "\n"
    "  --quiet       print only what was not verified, in one line a file\n"
    "  --memory SIZE the most memory to use: 512MiB, 2GiB, ...; by default a quarter of the\n"
    "                machine's and at most 2GiB, which is {} here\n"
    "  --stdin-list  read the names of the files from standard input, one a line\n"
    "  --help        print this and exit\n"
    "  --version     print the version and exit\n"
    "\n"
    "Exit code: 0 all verified, 1 some rejected, 2 wrong usage, 3 some unreadable or too large.\n";

std::string help() {
  constexpr std::string_view kPlace = "{}";
  std::string text(kHelp);
  return text.replace(text.find(kPlace), kPlace.size(), shown_size(default_memory()));
}

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
  std::size_t memory = default_memory();
  std::vector<std::string> files;
};

struct Unreadable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The whole file; what does not even start as a certificate is not read on, for it may have no end.
Text read_file(const std::string& name) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(name.c_str(), "rb"),
                                                             &std::fclose);
  if (!file) throw Unreadable(std::strerror(errno));
  constexpr std::size_t kChunk = 1 << 16;
  Text text;
  for (std::size_t got = kChunk; got == kChunk;) {
    text.make_room(kChunk);
    got = std::fread(text.end(), 1, kChunk, file.get());
    text.set_end(text.end() + got);
    if (std::ferror(file.get()) != 0) throw Unreadable(std::strerror(errno));
    check_header(text.view());
  }
  return text;
}

Text unpack(const std::string& name) {
  const Text file = read_file(name);
  return unpack_file({file.bytes(), file.view().size()});
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
  const Text body = unpack(name);
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
  } catch (const TooLarge&) {
    report("too large", name, "too large for " + shown_size(Memory::limit()), quiet);
  } catch (const std::bad_alloc&) {
    report("too large", name, "too large for the memory that there is", quiet);
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
  unreadable |= std::cin.bad();
  if (!std::cout.flush()) return kUnreadable;
  return rejected ? kRejected : unreadable ? kUnreadable : kVerified;
}

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::size_t memory_of(const std::string& text) {
  if (const std::optional<std::size_t> size = read_size(text)) return *size;
  throw UsageError("--memory " + quoted(text) + ": expected 512MiB, 2GiB, ..., at least 1MiB");
}

// Reads one option, which may take the next argument as well.
void read_option(const std::vector<std::string>& arguments, std::size_t& place, Options& options) {
  constexpr std::string_view kMemory = "--memory";
  const std::string& argument = arguments[place];
  if (argument == "--quiet") {
    options.quiet = true;
  } else if (argument == "--stdin-list") {
    options.stdin_list = true;
  } else if (argument.starts_with("--memory=")) {
    options.memory = memory_of(argument.substr(kMemory.size() + 1));
  } else if (argument == kMemory) {
    if (++place == arguments.size()) throw UsageError("expected a size after --memory");
    options.memory = memory_of(arguments[place]);
  } else {
    throw UsageError("unknown option " + quoted(argument));
  }
}

Options options_of(const std::vector<std::string>& arguments) {
  Options options;
  bool names_only = false;
  for (std::size_t place = 0; place < arguments.size(); ++place) {
    const std::string& argument = arguments[place];
    if (names_only || argument.empty() || argument[0] != '-')
      options.files.push_back(argument);
    else if (argument == "--")
      names_only = true;
    else
      read_option(arguments, place, options);
  }
  if (options.files.empty() == !options.stdin_list)
    throw UsageError("expected files, or --stdin-list, and not both");
  return options;
}

// Large blocks go back to the system when they are free, so that what is counted is what there is.
void return_large_blocks() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

Exit main_of(const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) {
    if (argument == "--") break;
    if (argument == "--help") return std::cout << kUsage << help(), kVerified;
    if (argument == "--version") return std::cout << kVersion, kVerified;
  }
  try {
    const Options options = options_of(arguments);
    return_large_blocks();
    Memory::set_limit(options.memory);
    return run(options);
  } catch (const UsageError& error) {
    std::cerr << "andorra-check: " << error.what() << '\n' << kUsage;
    return kUsageError;
  }
}

}  // namespace
}  // namespace andorra::checker

int main(int count, char** arguments) {
  std::ios::sync_with_stdio(false);
  return andorra::checker::main_of({arguments + 1, arguments + count});
}
