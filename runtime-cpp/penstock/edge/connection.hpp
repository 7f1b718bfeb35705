#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "penstock/base/context.hpp"
#include "penstock/edge/answers.hpp"
#include "penstock/edge/departures.hpp"
#include "penstock/edge/exposed.hpp"
#include "penstock/edge/server.hpp"
#include "penstock/edge/twirp.hpp"
#include "penstock/flow/source/http_source.hpp"
#include "penstock/http/asio_line.hpp"
#include "penstock/http/connection.hpp"

namespace penstock::edge {

class Connection;

/// What the connections of a server share. Outlives them. On the server's thread.
struct Shared {
  /// `look` asks for look_for_room() in a moment; `post` does something on the server's thread,
  /// once it has done what there is to do now. Any thread may post.
  Shared(const ServerOptions& its_options, std::vector<flow::HttpSource*> its_sources,
         std::function<void()> look, std::function<void(void (*what)(Shared&))> post)
      : options(its_options),
        exposed(options.exposed),
        sources(std::move(its_sources)),
        look_soon(std::move(look)),
        answers([post] { post([](Shared& shared) { shared.answers.deliver(); }); }),
        departures([post] { post([](Shared& shared) { shared.departures.leave(); }); }) {}

  const ServerOptions& options;
  const ExposedServices& exposed;
  std::vector<flow::HttpSource*> sources;
  std::uint16_t port = 0;
  bool draining = false;
  unsigned accepted = 0;  // connections, so far
  http::Connections connections;
  /// Those whose request waits for room in the queue of its flow, oldest first.
  std::list<std::shared_ptr<Connection>> waiting;
  /// Asks for look_for_room() in a moment.
  std::function<void()> look_soon;
  Answers answers;
  /// Requests on their way to a service or back, and about how many bytes they hold, also when
  /// nobody waits for them any more. Any thread, as the next one.
  std::atomic<std::uint64_t> asking{0};
  std::atomic<std::size_t> asked_bytes{0};
  std::atomic<bool> asks_no_more{false};
  Departures departures;  // which count in those
};

/// One HTTP connection: requests are posted to the paths of flows and the routes of services, one
/// after the other.
class Connection final : public http::Connection {
 public:
  Connection(boost::asio::ip::tcp::socket socket, Shared& shared)
      : http::Connection(
            std::make_unique<http::AsioLine>(std::move(socket), shared.options.security.get()),
            shared.options.limits, shared.connections),
        shared_(shared),
        place_(shared.accepted++) {}

  void drop() override;
  /// Of those that wait: into the flow, if there is room now. False: it still waits.
  bool try_again();
  /// Of those that wait: they are sent away.
  void give_up_waiting();
  /// Of a service, to the request of this number.
  void take_answer(std::uint64_t request, http::Reply reply);

 private:
  void on_request(const http::RequestHead& head) override;
  void on_body(std::string body) override;
  void on_answer_late() override;
  // How much is too much depends on the path.
  [[nodiscard]] std::size_t most_announced() const override {
    return std::numeric_limits<std::size_t>::max();
  }
  [[nodiscard]] http::Reply refusal(const http::Denial& denial) const override;

  // Of flows (connection.cpp).
  void take_for_flow(const http::RequestHead& head);
  void submit();
  void answer(const flow::HttpAnswer& answer, bool keep_alive);
  void deny(int status, std::string reason);
  void stop_waiting();

  // Of the page that shows the services (page_request.cpp).
  /// False: it is no request for a file of it.
  bool take_for_page(const http::RequestHead& head);

  // Of services (service_request.cpp).
  void take_for_service(const http::RequestHead& head);
  /// What it may send, before it does.
  void tell_page();
  void ask(std::string body);
  /// Names the page that asks as one that may read the answer.
  void add_page(http::Reply& reply) const;
  void answer_page(http::Reply reply, bool keep_alive);

  Shared& shared_;
  const unsigned place_;                // among all connections there ever were
  flow::HttpSource* source_ = nullptr;  // of the present request
  std::string body_;
  Context context_;
  std::uint64_t request_ = 0;  // counts them: a late answer is for an earlier one
  bool waits_ = false;
  const Exposed* service_ = nullptr;  // of the present request; else of a flow
  Format format_ = Format::json;
  std::int64_t timeout_ms_ = kUsualMs;
  std::string origin_;  // of the page that asks; empty: none does
};

}  // namespace penstock::edge
