#pragma once

#include "penstock/net/remote/calls/remote_type.hpp"
#include "penstock/net/wire/definitions.hpp"

namespace penstock::net {

/// Of the messages of a service. Throws std::bad_alloc.
[[nodiscard]] inline wire::Definitions definitions_of(const RemoteType& type) {
  return {type.request_definitions(), type.answer_definitions()};
}

}  // namespace penstock::net
