#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/codec/json.hpp"
#include "penstock/codec/read.hpp"
#include "penstock/codec/write.hpp"

/// A message in both forms, as generated code has it, for the tests of exposed services.
namespace penstock::testing {

struct Note {
  std::string text;
  std::int64_t count = 0;
  Boxed<Note> next_note;
  std::vector<Note> more = {};
};

}  // namespace penstock::testing

namespace penstock::codec {

template <>
struct Message<testing::Note> {
  using Note = testing::Note;
  static std::size_t size(const Note& note) {
    return codec::size(1, note.text) + codec::size(2, note.count) + codec::size(3, note.next_note) +
           codec::size(4, note.more);
  }
  static void write(Writer& out, const Note& note) {
    codec::write(out, 4, note.more);
    codec::write(out, 3, note.next_note);
    codec::write(out, 2, note.count);
    codec::write(out, 1, note.text);
  }
  static bool read(Reader in, Note& note) {
    while (in.next()) {
      bool good = true;
      switch (in.tag()) {
        case 1:
          good = codec::read(in, note.text);
          break;
        case 2:
          good = codec::read(in, note.count);
          break;
        case 3:
          good = codec::read(in, note.next_note);
          break;
        case 4:
          good = codec::read(in, note.more);
          break;
        default:
          in.skip();
      }
      if (!good) return false;
    }
    return true;
  }
};

template <>
struct JsonMessage<testing::Note> {
  static constexpr auto names = std::to_array<JsonName>(
      {{"text", "text"}, {"count", "count"}, {"nextNote", "next_note"}, {"more", "more"}});
  static bool read(JsonReader& in, std::size_t field, testing::Note& note) {
    if (field == 0) return read_json(in, note.text);
    if (field == 1) return read_json(in, note.count);
    return field == 2 ? read_json(in, note.next_note) : read_json(in, note.more);
  }
  static void write(JsonWriter& out, const testing::Note& note) {
    write_json(out, "text", note.text);
    write_json(out, "count", note.count);
    write_json(out, "nextNote", note.next_note);
    write_json(out, "more", note.more);
  }
};

}  // namespace penstock::codec

namespace penstock::testing {

inline void encode_json(const Note& note, std::string& out) { codec::append_json(note, out); }
inline bool decode_json(std::string_view text, Note& note, JsonError& error) {
  return codec::parse_json(text, note, error);
}

}  // namespace penstock::testing
