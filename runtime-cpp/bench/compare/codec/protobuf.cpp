// Google's protobuf, with its messages kept from one time to the next, as it is made to be used.
#include <google/protobuf/util/json_util.h>

#include <stdexcept>

#include "codec/record.hpp"
#include "harness/contender.hpp"
#include "harness/measure.hpp"
#include "record.pb.h"

namespace compare {
namespace {

namespace util = google::protobuf::util;

void expect(bool good) {
  if (!good) throw std::runtime_error("protobuf does not take that record");
}

bench::Record message() {
  bench::Record read;
  expect(read.ParseFromString(record_bytes()));
  return read;
}

double writes() {
  const bench::Record what = message();
  std::string out;
  const double rate = rate_of([&](std::uint64_t count) {
    for (std::uint64_t time = 0; time < count; ++time) {
      expect(what.SerializeToString(&out));
      keep(out.data());
    }
  });
  expect(out == record_bytes());
  return rate;
}

double reads() {
  const std::string bytes = record_bytes();
  bench::Record what;
  return rate_of([&](std::uint64_t count) {
    for (std::uint64_t time = 0; time < count; ++time) {
      expect(what.ParseFromString(bytes));
      keep(what);
    }
  });
}

double writes_json() {
  const bench::Record what = message();
  std::string out;
  const double rate = rate_of([&](std::uint64_t count) {
    for (std::uint64_t time = 0; time < count; ++time) {
      out.clear();
      expect(util::MessageToJsonString(what, &out).ok());
      keep(out.data());
    }
  });
  expect(out == record_text());
  return rate;
}

double reads_json() {
  const std::string text = record_text();
  bench::Record what;
  return rate_of([&](std::uint64_t count) {
    for (std::uint64_t time = 0; time < count; ++time) {
      what.Clear();
      expect(util::JsonStringToMessage(text, &what).ok());
      keep(what);
    }
  });
}

const Enter kWrites({"codec/write", "protobuf", "SerializeToString", &writes});
const Enter kReads({"codec/read", "protobuf", "ParseFromString", &reads});
const Enter kWritesJson({"codec/json-write", "protobuf", "MessageToJsonString", &writes_json});
const Enter kReadsJson({"codec/json-read", "protobuf", "JsonStringToMessage", &reads_json});

}  // namespace
}  // namespace compare
