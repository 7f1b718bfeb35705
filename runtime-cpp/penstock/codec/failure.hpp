#pragma once

#include <penstock/codec/read.hpp>
#include <penstock/codec/write.hpp>
#include <penstock/message/failure.hpp>
#include <string_view>

namespace penstock::codec {

/// message Failure { int32 code = 1; string message = 2; string flow = 3; string stage = 4; }
template <>
struct Message<Failure> {
  static constexpr std::string_view definitions() noexcept {
    return "message 1=code:int32 2=message:string 3=flow:string 4=stage:string\n";
  }
  static std::size_t size(const Failure& failure) {
    return codec::size(1, failure.code) + codec::size(2, failure.message) +
           codec::size(3, failure.flow) + codec::size(4, failure.stage);
  }
  static void write(Writer& out, const Failure& failure) {
    codec::write(out, 4, failure.stage);
    codec::write(out, 3, failure.flow);
    codec::write(out, 2, failure.message);
    codec::write(out, 1, failure.code);
  }
  static bool read(Reader in, Failure& failure) {
    while (in.next()) {
      bool good = true;
      switch (in.tag()) {
        case 1:
          good = codec::read(in, failure.code);
          break;
        case 2:
          good = codec::read(in, failure.message);
          break;
        case 3:
          good = codec::read(in, failure.flow);
          break;
        case 4:
          good = codec::read(in, failure.stage);
          break;
        default:
          in.skip();
      }
      if (!good) return false;
    }
    return true;
  }
};

}  // namespace penstock::codec
