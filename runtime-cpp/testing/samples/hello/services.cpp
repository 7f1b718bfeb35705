#include "hello/services/addition.hpp"
#include "hello/services/multiplication.hpp"
#include "hello/services/numbers.hpp"

namespace hello {

Sum Addition::handle(const Terms& request) { return {request.a + request.b}; }

::penstock::Task<Sum> Multiplication::handle(const Terms& request) {
  Sum sum;
  for (std::int64_t step = 0; step < request.b; ++step) {
    sum = co_await calls.Addition({sum.value, request.a});
  }
  co_return sum;
}

Terms Numbers::event(std::uint64_t sequence) {
  return {static_cast<std::int64_t>(sequence % 10), static_cast<std::int64_t>(sequence % 7)};
}

void Printer::handle(const Sum& request) {
  static_cast<void>(request);
  ::penstock::throw_unimplemented("Printer");
}

}  // namespace hello
