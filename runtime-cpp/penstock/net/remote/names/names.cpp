#include "penstock/net/remote/names/names.hpp"

#include <atomic>
#include <utility>

#include "penstock/base/error.hpp"
#include "penstock/net/remote/names/own_names.hpp"

namespace penstock::net {
namespace {

std::atomic<Names*> names_of_this_process{nullptr};
// Before main(), by the code that wants them.
std::atomic<bool> wanted{false};

Names& names() {
  if (Names* const ours = Names::of_this_process()) return *ours;
  throw Error(ErrorCode::failed_precondition, "this binary does not run yet, or not any more");
}

}  // namespace

Names* Names::of_this_process() noexcept {
  return names_of_this_process.load(std::memory_order_acquire);
}

void Names::set(Names* names) noexcept {
  names_of_this_process.store(names, std::memory_order_release);
}

bool Names::are_wanted() noexcept { return wanted.load(std::memory_order_relaxed); }

bool want_names() noexcept {
  wanted.store(true, std::memory_order_relaxed);
  return true;
}

void put_on_board(const std::shared_ptr<Publication>& publication) {
  Names& ours = names();
  publication->board = ours.board;
  ours.board->publish(publication);
}

void take_from_board(const std::shared_ptr<Publication>& publication,
                     std::optional<Completion<void>::Callback> told) noexcept {
  // Where the binary has ended nobody asks any more, and it ends with its last holder.
  if (const auto board = publication->board.lock()) {
    board->withdraw(publication, std::move(told));
  } else {
    publication->told = std::move(told);
  }
}

Found find_remote(const Target& target) {
  const Resolved::Found& found = names().resolved.find(target);
  return {&found.site, &found.looks, &found.looking()};
}

}  // namespace penstock::net
