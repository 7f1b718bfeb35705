#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "penstock/base/context.hpp"
#include "penstock/edge/exposed.hpp"
#include "penstock/edge/twirp.hpp"
#include "penstock/http/reply.hpp"

namespace penstock::edge {

/// A request on its way to a service and back. It is read, asked and answered on one worker.
class ExposedCall final : public call::Waiter {
 public:
  struct Request {
    const Exposed& service;
    Format format = Format::json;
    std::string body;
    Context context;  ///< with a deadline
  };
  /// Who waits for the answer.
  class Asker {
   public:
    Asker() = default;
    Asker(const Asker&) = delete;
    Asker& operator=(const Asker&) = delete;
    virtual ~Asker() = default;
    /// Once, on a worker, once it is read: it takes so much memory beside its body. False: there
    /// is no room for it.
    [[nodiscard]] virtual bool holds(std::size_t bytes) = 0;
    /// Once, on a worker. Where there is no memory for an answer, it ends without.
    virtual void take(http::Reply reply) = 0;
  };

  /// On the calling thread, a worker's. `service` outlives the answer. Throws std::bad_alloc: then
  /// it is not asked.
  /// Null: its asker has been told already. Else it is there until its asker is gone.
  static ExposedCall* ask(Request request, std::unique_ptr<Asker> asker);
  /// Nobody needs the answer any more: the service is told, and the asker hears of its end as of
  /// any other. Once, where it was asked.
  void cancel() noexcept { call::cancel(*frame_); }

 private:
  ExposedCall(Request request, std::unique_ptr<Asker> asker);
  /// A call with the request. Null: what its asker is told instead is in `refusal`.
  [[nodiscard]] call::Frame* read(http::Reply& refusal) const;
  [[nodiscard]] http::Reply reply_of(const call::Frame& frame) const;

  Request request_;
  std::unique_ptr<Asker> asker_;
  call::Frame* frame_ = nullptr;  // once it is asked
};

}  // namespace penstock::edge
