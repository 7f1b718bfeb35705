// Ours: a service of a pool of one thread, exposed as generated binaries expose theirs.
#include <memory>

#include "http/enter.hpp"
#include "penstock/app/ask_binding.hpp"
#include "penstock/edge/server.hpp"
#include "penstock/net/remote/calls/remote_type.hpp"
#include "support/small_binary.hpp"

namespace compare {
namespace {

struct MakesHats : penstock::Handler {
  using request_type = Size;
  using response_type = Hat;
  static Hat handle(const Size& size) {
    return {size.inches, std::string(kColor), std::string(kName)};
  }
};

class Exposed {
 public:
  Exposed() {
    penstock::exec::Pool& pool = binary_.pool(penstock::testing::pool_settings("shop", 1));
    penstock::call::Service& service =
        binary_.service<MakesHats>("MakeHat", penstock::Kind::simple, pool);
    const penstock::net::RemoteType& type = penstock::net::kRemoteType<Size, Hat>;
    const auto asks = penstock::app::bind_ask<Size, Hat>();
    penstock::edge::ServerOptions options;
    options.exposed.services.push_back(
        {std::string(kHatPath),
         {type.read_request, asks.make, type.answer_bytes, type.write_answer, asks.append},
         &binary_.site(service),
         &pool});
    binary_.start();
    server_ = std::make_unique<penstock::edge::Server>(std::vector<penstock::flow::HttpSource*>{},
                                                       binary_.registry(), std::move(options));
    server_->start();
  }
  Exposed(const Exposed&) = delete;
  Exposed& operator=(const Exposed&) = delete;
  ~Exposed() {
    binary_.stop();
    server_->stop(penstock::now_ns());
  }
  [[nodiscard]] std::uint16_t port() const {
    const std::string address = server_->address();
    return static_cast<std::uint16_t>(std::stoul(address.substr(address.rfind(':') + 1)));
  }

 private:
  penstock::testing::SmallBinary binary_;
  std::unique_ptr<penstock::edge::Server> server_;
};

const EnterHttp<Exposed> kEntered("penstock", "an exposed service of a pool of one thread");

}  // namespace
}  // namespace compare
