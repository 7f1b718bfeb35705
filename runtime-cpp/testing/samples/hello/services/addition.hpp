#pragma once

#include <penstock/service.hpp>

#include "hello/messages.hpp"

namespace hello {

/// Adds two numbers.
class Addition final : public ::penstock::Handler {
 public:
  using request_type = ::hello::Terms;
  using response_type = ::hello::Sum;

  ::hello::Sum handle(const ::hello::Terms& request);

  ::penstock::State<Addition> state;
  ::penstock::Shared<Addition>* shared = nullptr;
};

}  // namespace hello
