#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "penstock/base/time.hpp"
#include "penstock/call/service/service.hpp"
#include "penstock/net/remote/calls/remote_type.hpp"
#include "penstock/net/remote/names/publication.hpp"

/// What penstock/net.hpp is made of, without the rooms behind it.
namespace penstock::net {

/// What is looked for, and how it is called.
struct Target {
  std::string uri;
  std::uint64_t request_schema = 0;
  std::uint64_t answer_schema = 0;
  const RemoteType* type = nullptr;
  Nanos deadline_ns = 0;    ///< for one answer; 0: none
  bool idempotent = false;  ///< a call that may have been run may be sent again
  friend bool operator==(const Target&, const Target&) = default;
};

/// How that is called, and how it is looked whether it is there.
struct Found {
  const call::CallSite* calls = nullptr;
  const call::CallSite* looks = nullptr;
  call::Implementation* looking = nullptr;
};

/// The program publishes or resolves: its binary keeps places for that. Before main().
bool want_names() noexcept;

/// Throws as Board::publish() does, Error(failed_precondition) while no binary runs.
void put_on_board(const std::shared_ptr<Publication>& publication);
void take_from_board(const std::shared_ptr<Publication>& publication,
                     std::optional<Completion<void>::Callback> told) noexcept;
/// Throws as Resolved::find() does, Error(failed_precondition) while no binary runs.
[[nodiscard]] Found find_remote(const Target& target);

}  // namespace penstock::net
