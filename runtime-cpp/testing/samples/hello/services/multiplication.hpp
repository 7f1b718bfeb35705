#pragma once

#include <penstock/service.hpp>

#include "hello/messages.hpp"

namespace hello {

/// Multiplies by asking Addition again and again, as Pandora's demo does.
class Multiplication final : public ::penstock::Handler {
 public:
  using request_type = ::hello::Terms;
  using response_type = ::hello::Sum;

  struct calls_type {
    ::penstock::Stub<::hello::Terms, ::hello::Sum> Addition;
  };

  ::penstock::Task<::hello::Sum> handle(const ::hello::Terms& request);

  calls_type calls;
  ::penstock::State<Multiplication> state;
  ::penstock::Shared<Multiplication>* shared = nullptr;
};

}  // namespace hello
