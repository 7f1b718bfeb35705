#pragma once

#include <boost/intrusive/list.hpp>
#include <cstdint>
#include <string_view>

#include "penstock/base/error.hpp"
#include "penstock/base/time.hpp"
#include "penstock/net/remote/calls/peer.hpp"

namespace penstock::net {

class Replica;

/// What became of calls that were to be sent.
enum class Sending : std::uint8_t {
  sent,
  ended,    ///< at once, which may have resumed others
  not_now,  ///< none, or not all of them: the rest waits
};

/// Who asks another binary, and waits for a process of it that takes what is asked: a call, or
/// those for the values of a row. On the thread of its client.
class Asking : public boost::intrusive::list_base_hook<
                   boost::intrusive::link_mode<boost::intrusive::normal_link>> {
 public:
  explicit Asking(const RemoteService& service) noexcept : service_(service) {}
  Asking(const Asking&) = delete;
  Asking& operator=(const Asking&) = delete;

  [[nodiscard]] const RemoteService& service() const noexcept { return service_; }
  /// What stands for the value that divides the service; of one that none divides: whatever.
  [[nodiscard]] virtual std::uint64_t key() const noexcept = 0;
  /// When nobody waits for it any more; 0: somebody does.
  [[nodiscard]] virtual Nanos deadline_ns() const noexcept = 0;
  [[nodiscard]] virtual const call::CallSite* site() const noexcept = 0;
  /// Calls that are to be sent.
  [[nodiscard]] virtual std::uint32_t unsent() const noexcept = 0;
  /// Sends what the process takes. Throws std::bad_alloc.
  [[nodiscard]] virtual Sending send_over(Replica& replica) = 0;
  /// What waits ends with an error, and a call is gone.
  virtual void give_up(ErrorCode code, std::string_view text) noexcept = 0;
  /// What waits here on behalf of events holds back their source.
  virtual void keep_room() noexcept = 0;
  /// More of it waits, or less.
  virtual void change_room() noexcept = 0;
  virtual void give_room() noexcept = 0;

  std::uint64_t number = 0;  ///< of its client's: those that were asked later have greater ones
  Nanos waits_since = 0;
  std::uint32_t waits = 0;  ///< calls, as the client has counted them; 0: it does not wait

 protected:
  ~Asking() = default;

 private:
  const RemoteService& service_;
};

}  // namespace penstock::net
