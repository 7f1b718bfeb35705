#include "services/multiplication.hpp"

namespace hello {

// Each question leaves this thread and comes back; while the answer is on its way, the thread is
// free for other requests.
penstock::Task<Product> Multiplication::handle(const Factors& request) {
  if (request.x < 0 || request.x > 1'000'000)
    throw penstock::Error(penstock::ErrorCode::invalid_argument, "x has to be 0 to 1000000");
  Product product;
  for (std::int64_t i = 0; i < request.x; ++i) {
    const Sum sum = co_await calls.Addition({.a = product.value, .b = request.y});
    product.value = sum.value;
  }
  co_return product;
}

}  // namespace hello
