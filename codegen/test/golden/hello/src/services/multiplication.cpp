// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include "services/multiplication.hpp"

namespace hello {

penstock::Task<Product> Multiplication::handle(const Factors& request) {
  static_cast<void>(request);
  static_cast<void>(co_await calls.Addition(Terms{}));
  penstock::throw_unimplemented("Multiplication");
  co_return Product{};
}

}  // namespace hello
