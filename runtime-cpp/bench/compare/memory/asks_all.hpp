#pragma once

#include <vector>

#include "support/callers.hpp"

namespace compare {

/// Asks each of its callees once.
struct AsksAll : penstock::Handler {
  using request_type = penstock::testing::Number;
  using response_type = penstock::testing::Number;
  struct calls_type {
    std::vector<penstock::Stub<request_type, response_type>> others;
  };

  penstock::Task<response_type> handle(const request_type& request) {
    for (const auto& other : calls.others) co_await other(request);
    co_return request;
  }
  calls_type calls;

  /// What adds a callee to the calls of a handler.
  static void add(void* calls, const penstock::call::Wire& wire) {
    static_cast<calls_type*>(calls)->others.emplace_back(wire.site);
  }
};

}  // namespace compare
