#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <penstock/service.hpp>
#include <string>
#include <unordered_map>

/// KeepSession is single-threaded: one object, never two calls at once, so no locks.
template <>
struct penstock::State<mo_flow::KeepSession> {
  struct Session {
    std::uint64_t id = 0;
    std::uint32_t messages = 0;
  };
  std::unordered_map<std::string, Session> sessions;
  /// Senders in the order in which their sessions began: the oldest is forgotten first.
  std::deque<std::string> oldest;
  std::uint64_t last = 0;
  std::size_t most = 100'000;
};
