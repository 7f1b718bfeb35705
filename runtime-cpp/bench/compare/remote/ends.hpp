#pragma once

#include <cstdint>
#include <string>

#include "penstock/net/link/link.hpp"
#include "support/callers.hpp"

/// What our ends of a link say to each other, and the message that they pass.
namespace penstock::codec {

template <>
struct Message<testing::Number> {
  static std::size_t size(const testing::Number& number) { return codec::size(1, number.value); }
  static void write(Writer& out, const testing::Number& number) {
    codec::write(out, 1, number.value);
  }
  static bool read(Reader in, testing::Number& number) {
    while (in.next()) {
      if (in.tag() == 1 ? !codec::read(in, number.value) : (in.skip(), false)) return false;
    }
    return true;
  }
};

}  // namespace penstock::codec

namespace compare {

[[nodiscard]] inline penstock::net::Link::Self self_of(const std::string& binary, char digit) {
  namespace wire = penstock::net::wire;
  penstock::net::Link::Self self;
  self.hello.project = "bench";
  self.hello.binary = binary;
  self.hello.instance = std::string(wire::kInstanceBytes, digit);
  self.hello.topology = "sha256:0";
  self.hello.runtime = "0";
  self.hello.features = wire::kBuffersBeside | wire::kCallsTogether;
  self.hello.largest_body = 1U << 20U;
  return self;
}

}  // namespace compare
