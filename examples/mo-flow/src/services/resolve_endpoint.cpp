#include "services/resolve_endpoint.hpp"

#include <utility>

namespace mo_flow {

Delivery ResolveEndpoint::handle(const Routed& request) {
  auto path = shared->endpoints.path_of(request.application);
  if (!path)
    throw penstock::Error(penstock::ErrorCode::not_found, request.application + " listens nowhere");
  return {.turn = request.turn, .application = request.application, .path = std::move(*path)};
}

}  // namespace mo_flow
