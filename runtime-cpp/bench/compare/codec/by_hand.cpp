// The limit: record.proto read and written by code for this message alone, with the same checks of
// what anybody may have sent, but for bounds that ours has of nesting.
#include <cstring>
#include <stdexcept>
#include <string_view>

#include "codec/record.hpp"
#include "harness/contender.hpp"
#include "harness/measure.hpp"

namespace compare {
namespace {

// --- writing: forwards, lengths first ---------------------------------------------------------

std::size_t varint_bytes(std::uint64_t value) {
  std::size_t bytes = 1;
  for (; value >= 0x80U; value >>= 7U) ++bytes;
  return bytes;
}
char* put_varint(char* at, std::uint64_t value) {
  for (; value >= 0x80U; value >>= 7U) *at++ = static_cast<char>((value & 0x7fU) | 0x80U);
  *at++ = static_cast<char>(value);
  return at;
}
char* put_text(char* at, char key, const std::string& text) {
  *at++ = key;
  at = put_varint(at, text.size());
  std::memcpy(at, text.data(), text.size());
  return at + text.size();
}
std::size_t text_bytes(const std::string& text) {
  return 1 + varint_bytes(text.size()) + text.size();
}
std::uint64_t wide(std::int64_t value) { return static_cast<std::uint64_t>(value); }

std::size_t home_bytes(const Address& home) {
  return (home.street.empty() ? 0 : text_bytes(home.street)) +
         (home.number == 0 ? 0 : 1 + varint_bytes(wide(home.number)));
}
std::size_t marks_bytes(const Record& record) {
  std::size_t bytes = 0;
  for (const std::int32_t mark : record.marks) bytes += varint_bytes(wide(mark));
  return bytes;
}

void write(const Record& record, std::string& out) {
  const std::size_t marks = marks_bytes(record);
  const std::size_t home = home_bytes(record.home);
  std::size_t bytes = 0;
  if (record.id != 0) bytes += 1 + varint_bytes(wide(record.id));
  if (!record.name.empty()) bytes += text_bytes(record.name);
  if (!record.mail.empty()) bytes += text_bytes(record.mail);
  if (record.age != 0) bytes += 1 + varint_bytes(wide(record.age));
  if (record.score != 0) bytes += 1 + sizeof record.score;
  if (record.active) bytes += 2;
  if (record.created_at != 0) bytes += 1 + varint_bytes(record.created_at);
  if (marks != 0) bytes += 1 + varint_bytes(marks) + marks;
  for (const std::string& tag : record.tags) bytes += text_bytes(tag);
  bytes += 1 + varint_bytes(home) + home;
  out.resize(bytes);
  char* at = out.data();
  if (record.id != 0) at = put_varint((*at++ = 0x08, at), wide(record.id));
  if (!record.name.empty()) at = put_text(at, 0x12, record.name);
  if (!record.mail.empty()) at = put_text(at, 0x1a, record.mail);
  if (record.age != 0) at = put_varint((*at++ = 0x20, at), wide(record.age));
  if (record.score != 0) {
    *at++ = 0x29;
    std::memcpy(at, &record.score, sizeof record.score);
    at += sizeof record.score;
  }
  if (record.active) {
    *at++ = 0x30;
    *at++ = 1;
  }
  if (record.created_at != 0) at = put_varint((*at++ = 0x38, at), record.created_at);
  if (marks != 0) {
    at = put_varint((*at++ = 0x42, at), marks);
    for (const std::int32_t mark : record.marks) at = put_varint(at, wide(mark));
  }
  for (const std::string& tag : record.tags) at = put_text(at, 0x4a, tag);
  at = put_varint((*at++ = 0x52, at), home);
  if (!record.home.street.empty()) at = put_text(at, 0x0a, record.home.street);
  if (record.home.number != 0) at = put_varint((*at++ = 0x10, at), wide(record.home.number));
}

// --- reading ------------------------------------------------------------------------------------

/// What is left of a message; an end where none may be is thrown.
struct Bytes {
  const char* at;
  const char* end;

  [[nodiscard]] bool more() const { return at != end; }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
      if (at == end) break;
      const auto byte = static_cast<std::uint8_t>(*at++);
      value |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80U) return value;
    }
    throw std::runtime_error("that is no number");
  }
  Bytes part() {
    const std::uint64_t size = varint();
    if (size > static_cast<std::uint64_t>(end - at)) throw std::runtime_error("that is too long");
    const char* const begin = at;
    at += size;
    return {begin, at};
  }
  void text(std::string& out) {
    const Bytes all = part();
    out.assign(all.at, all.end);
  }
  double real() {
    double value = 0;
    if (end - at < static_cast<std::ptrdiff_t>(sizeof value)) {
      throw std::runtime_error("that is too short");
    }
    std::memcpy(&value, at, sizeof value);
    at += sizeof value;
    return value;
  }
  void skip(std::uint64_t key) {
    const auto wire = static_cast<unsigned>(key & 7U);
    if (wire == 0) {
      varint();
    } else if (wire == 1) {
      real();
    } else if (wire == 2) {
      part();
    } else {
      throw std::runtime_error("that is skipped nowhere");
    }
  }
};

void read(Bytes in, Address& home) {
  while (in.more()) {
    const std::uint64_t key = in.varint();
    if (key == 0x0a) {
      in.text(home.street);
    } else if (key == 0x10) {
      home.number = static_cast<std::int32_t>(in.varint());
    } else {
      in.skip(key);
    }
  }
}

void read(Bytes in, Record& record) {
  record = Record{};
  while (in.more()) {
    const std::uint64_t key = in.varint();
    switch (key) {
      case 0x08:
        record.id = static_cast<std::int64_t>(in.varint());
        break;
      case 0x12:
        in.text(record.name);
        break;
      case 0x1a:
        in.text(record.mail);
        break;
      case 0x20:
        record.age = static_cast<std::int32_t>(in.varint());
        break;
      case 0x29:
        record.score = in.real();
        break;
      case 0x30:
        record.active = in.varint() != 0;
        break;
      case 0x38:
        record.created_at = in.varint();
        break;
      case 0x42:
        for (Bytes marks = in.part(); marks.more();) {
          record.marks.push_back(static_cast<std::int32_t>(marks.varint()));
        }
        break;
      case 0x4a:
        in.text(record.tags.emplace_back());
        break;
      case 0x52:
        read(in.part(), record.home);
        break;
      default:
        in.skip(key);
    }
  }
}

double writes() {
  const Record what = record();
  std::string out;
  const double rate = rate_of([&](std::uint64_t count) {
    for (std::uint64_t time = 0; time < count; ++time) {
      out.clear();
      write(what, out);
      keep(out.data());
    }
  });
  if (out != record_bytes()) throw std::runtime_error("that is another record");
  return rate;
}

double reads() {
  const std::string bytes = record_bytes();
  Record what;
  const double rate = rate_of([&](std::uint64_t count) {
    for (std::uint64_t time = 0; time < count; ++time) {
      read({bytes.data(), bytes.data() + bytes.size()}, what);
      keep(what);
    }
  });
  std::string again;
  write(what, again);
  if (again != bytes) throw std::runtime_error("that is another record");
  return rate;
}

const Enter kWrites({"codec/write", "limit-by-hand", "code for this message alone", &writes});
const Enter kReads({"codec/read", "limit-by-hand", "code for this message alone", &reads});

}  // namespace
}  // namespace compare
