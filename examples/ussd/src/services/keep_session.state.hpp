#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <penstock/service.hpp>
#include <string>
#include <unordered_map>
#include <vector>

/// KeepSession is single-threaded: one object, never two calls at once, so no locks.
template <>
struct penstock::State<ussd::KeepSession> {
  struct Session {
    std::uint64_t id = 0;
    std::string code;
    std::vector<std::string> inputs;
  };
  std::unordered_map<std::string, Session> sessions;
  /// Phones in the order in which they dialled first: the oldest is forgotten first.
  std::deque<std::string> oldest;
  std::uint64_t last = 0;
  std::size_t most = 100'000;
};
