#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "penstock/base/context.hpp"
#include "penstock/edge/exposed.hpp"
#include "penstock/edge/twirp.hpp"
#include "penstock/exec/worker.hpp"
#include "penstock/http/reply.hpp"

namespace penstock::edge {

/// A request on its way to a service and back. It is read, asked and answered on one worker.
class ExposedCall final : public exec::Job, public call::Waiter {
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
    /// Once, on a worker. Where there is no memory for an answer, it ends without.
    virtual void take(http::Reply reply) = 0;
  };

  /// Asks on the calling thread, a worker's. Throws std::bad_alloc: then it is not asked.
  static void ask_here(Request request, std::unique_ptr<Asker> asker);
  /// Any thread. `place` chooses the worker: the same one for the same number, while the pool has
  /// its size. `service` outlives the answer. Null: there is no worker any more, as is answered.
  [[nodiscard]] static std::unique_ptr<ExposedCall> make(Request request, unsigned place,
                                                         std::unique_ptr<Asker> asker);
  /// The same for a worker of the service's pool, which may have left it meanwhile.
  [[nodiscard]] static std::unique_ptr<ExposedCall> make_for(exec::Worker& worker, Request request,
                                                             std::unique_ptr<Asker> asker);

  [[nodiscard]] bool goes_where(const ExposedCall& other) const { return worker_ == other.worker_; }
  /// It keeps nobody waiting who goes along.
  [[nodiscard]] bool is_small() const { return request_.body.size() <= kSmall; }
  /// One that goes to the same worker is sent with it, and asked after it.
  void take_along(std::unique_ptr<ExposedCall> other);
  static void send(std::unique_ptr<ExposedCall> call) noexcept;

 private:
  ExposedCall(exec::Worker& worker, Request request, std::unique_ptr<Asker> asker);
  void move_on();
  void ask();
  [[nodiscard]] call::Frame* read(JsonError& error) const;
  [[nodiscard]] http::Reply reply_of(const call::Frame& frame) const;

  static constexpr std::size_t kSmall = std::size_t{16} * 1024;

  exec::Worker* worker_;                // that is to ask
  std::unique_ptr<ExposedCall> along_;  // the next one
  ExposedCall* last_ = nullptr;         // of those who go along
  Request request_;
  std::unique_ptr<Asker> asker_;
};

}  // namespace penstock::edge
