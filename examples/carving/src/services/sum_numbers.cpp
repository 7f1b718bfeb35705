#include "services/sum_numbers.hpp"

namespace carving {

JobSum SumNumbers::handle(const Job& request) {
  return {.sum = state.generator.sum_of(request.numbers)};
}

}  // namespace carving
