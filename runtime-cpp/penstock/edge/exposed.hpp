#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/call/frame/frame.hpp"
#include "penstock/exec/pool.hpp"
#include "penstock/json/error.hpp"

namespace penstock::edge {

/// A service that anybody may ask at its route.
struct Exposed {
  /// How its messages are read and written. Those that read give a call with the request, or null:
  /// it is malformed. Those that write do so for a call that went well. Throw std::bad_alloc.
  struct Type {
    call::Frame* (*read_protobuf)(std::string_view bytes) = nullptr;
    call::Frame* (*read_json)(std::string_view text, JsonError& error) = nullptr;
    std::size_t (*answer_bytes)(const call::Frame& frame) = nullptr;
    void (*write_answer)(const call::Frame& frame, char* at, std::size_t bytes) = nullptr;
    void (*append_json)(const call::Frame& frame, std::string& out) = nullptr;  ///< null: no answer
  };

  std::string path;  ///< `/twirp/ads.AdBundle/GetAd`
  Type type;
  const call::CallSite* site = nullptr;  ///< that the calls are counted at
  exec::Pool* pool = nullptr;            ///< whose workers may ask it: none of its work blocks
};

/// What is served at the routes of a binary, besides its flows.
struct ExposedServices {
  std::vector<Exposed> services;
  std::vector<std::string> origins;  ///< of web pages that may ask them
  std::string_view openapi = {};     ///< the document that says how; lies in the program itself
};

}  // namespace penstock::edge
