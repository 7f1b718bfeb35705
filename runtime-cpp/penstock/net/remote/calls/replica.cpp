#include "penstock/net/remote/calls/replica.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "penstock/net/remote/calls/client.hpp"

namespace penstock::net {
namespace {

std::uint64_t number_of(const std::string& instance) noexcept {
  std::uint64_t number = 0;
  std::from_chars(instance.data(), instance.data() + instance.size(), number, 16);
  return number;
}

// The finaliser of splitmix64 (Steele, Lea and Flood 2014): each bit hangs on all others.
std::uint64_t mixed(std::uint64_t number) noexcept {
  number = (number ^ (number >> 30U)) * 0xBF58476D1CE4E5B9U;
  number = (number ^ (number >> 27U)) * 0x94D049BB133111EBU;
  return number ^ (number >> 31U);
}

}  // namespace

Replica::Replica(Client& client, Peer& peer, const Directory::Instance& instance, Descriptor socket,
                 std::unique_ptr<Carrier> carrier)
    : client_(client),
      peer_(peer),
      place_(instance.place.text()),
      number_(number_of(instance.id)),
      connection_(std::move(socket), peer.self, *this, peer.limits, std::move(carrier)) {}

std::uint64_t Replica::weight(std::uint64_t key) const noexcept {
  return mixed(mixed(key) ^ number_);
}

Replica::Did Replica::judged(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::unknown:
    case ErrorCode::deadline_exceeded:
    case ErrorCode::internal:
    case ErrorCode::unavailable:
    case ErrorCode::data_loss:
    case ErrorCode::deadlock:
      return Did::ill;
    default:
      return Did::well;
  }
}

void Replica::rest() noexcept {
  ill_calls_ = 0;
  if (rests_until_ != 0) return;  // calls that it had before
  const Nanos rest = next_rest_ == 0 ? peer_.first_rest : next_rest_;
  next_rest_ = std::min(rest * 2, peer_.first_rest * kLongestRest);
  rests_until_ = now_ns() + rest;
}

void Replica::opened(Link& link) {
  // Nothing was sent yet but the hello. Somebody else is who listens there while the binary does
  // not.
  const std::string& binary = peer_.is_anyone ? link.peer().binary : peer_.binary;
  if (std::string why = connection_.is_not({peer_.self.hello.project, binary}); !why.empty())
    return link.close(std::move(why));
  was_open_ = true;
  peer_.figures.in_memory.store(connection_.is_in_memory(), std::memory_order_relaxed);
  peer_.figures.open.fetch_add(1, std::memory_order_relaxed);
  peer_.figures.is_up();
  client_.opened(*this);
}

void Replica::has_credit(Link& /*link*/, std::size_t outlet) { client_.send_waiting(outlet); }

void Replica::not_offered(Link& /*link*/, std::size_t /*outlet*/) { client_.look_soon(); }

void Replica::drains(Link& /*link*/) { client_.drains(*this); }

ReceivedCall* Replica::called(Link& link, const Incoming& call) {
  link.refuse(call, ErrorCode::unimplemented, "this end of the link takes no calls");
  return nullptr;
}

void Replica::closed(Link& /*link*/) noexcept {
  if (was_open_) count_packets();
  client_.broke(*this);
}

void Replica::leaves(Connection& /*connection*/) noexcept { client_.leave(); }

void Replica::moved(std::size_t sent, std::size_t received) noexcept {
  LinkFigures& figures = peer_.figures;
  // One of the two is 0: nobody else has to give the line away for it.
  if (sent != 0) figures.sent_bytes.fetch_add(sent, std::memory_order_relaxed);
  if (received != 0) figures.received_bytes.fetch_add(received, std::memory_order_relaxed);
  const Nanos trip = link().round_trip();
  if (std::exchange(round_trip_, trip) == trip) return;
  figures.round_trips.add(trip);
  count_packets();
}

void Replica::count_packets() noexcept {
  const SentPackets now = connection_.sent_packets();
  const std::uint32_t all = now.all - packets_.all;
  const std::uint32_t again = now.again - packets_.again;
  packets_ = now;
  peer_.figures.sent_packets.fetch_add(all, std::memory_order_relaxed);
  peer_.figures.resent_packets.fetch_add(again, std::memory_order_relaxed);
}

}  // namespace penstock::net
