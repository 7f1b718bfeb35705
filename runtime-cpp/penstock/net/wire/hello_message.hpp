#pragma once

#include <penstock/codec/read.hpp>
#include <penstock/codec/write.hpp>

#include "penstock/net/wire/hello.hpp"

namespace penstock::codec {

/// As docs/wire.md has it.
template <>
struct Message<net::wire::OfferedService> {
  using Service = net::wire::OfferedService;
  static std::size_t size(const Service& service) {
    return codec::size(1, service.number) + codec::size(2, service.name) +
           codec::size(3, service.request_schema) + codec::size(4, service.answer_schema);
  }
  static void write(Writer& out, const Service& service) {
    codec::write(out, 4, service.answer_schema);
    codec::write(out, 3, service.request_schema);
    codec::write(out, 2, service.name);
    codec::write(out, 1, service.number);
  }
  static bool read(Reader in, Service& service) {
    while (in.next()) {
      bool good = true;
      switch (in.tag()) {
        case 1:
          good = codec::read(in, service.number);
          break;
        case 2:
          good = codec::read(in, service.name);
          break;
        case 3:
          good = codec::read(in, service.request_schema);
          break;
        case 4:
          good = codec::read(in, service.answer_schema);
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
struct Message<net::wire::Hello> {
  using Hello = net::wire::Hello;
  static std::size_t size(const Hello& hello) {
    return codec::size(1, hello.project) + codec::size(2, hello.binary) +
           codec::size(3, hello.instance) + codec::size(4, hello.topology) +
           codec::size(5, hello.runtime) + codec::size(6, hello.features) +
           codec::size(7, hello.largest_body) + codec::size(8, hello.services);
  }
  static void write(Writer& out, const Hello& hello) {
    codec::write(out, 8, hello.services);
    codec::write(out, 7, hello.largest_body);
    codec::write(out, 6, hello.features);
    codec::write(out, 5, hello.runtime);
    codec::write(out, 4, hello.topology);
    codec::write(out, 3, hello.instance);
    codec::write(out, 2, hello.binary);
    codec::write(out, 1, hello.project);
  }
  static bool read(Reader in, Hello& hello) {
    while (in.next()) {
      bool good = true;
      switch (in.tag()) {
        case 1:
          good = codec::read(in, hello.project);
          break;
        case 2:
          good = codec::read(in, hello.binary);
          break;
        case 3:
          good = codec::read(in, hello.instance);
          break;
        case 4:
          good = codec::read(in, hello.topology);
          break;
        case 5:
          good = codec::read(in, hello.runtime);
          break;
        case 6:
          good = codec::read(in, hello.features);
          break;
        case 7:
          good = codec::read(in, hello.largest_body);
          break;
        case 8:
          good = codec::read(in, hello.services);
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
