// Ours, as generated code has it.
#include <array>
#include <stdexcept>

#include "codec/record.hpp"
#include "harness/contender.hpp"
#include "harness/measure.hpp"
#include "penstock/codec/json.hpp"
#include "penstock/codec/read.hpp"
#include "penstock/codec/write.hpp"

namespace penstock::codec {

template <>
struct Message<compare::Address> {
  static std::size_t size(const compare::Address& address) {
    return codec::size(1, address.street) + codec::size(2, address.number);
  }
  static void write(Writer& out, const compare::Address& address) {
    codec::write(out, 2, address.number);
    codec::write(out, 1, address.street);
  }
  static bool read(Reader in, compare::Address& address) {
    while (in.next()) {
      bool good = true;
      switch (in.tag()) {
        case 1:
          good = codec::read(in, address.street);
          break;
        case 2:
          good = codec::read(in, address.number);
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
struct Message<compare::Record> {
  static std::size_t size(const compare::Record& record) {
    return codec::size(1, record.id) + codec::size(2, record.name) + codec::size(3, record.mail) +
           codec::size(4, record.age) + codec::size(5, record.score) +
           codec::size(6, record.active) + codec::size(7, record.created_at) +
           codec::size(8, record.marks) + codec::size(9, record.tags) +
           codec::size(10, record.home);
  }
  static void write(Writer& out, const compare::Record& record) {
    codec::write(out, 10, record.home);
    codec::write(out, 9, record.tags);
    codec::write(out, 8, record.marks);
    codec::write(out, 7, record.created_at);
    codec::write(out, 6, record.active);
    codec::write(out, 5, record.score);
    codec::write(out, 4, record.age);
    codec::write(out, 3, record.mail);
    codec::write(out, 2, record.name);
    codec::write(out, 1, record.id);
  }
  static bool read(Reader in, compare::Record& record) {
    while (in.next()) {
      bool good = true;
      switch (in.tag()) {
        case 1:
          good = codec::read(in, record.id);
          break;
        case 2:
          good = codec::read(in, record.name);
          break;
        case 3:
          good = codec::read(in, record.mail);
          break;
        case 4:
          good = codec::read(in, record.age);
          break;
        case 5:
          good = codec::read(in, record.score);
          break;
        case 6:
          good = codec::read(in, record.active);
          break;
        case 7:
          good = codec::read(in, record.created_at);
          break;
        case 8:
          good = codec::read(in, record.marks);
          break;
        case 9:
          good = codec::read(in, record.tags);
          break;
        case 10:
          good = codec::read(in, record.home);
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
struct JsonMessage<compare::Address> {
  static constexpr auto names =
      std::to_array<JsonName>({{"street", "street"}, {"number", "number"}});
  static bool read(JsonReader& in, std::size_t field, compare::Address& address) {
    return field == 0 ? read_json(in, address.street) : read_json(in, address.number);
  }
  static void write(JsonWriter& out, const compare::Address& address) {
    write_json(out, "street", address.street);
    write_json(out, "number", address.number);
  }
};

template <>
struct JsonMessage<compare::Record> {
  static constexpr auto names = std::to_array<JsonName>({{"id", "id"},
                                                         {"name", "name"},
                                                         {"mail", "mail"},
                                                         {"age", "age"},
                                                         {"score", "score"},
                                                         {"active", "active"},
                                                         {"createdAt", "created_at"},
                                                         {"marks", "marks"},
                                                         {"tags", "tags"},
                                                         {"home", "home"}});
  static bool read(JsonReader& in, std::size_t field, compare::Record& record) {
    switch (field) {
      case 0:
        return read_json(in, record.id);
      case 1:
        return read_json(in, record.name);
      case 2:
        return read_json(in, record.mail);
      case 3:
        return read_json(in, record.age);
      case 4:
        return read_json(in, record.score);
      case 5:
        return read_json(in, record.active);
      case 6:
        return read_json(in, record.created_at);
      case 7:
        return read_json(in, record.marks);
      case 8:
        return read_json(in, record.tags);
      case 9:
        return read_json(in, record.home);
      default:
        return false;
    }
  }
  static void write(JsonWriter& out, const compare::Record& record) {
    write_json(out, "id", record.id);
    write_json(out, "name", record.name);
    write_json(out, "mail", record.mail);
    write_json(out, "age", record.age);
    write_json(out, "score", record.score);
    write_json(out, "active", record.active);
    write_json(out, "createdAt", record.created_at);
    write_json(out, "marks", record.marks);
    write_json(out, "tags", record.tags);
    write_json(out, "home", record.home);
  }
};

}  // namespace penstock::codec

namespace compare {

namespace codec = penstock::codec;

std::string record_bytes() {
  std::string bytes;
  codec::append(record(), bytes);
  return bytes;
}
std::string record_text() {
  std::string text;
  codec::append_json(record(), text);
  return text;
}

namespace {

double writes() {
  const Record what = record();
  std::string out;
  return rate_of([&](std::uint64_t count) {
    for (std::uint64_t time = 0; time < count; ++time) {
      out.clear();
      codec::append(what, out);
      keep(out.data());
    }
  });
}

double reads() {
  const std::string bytes = record_bytes();
  Record what;
  return rate_of([&](std::uint64_t count) {
    for (std::uint64_t time = 0; time < count; ++time) {
      if (!codec::parse(bytes, what)) throw std::runtime_error("that is no record");
      keep(what);
    }
  });
}

double writes_json() {
  const Record what = record();
  std::string out;
  return rate_of([&](std::uint64_t count) {
    for (std::uint64_t time = 0; time < count; ++time) {
      out.clear();
      codec::append_json(what, out);
      keep(out.data());
    }
  });
}

double reads_json() {
  const std::string text = record_text();
  Record what;
  penstock::JsonError error;
  return rate_of([&](std::uint64_t count) {
    for (std::uint64_t time = 0; time < count; ++time) {
      if (!codec::parse_json(text, what, error)) throw std::runtime_error(error.text());
      keep(what);
    }
  });
}

const Enter kWrites({"codec/write", "penstock", "into a text that keeps its memory", &writes});
const Enter kReads({"codec/read", "penstock", "into a message that starts afresh", &reads});
const Enter kWritesJson({"codec/json-write", "penstock", "into a text that keeps its memory",
                         &writes_json});
const Enter kReadsJson({"codec/json-read", "penstock", "into a message that starts afresh",
                        &reads_json});

}  // namespace
}  // namespace compare
