#include "services/keep_session.hpp"

namespace mo_flow {

// "STOP" ends a sender's session: the message after it begins another.
Turn KeepSession::handle(const Command& request) {
  auto [found, is_new] = state.sessions.try_emplace(request.sender);
  if (is_new) {
    found->second.id = ++state.last;
    state.oldest.push_back(request.sender);
  }
  const Turn turn{
      .command = request, .session = found->second.id, .number = ++found->second.messages};
  if (request.keyword == "STOP") found->second = {.id = ++state.last, .messages = 0};
  if (state.sessions.size() > state.most) {
    state.sessions.erase(state.oldest.front());
    state.oldest.pop_front();
  }
  return turn;
}

}  // namespace mo_flow
