#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "penstock/http/reply.hpp"

namespace penstock::http {

/// An answer as its bytes are sent: a head that was put together as text, and the body.
class Answer {
 public:
  /// What it says of the connection; of HTTP/1.1 the first is understood.
  enum class Then { goes_on, says_it_goes_on, ends };
  void fill(Reply content, Then then);
  /// Keeps no memory.
  void forget();
  [[nodiscard]] std::size_t capacity() const { return head_.capacity() + body_.capacity(); }
  [[nodiscard]] std::array<std::string_view, 2> pieces() const {
    return {head_, constant_.empty() ? std::string_view(body_) : constant_};
  }

 private:
  std::string head_;
  std::string body_;
  std::string_view constant_;  // instead of it
};

}  // namespace penstock::http
