#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "penstock/base/context.hpp"
#include "penstock/edge/exposed.hpp"
#include "penstock/edge/flow_requests.hpp"
#include "penstock/edge/server.hpp"
#include "penstock/edge/twirp.hpp"
#include "penstock/edge/worker_line.hpp"
#include "penstock/flow/source/http_source.hpp"
#include "penstock/http/connection.hpp"

namespace penstock::edge {

class Connection;
class ExposedCall;

/// What the connections of a server share. Outlives them. Any thread, but where it says something
/// else.
struct Shared {
  /// `look` asks for a look at what waits for room in flows, in a moment; `its_post` does something
  /// on the server's thread, once it has done what there is to do now.
  Shared(const ServerOptions& its_options, std::vector<flow::HttpSource*> its_sources,
         std::function<void()> look, std::function<void(std::function<void()> what)> its_post)
      : options(its_options),
        exposed(options.exposed),
        sources(std::move(its_sources)),
        post(std::move(its_post)),
        flows(std::move(look)) {}

  const ServerOptions& options;
  const ExposedServices& exposed;
  std::vector<flow::HttpSource*> sources;
  std::uint16_t port = 0;
  std::atomic<bool> draining{false};
  std::atomic<bool> over{false};  // no answer is waited for any more
  http::Connections connections;
  std::function<void(std::function<void()> what)> post;
  FlowRequests flows;  // on the server's thread
  /// Requests on their way to a service or back, and about how many bytes they hold, also when
  /// nobody waits for them any more.
  std::atomic<std::uint64_t> asking{0};
  std::atomic<std::size_t> asked_bytes{0};
  std::atomic<bool> asks_no_more{false};
};

/// One HTTP connection: requests are posted to the paths of flows and the routes of services, one
/// after the other. A worker has it, which asks services right there, or else the server's thread.
class Connection final : public http::Connection {
 public:
  /// `place`: among all connections there ever were.
  Connection(std::unique_ptr<http::Line> line, Shared& shared, unsigned place)
      : http::Connection(std::move(line), shared.options.limits, shared.connections),
        shared_(shared),
        place_(place) {}
  /// The same, of a worker.
  Connection(std::unique_ptr<WorkerLine> line, Shared& shared, unsigned place)
      : Connection(std::unique_ptr<http::Line>(std::move(line)), shared, place) {
    at_worker_ = static_cast<WorkerLine*>(&this->line());
  }

  void drop() override;
  void poked() override;
  /// A service is told that its answer is not needed: who closes its side, also that alone, is
  /// taken as gone, as by most servers. What is in a flow runs on.
  void peer_ended() override { cancel_asked(); }
  [[nodiscard]] bool is_here() { return line().is_here(); }
  /// To a worker of its pool, of one that is to be there. Once it is enrolled.
  void start() { at_worker_->start(place_); }
  /// Of a service, to the request of this number.
  void take_answer(std::uint64_t request, http::Reply reply);
  /// Nothing is asked for the request of this number any more.
  void is_answered(std::uint64_t request);

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
  [[nodiscard]] flow::HttpSource::Deliver deliver_here();
  void take_flow_answer(std::uint64_t request, const flow::HttpAnswer& answer);
  void answer(const flow::HttpAnswer& answer, bool keep_alive);
  void deny(int status, std::string reason);
  bool stop_waiting();

  // Of the page that shows the services (page_request.cpp).
  /// False: it is no request for a file of it.
  bool take_for_page(const http::RequestHead& head);

  // Of services (service_request.cpp).
  void take_for_service(const http::RequestHead& head);
  /// What it may send, before it does.
  void tell_page();
  void ask(std::string body);
  void cancel_asked();
  /// Names the page that asks as one that may read the answer.
  void add_page(http::Reply& reply) const;
  void answer_page(http::Reply reply, bool keep_alive);

  Shared& shared_;
  const unsigned place_;
  WorkerLine* at_worker_ = nullptr;     // null: the server's thread has it
  flow::HttpSource* source_ = nullptr;  // of the present request
  std::shared_ptr<FlowRequest> going_;  // into the flow, or in it
  Context context_;
  std::uint64_t request_ = 0;         // counts them: a late answer is for an earlier one
  ExposedCall* asked_ = nullptr;      // for the present request, and not cancelled
  const Exposed* service_ = nullptr;  // of the present request; else of a flow
  Format format_ = Format::json;
  std::int64_t timeout_ms_ = kUsualMs;
  std::string origin_;  // of the page that asks; empty: none does
};

}  // namespace penstock::edge
