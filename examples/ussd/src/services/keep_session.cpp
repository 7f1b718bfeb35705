#include "services/keep_session.hpp"

namespace ussd {

// A code begins a session, also in the middle of another one.
Turn KeepSession::handle(const Request& request) {
  const auto [found, is_new] = state.sessions.try_emplace(request.msisdn);
  auto& session = found->second;
  if (is_new) state.oldest.push_back(request.msisdn);
  if (is_new || !request.code.empty())
    session = {.id = ++state.last, .code = request.code, .inputs = {}};
  if (!request.input.empty()) session.inputs.push_back(request.input);
  Turn turn{
      .request = request, .session = session.id, .code = session.code, .inputs = session.inputs};
  if (state.sessions.size() > state.most) {
    state.sessions.erase(state.oldest.front());
    state.oldest.pop_front();
  }
  return turn;
}

}  // namespace ussd
