#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "penstock/http/reply.hpp"

namespace penstock::edge {

class Connection;

/// Answers of services on their way to the server's thread, which is woken once for all that come
/// before it looks.
class Answers {
 public:
  struct Answer {
    std::weak_ptr<Connection> to;
    std::uint64_t request = 0;
    http::Reply reply;
  };

  /// `wake` has deliver() called by the server's thread, in a moment. Any thread.
  explicit Answers(std::function<void()> wake) : wake_(std::move(wake)) {}

  /// Any thread. Throws std::bad_alloc.
  void put(Answer answer);
  /// On the server's thread.
  void deliver();

 private:
  const std::function<void()> wake_;
  std::mutex mutex_;
  std::vector<Answer> waiting_;
  bool woken_ = false;  // deliver() comes
};

}  // namespace penstock::edge
