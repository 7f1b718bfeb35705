#include <penstock/app.hpp>

#include "hello/services/addition.hpp"
#include "hello/services/multiplication.hpp"
#include "hello/services/numbers.hpp"
#include "support/placed.hpp"

PENSTOCK_VERSION_CHECK(0, 1);

int main(int argc, char** argv) {
  ::penstock::App app(
      {.binary = "hello",
       .project = "hello",
       .topology_hash = "sha256:" + std::string(64, '0'),
       .config = std::string(::penstock::testing::placed::samples) + "/hello/hello.json"});
  app.service<::hello::Addition>("Addition", ::penstock::Kind::simple);
  app.service<::hello::Multiplication>("Multiplication", ::penstock::Kind::async_remote);
  app.service<::hello::Printer>("Printer", ::penstock::Kind::single_threaded);
  app.call("Multiplication", "Addition", &::hello::Multiplication::calls_type::Addition);
  app.flow<::hello::Numbers>("Numbers")
      .map<::hello::Multiplication>("multiply", "Multiplication")
      .side_effect<::hello::Printer>("print", "Printer");
  return app.run(argc, argv);
}
