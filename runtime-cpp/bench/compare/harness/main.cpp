// `penstock_compare` lists its contenders, one JSON object a line; `penstock_compare WORKLOAD
// CONTENDER` runs one of them once and prints its rate with the processor time it took, by which
// the script that alternates them (scripts/bench.mjs) knows what else the machine did meanwhile.
// With a COUNT it does so many and prints nothing: callgrind counts what that takes.
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string_view>

#include "harness/contender.hpp"
#include "harness/measure.hpp"

namespace {

void print(std::string_view key, std::string_view value, const char* after) {
  std::printf("\"%.*s\":\"%.*s\"%s", static_cast<int>(key.size()), key.data(),
              static_cast<int>(value.size()), value.data(), after);
}

int list() {
  for (const compare::Contender& one : compare::contenders()) {
    std::printf("{");
    print("workload", one.workload, ",");
    print("contender", one.name, ",");
    print("what", one.what, "}\n");
  }
  return 0;
}

int run(const compare::Contender& one, std::uint64_t count) {
  try {
    if (count != 0) {
      if (one.times == nullptr) throw std::invalid_argument("it is not made to be counted");
      one.times(count);
      return 0;
    }
    if (one.rate == nullptr) throw std::invalid_argument("it is made to be counted only");
    const double rate = one.rate();
    std::printf("{\"rate\":%.6g,\"cpu_seconds\":%.4f}\n", rate, compare::cpu_seconds());
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 1) return list();
  std::uint64_t count = 0;
  if (argc == 4) {
    const char* const end = argv[3] + std::strlen(argv[3]);
    if (std::from_chars(argv[3], end, count).ptr != end || count == 0) argc = 0;
  }
  if (argc != 3 && argc != 4) {
    std::fprintf(stderr, "usage: %s [WORKLOAD CONTENDER [COUNT]]\n", argv[0]);
    return 2;
  }
  for (const compare::Contender& one : compare::contenders()) {
    if (one.workload == argv[1] && one.name == argv[2]) return run(one, count);
  }
  std::fprintf(stderr, "no contender %s of %s\n", argv[2], argv[1]);
  return 2;
}
