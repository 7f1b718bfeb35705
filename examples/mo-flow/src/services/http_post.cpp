#include "services/http_post.hpp"

namespace mo_flow {

Reply HttpPost::handle(const AtMessage& request) {
  return {.status = state.client.post(shared->port, request.path, request.body)};
}

}  // namespace mo_flow
