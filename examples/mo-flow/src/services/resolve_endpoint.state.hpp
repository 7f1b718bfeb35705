#pragma once

#include <penstock/service.hpp>

#include "endpoints.hpp"

/// One pool of connections for the binary, whatever threads ask.
template <>
struct penstock::Shared<mo_flow::ResolveEndpoint> {
  mo_flow::Endpoints endpoints;
};
