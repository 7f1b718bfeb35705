#pragma once

#include <penstock/service.hpp>

#include "hello/messages.hpp"

namespace hello {

/// Makes the events of the flow Numbers.
class Numbers final : public ::penstock::Handler {
 public:
  ::hello::Terms event(std::uint64_t sequence);

  ::penstock::State<Numbers> state;
  ::penstock::Shared<Numbers>* shared = nullptr;
};

/// Not written yet: counts what arrives.
class Printer final : public ::penstock::Handler {
 public:
  using request_type = ::hello::Sum;
  using response_type = void;

  void handle(const ::hello::Sum& request);

  ::penstock::State<Printer> state;
  ::penstock::Shared<Printer>* shared = nullptr;
};

}  // namespace hello
