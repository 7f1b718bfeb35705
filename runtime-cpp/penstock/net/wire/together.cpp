#include "penstock/net/wire/together.hpp"

#include <bit>

namespace penstock::net::wire {

std::uint32_t count_calls(std::string_view body) noexcept {
  std::uint32_t count = 0;
  std::string_view message;
  Messages calls(body);
  while (count <= kMostTogether && calls.next(message)) ++count;
  return calls.left().empty() && count <= kMostTogether ? count : 0;
}

char* write_answers(char* at, std::uint64_t answered, std::uint64_t filled) noexcept {
  return put(put(at, answered), filled);
}

bool read_answers(std::string_view body, AnswersBody& out) noexcept {
  Taker in(body);
  if (!in.take(out.answered) || !in.take(out.filled)) return false;
  if (out.answered == 0 || (out.filled & ~out.answered) != 0) return false;
  out.messages = in.left();
  std::string_view message;
  Messages messages(out.messages);
  for (int left = std::popcount(out.filled); left > 0; --left) {
    if (!messages.next(message) || message.empty()) return false;
  }
  return messages.left().empty();
}

}  // namespace penstock::net::wire
