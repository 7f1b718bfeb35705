#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "penstock/base/defaults.hpp"
#include "penstock/exec/job.hpp"
#include "penstock/flow/graph/flow.hpp"
#include "penstock/net/link/sent_rows.hpp"
#include "penstock/net/remote/calls/asking.hpp"
#include "penstock/net/remote/calls/row_type.hpp"

namespace penstock::net {

class Client;

/// A stage whose values go together.
struct RowStage : flow::Afar {
  RowStage(const RowType& its_type, const call::CallSite& its_site) noexcept;

  const RowType& type;
  const call::CallSite& site;  ///< where its values are asked about
};

/// Values of a stage that another binary runs, on their way there and back: a call for each, with
/// neither frame nor coroutine. What comes back together goes on together, in one job. On the
/// worker of its client.
class RowCall final : public Asking, exec::Job, SentRow {
 public:
  RowCall(const RowCall&) = delete;
  RowCall& operator=(const RowCall&) = delete;
  ~RowCall() = default;

  [[nodiscard]] std::uint64_t key() const noexcept override { return 0; }
  [[nodiscard]] Nanos deadline_ns() const noexcept override { return 0; }
  [[nodiscard]] const call::CallSite* site() const noexcept override { return &to_.site; }
  [[nodiscard]] std::uint32_t unsent() const noexcept override {
    return static_cast<std::uint32_t>(std::popcount(unsent_));
  }
  [[nodiscard]] Sending send_over(Replica& replica) override;
  void give_up(ErrorCode code, std::string_view text) noexcept override;
  void keep_room() noexcept override;
  void change_room() noexcept override;
  void give_room() noexcept override;

 private:
  friend struct RowStage;
  /// Values, one a bit, by their places in the chunk.
  using Values = std::uint64_t;

  RowCall(flow::Stage& stage, const RowStage& to, const RemoteService& service, Client& client,
          flow::Chunk& chunk, std::uint32_t most) noexcept;

  static bool take(flow::Stage& stage, std::byte* value) noexcept;
  static bool take_all(flow::Stage& stage, flow::Chunk& chunk) noexcept;
  [[nodiscard]] static Client* client_of(const flow::Stage& stage) noexcept;
  [[nodiscard]] static RowCall* make(flow::Stage& stage, Client& client, flow::Chunk& chunk,
                                     std::uint32_t most) noexcept;
  [[nodiscard]] static constexpr std::size_t bytes_for(std::uint32_t most) noexcept {
    return sizeof(RowCall) + most;
  }
  static void end(RowCall& row) noexcept;
  [[nodiscard]] static RowCall* open_for(const flow::Stage& stage, Client& client,
                                         std::uint32_t values) noexcept;
  void move_in(void* value) noexcept;
  void add(std::uint32_t values) noexcept;

  /// Links that broke while they had the value.
  [[nodiscard]] std::uint8_t& losses(std::uint32_t place) noexcept {
    return reinterpret_cast<std::uint8_t*>(this + 1)[place];
  }
  [[nodiscard]] void* at(std::uint32_t place) const noexcept {
    return stage_.flow->value_in(chunk_, place);
  }
  static const SentRowType kType;

  void take_end(std::uint32_t place, Replica& replica, const CallEnd& end) noexcept;
  void take_answer(std::uint32_t place, Replica& replica, std::string_view bytes) noexcept;
  void take_empty_answers(Values places, Replica& replica) noexcept;
  void is_lost(std::uint32_t place) noexcept;
  /// `text` gives the text, and may throw std::bad_alloc.
  template <class Text>
  void fail(std::uint32_t place, ErrorCode code, const Text& text) noexcept;
  template <class Text>
  void fail_first(ErrorCode code, const Text& text) noexcept;
  void fail_as(std::uint32_t place, ErrorCode code, std::string_view text) noexcept;
  void have_ended(std::uint32_t values) noexcept;
  void go_on() noexcept;

  flow::Stage& stage_;
  const RowStage& to_;
  Client& client_;
  flow::Chunk& chunk_;
  Values unsent_ = 0;
  std::uint32_t left_ = 0;  // values that did not go on from here
  bool posted_ = false;
  const std::uint32_t most_;           // values: there is a byte for each behind it
  flow::Flow::Afterwards afterwards_;  // of what has come back since it last went on
};

}  // namespace penstock::net
