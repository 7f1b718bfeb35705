#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// record.proto by hand, and the one that all codecs read and write: 112 bytes of protobuf.
namespace compare {

struct Address {
  std::string street;
  std::int32_t number = 0;
};

struct Record {
  std::int64_t id = 0;
  std::string name;
  std::string mail;
  std::int32_t age = 0;
  double score = 0;
  bool active = false;
  std::uint64_t created_at = 0;
  std::vector<std::int32_t> marks;
  std::vector<std::string> tags;
  Address home;
};

[[nodiscard]] inline Record record() {
  return {1'234'567'890'123,
          "Ada Lovelace",
          "ada@analytical.example",
          36,
          0.875,
          true,
          1'732'665'600'000,
          {3, 1, 400, 15'000},
          {"engine", "notes"},
          {"St. James's Square", 12}};
}

/// Its bytes in protobuf, and its text, as ours writes them: what all read.
[[nodiscard]] std::string record_bytes();
[[nodiscard]] std::string record_text();

}  // namespace compare
