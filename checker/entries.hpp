// Finds a part's entry by the text of its position.
//
// Idea: a table of words with open addressing, a word an entry: where the entry's line is, some
// bits of its text's hash, and whether the entry has served a line. All else is read from the line.
// Texts are compared as a whole, so unlike a key of 128 bits, which a forger of certificates could
// make collide on purpose, a match is never wrong; and an entry need not be parsed as a position,
// because only the canonical text of a position that was reached can be looked up.
// Invariant: at most two thirds of the words are in use, so a search for an absent text ends.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "format.hpp"

namespace andorra::checker {

class Entries {
 public:
  using Place = std::uint64_t;  // the offset of an entry's line in the part
  using Slot = std::size_t;     // the index of an entry's word

  Entries(std::string_view body, const Part& part)
      : body_(body), lines_(part.entries), bounded_(part.within.has_value()), reader_(body, part) {
    if (lines_.size() >= kPlaceMask) throw Rejection("too many entries for this checker");
    words_.resize(words_for(part.count));
    for (Place place = 0; place < lines_.size();) place = add_some(place);
  }

  std::optional<Slot> find(std::string_view text, Count plies) const {
    const Slot found = slot(text, plies, hash_of(text, plies));
    return words_[found] == 0 ? std::nullopt : std::optional<Slot>(found);
  }

  Entry operator[](Slot slot) const { return at(place_of(words_[slot])); }
  Entry at(Place place) const { return reader_.read(lines_.substr(place)); }

  // Marks an entry; false if it was marked before.
  bool serve(Slot slot) {
    const bool first = (words_[slot] & kServed) == 0;
    words_[slot] |= kServed;
    return first;
  }

  // The first entry, in the order of the file, that has served no line.
  std::optional<Place> unserved() const {
    std::optional<Place> first;
    for (const std::uint64_t word : words_)
      if (word != 0 && (word & kServed) == 0 && (!first || place_of(word) < *first))
        first = place_of(word);
    return first;
  }

  // Calls visit(place, entry) for every entry, in the order of the file.
  template <class Visit>
  void for_each(Visit visit) const {
    for (Place place = 0; place < lines_.size(); place = lines_.find('\n', place) + 1)
      visit(place, at(place));
  }

  static std::uint64_t hash_of(std::string_view text, Count plies) {
    std::uint64_t hash = mixed(text.size() + 1, plies);
    while (text.size() >= sizeof hash) {
      std::uint64_t word;
      std::memcpy(&word, text.data(), sizeof word);
      hash = mixed(hash, word);
      text.remove_prefix(sizeof word);
    }
    std::uint64_t word = 0;
    if (!text.empty()) std::memcpy(&word, text.data(), text.size());
    return mixed(mixed(hash, word), 0);
  }

  [[noreturn]] void reject(Place place, const std::string& expected) const {
    const std::string_view rest = lines_.substr(place);
    reject_line(body_, rest.substr(0, rest.find('\n')), expected);
  }

 private:
  // A word is 0 if free, else from the highest bit: 23 of the hash, served, the place plus 1.
  static constexpr std::uint64_t kPlaceMask = (std::uint64_t{1} << 40) - 1;
  static constexpr std::uint64_t kServed = kPlaceMask + 1;
  static constexpr std::uint64_t kHashMask = ~(kPlaceMask | kServed);
  static constexpr std::size_t kBeforePosition = 2;  // the kind and a tab

  static std::uint64_t drawn() {
    std::random_device device;
    const std::uint64_t upper = device();
    return upper << 32 | device();
  }

  // A secret of this run, so that nobody can write a file whose texts all have one place.
  static inline const std::uint64_t kFactor = drawn() | 1;

  static std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
    const auto product = static_cast<unsigned __int128>(hash ^ word) * kFactor;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  }

  static Place place_of(std::uint64_t word) { return (word & kPlaceMask) - 1; }

  static std::size_t words_for(Count entries) {
    std::size_t words = 4;
    while (words / 3 * 2 < entries) words *= 2;
    return words;
  }

  struct Addition {
    Place place;
    Entry entry;
    std::uint64_t hash;
  };

  // Adds some entries from `place` on; the place of the next one. Their words are fetched from
  // memory at the same time: that makes the whole check of 4.6M entries a fifth faster.
  Place add_some(Place place) {
    std::array<Addition, 16> additions;
    std::size_t count = 0;
    for (; count < additions.size() && place < lines_.size(); ++count) {
      const Entry entry = at(place);
      additions[count] = {place, entry, hash_of(entry.position, entry.plies)};
      prefetch(additions[count].hash);
      place = lines_.find('\n', place) + 1;
    }
    for (std::size_t i = 0; i < count; ++i) add(additions[i]);
    return place;
  }

  void add(const Addition& addition) {
    std::uint64_t& word =
        words_[slot(addition.entry.position, addition.entry.plies, addition.hash)];
    if (word != 0) reject(addition.place, "one entry for a position");
    word = (addition.hash & kHashMask) | (addition.place + 1);
  }

  void prefetch([[maybe_unused]] std::uint64_t hash) const {
#ifdef __GNUC__
    __builtin_prefetch(&words_[hash & (words_.size() - 1)]);
#endif
  }

  // Where the word for a text is, or would be.
  Slot slot(std::string_view text, Count plies, std::uint64_t hash) const {
    const std::size_t mask = words_.size() - 1;
    for (Slot slot = hash & mask;; slot = (slot + 1) & mask) {
      const std::uint64_t word = words_[slot];
      if (word == 0 || (((word ^ hash) & kHashMask) == 0 && is_at(place_of(word), text, plies)))
        return slot;
    }
  }

  bool is_at(Place place, std::string_view text, Count plies) const {
    const std::string_view rest = lines_.substr(place + kBeforePosition);
    const bool same =
        rest.size() > text.size() && rest.starts_with(text) && rest[text.size()] == '\t';
    return same && (!bounded_ || at(place).plies == plies);
  }

  std::string_view body_;
  std::string_view lines_;
  bool bounded_;
  EntryReader reader_;
  std::vector<std::uint64_t> words_;
};

}  // namespace andorra::checker
