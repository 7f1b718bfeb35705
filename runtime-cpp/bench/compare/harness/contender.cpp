#include "harness/contender.hpp"

namespace compare {

std::vector<Contender>& contenders() {
  static std::vector<Contender> all;
  return all;
}

}  // namespace compare
