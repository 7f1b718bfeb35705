#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <penstock/codec/memory.hpp>
#include <penstock/codec/read.hpp>
#include <penstock/codec/write.hpp>
#include <utility>

namespace penstock::codec {

// A map is a list of messages with a key (1) and a value (2), both of which are always written. Of
// several entries with a key the last one wins.

template <Coding key_coding, Coding coding, class Key, class T>
std::size_t entry_size(const std::pair<const Key, T>& entry) {
  return present_size<key_coding>(1, entry.first) + present_size<coding>(2, entry.second);
}

template <Coding key_coding = Coding::varint, Coding coding = Coding::varint, class Key, class T>
std::size_t map_size(std::uint32_t tag, const std::map<Key, T>& entries) {
  std::size_t bytes = 0;
  for (const auto& entry : entries) {
    const std::size_t size = entry_size<key_coding, coding>(entry);
    bytes += varint_size(key_of(tag, Wire::length_delimited)) + varint_size(size) + size;
  }
  return bytes;
}

template <Coding key_coding = Coding::varint, Coding coding = Coding::varint, class Key, class T>
void write_map(Writer& out, std::uint32_t tag, const std::map<Key, T>& entries) {
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    const char* const end = out.position();
    write_present<coding>(out, 2, entry->second);
    write_present<key_coding>(out, 1, entry->first);
    out.varint(static_cast<std::uint64_t>(end - out.position()));
    out.key(tag, Wire::length_delimited);
  }
}

template <Coding key_coding = Coding::varint, Coding coding = Coding::varint, class Key, class T>
bool read_map(Reader& in, std::map<Key, T>& entries) {
  if (!in.has(Wire::length_delimited)) {
    in.skip();
    return true;
  }
  Reader entry = in.nested();
  if (entry.too_deep()) return false;
  Key key{};
  T value{};
  while (entry.next()) {
    if (entry.tag() == 1) {
      if (!read<key_coding>(entry, key)) return false;
    } else if (entry.tag() == 2) {
      if (!read<coding>(entry, value)) return false;
    } else {
      entry.skip();
    }
  }
  entries.insert_or_assign(std::move(key), std::move(value));
  return take_memory(kMemoryOfEntry<Key, T>);
}

}  // namespace penstock::codec
