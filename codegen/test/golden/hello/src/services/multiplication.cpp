// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include "services/multiplication.hpp"

namespace hello {

penstock::Task<Product> Multiplication::handle(const Factors& request) {
  static_cast<void>(request);
  Terms addition_request;
  static_cast<void>(co_await calls.Addition(addition_request));
  penstock::throw_unimplemented("Multiplication");
  co_return Product{};
}

}  // namespace hello
