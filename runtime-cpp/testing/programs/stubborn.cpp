#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <penstock/app.hpp>
#include <string>
#include <string_view>

#include "support/never.hpp"
#include "support/refuse_threads.hpp"

/// A binary whose user code misbehaves in the way the environment variable STUBBORN names.
namespace {

bool stubborn(std::string_view way) {
  const char* const value = std::getenv("STUBBORN");
  return value != nullptr && value == way;
}

// Until the stack is full.
int endless(int depth) {
  volatile char room[1024];
  room[0] = static_cast<char>(depth);
  return depth < 0 ? room[0] : endless(depth / 2) + room[0];
}

struct Tick {
  std::uint64_t number = 0;
};

struct Ticks final : ::penstock::Handler {
  static Tick event(std::uint64_t sequence) {
    if (stubborn("source")) {
      std::fputs("in the source\n", stderr);
      penstock::testing::never_return();
    }
    return {sequence};
  }
};

struct Sink final : ::penstock::Handler {
  using request_type = Tick;
  using response_type = void;
  Sink() {
    if (stubborn("constructor")) penstock::testing::never_return();
    if (stubborn("throwing constructor")) throw 42;
  }
  static void handle(const Tick& /*tick*/) {
    if (stubborn("handler")) {
      std::fputs("in the handler\n", stderr);
      penstock::testing::never_return();
    }
    if (stubborn("crash")) std::raise(SIGSEGV);
    if (stubborn("overflow")) static_cast<void>(endless(0));
    if (stubborn("throwing handler")) throw 42;
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (stubborn("no threads")) penstock::testing::refuse_threads();
  ::penstock::App app({.binary = "stubborn",
                       .project = "stubborn",
                       .topology_hash = "sha256:" + std::string(64, '0'),
                       .config = ""});
  app.service<Sink>("Sink", ::penstock::Kind::sync_remote);
  app.flow<Ticks>("Ticks").side_effect<Sink>("sink", "Sink");
  return app.run(argc, argv);
}
