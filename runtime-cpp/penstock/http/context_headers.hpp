#pragma once

#include "penstock/base/context.hpp"
#include "penstock/http/request_guard.hpp"

namespace penstock::http {

/// What a request's `traceparent` (https://www.w3.org/TR/trace-context/) and `baggage`
/// (https://www.w3.org/TR/baggage/) say. What breaks their rules is left out, as they demand: a
/// request is never refused for it.
[[nodiscard]] Context context_of(const RequestHead& head);

}  // namespace penstock::http
