#pragma once

#include <functional>
#include <string>

#include "penstock/base/context.hpp"
#include "penstock/edge/exposed.hpp"
#include "penstock/edge/twirp.hpp"
#include "penstock/exec/worker.hpp"
#include "penstock/http/reply.hpp"

namespace penstock::edge {

/// A request on its way to a service and back. It is read, asked and answered on one worker, so
/// that the door's thread only carries bytes.
class ExposedCall final : public exec::Job, public call::Waiter {
 public:
  struct Request {
    const Exposed& service;
    Format format = Format::json;
    std::string body;
    Context context;  ///< with a deadline
  };
  /// Takes the answer, once, on a worker. Where there is no memory for one, it ends without.
  using Deliver = std::function<void(http::Reply reply)>;

  /// Any thread. `place` chooses the worker: the same one for the same number, while the pool has
  /// its size. `service` outlives the answer.
  static void send(Request request, unsigned place, Deliver deliver);
  /// The same by a worker of the service's pool, which may have left it meanwhile.
  static void send_by(exec::Worker& worker, Request request, Deliver deliver);

 private:
  ExposedCall(exec::Worker& worker, Request request, Deliver deliver);
  void move_on();
  void ask();
  [[nodiscard]] call::Frame* read(JsonError& error) const;
  [[nodiscard]] http::Reply reply_of(const call::Frame& frame) const;

  exec::Worker* worker_;  // that is to ask
  Request request_;
  Deliver deliver_;
};

}  // namespace penstock::edge
