#include "penstock/net/remote/calls/row_call.hpp"

#include <algorithm>
#include <exception>
#include <memory>
#include <new>
#include <utility>

#include "penstock/call/service/service.hpp"
#include "penstock/concurrent/recycler.hpp"
#include "penstock/net/remote/calls/client.hpp"
#include "penstock/net/remote/calls/replica.hpp"

namespace penstock::net {
namespace {

constexpr std::uint64_t bit(std::uint32_t place) noexcept { return std::uint64_t{1} << place; }
static_assert(defaults::kMostInChunk <= 64);

/// Values that come one by one are taken so many to a row, whose memory most threads then have.
constexpr std::uint32_t kMostOneByOne = 16;

RemoteService& service_of(const RowStage& to) noexcept {
  return *static_cast<RemoteService*>(to.site.callee->implementations.front()->extras->shared);
}

}  // namespace

RowStage::RowStage(const RowType& its_type, const call::CallSite& its_site) noexcept
    : flow::Afar{&RowCall::take, &RowCall::take_all}, type(its_type), site(its_site) {}

RowCall::Value::Value(RowCall& its_row, std::uint32_t its_place) noexcept
    : SentCall(kType), row(its_row), place(its_place) {}

RowCall::RowCall(flow::Stage& stage, const RowStage& to, const RemoteService& service,
                 Client& client, flow::Chunk& chunk, std::uint32_t most) noexcept
    : Asking(service), stage_(stage), to_(to), client_(client), chunk_(chunk), most_(most) {
  run = [](exec::Job& job) noexcept { static_cast<RowCall&>(job).go_on(); };
}

// Each is made when its value comes.
RowCall::Value& RowCall::value(std::uint32_t place) noexcept {
  static_assert(sizeof(RowCall) % alignof(Value) == 0);
  return *std::launder(reinterpret_cast<Value*>(this + 1) + place);
}

// --- on the way there ---

// Null: its calls have deadlines, or there is nothing to ask with; each says so by itself.
Client* RowCall::client_of(const flow::Stage& stage) noexcept {
  const auto& to = *static_cast<const RowStage*>(stage.afar);
  if (to.site.callee->deadline_ns != 0) return nullptr;
  try {
    return &Client::here(*service_of(to).peer);
  } catch (const std::exception&) {
    return nullptr;
  }
}

RowCall* RowCall::make(flow::Stage& stage, Client& client, flow::Chunk& chunk,
                       std::uint32_t most) noexcept {
  const auto& to = *static_cast<const RowStage*>(stage.afar);
  try {
    auto* const row = ::new (concurrent::allocate(bytes_for(most)))
        RowCall(stage, to, service_of(to), client, chunk, most);
    chunk.stage = &stage;
    client.worker().hold();
    return row;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void RowCall::end(RowCall& row) noexcept {
  const std::size_t bytes = bytes_for(row.most_);
  row.~RowCall();
  concurrent::release(&row, bytes);
}

bool RowCall::take(flow::Stage& stage, std::byte* value) noexcept {
  Client* const client = client_of(stage);
  if (client == nullptr) return false;
  flow::Flow& flow = *stage.flow;
  RowCall*& open = client->open_row(service_of(*static_cast<const RowStage*>(stage.afar)).outlet);
  RowCall* row = open != nullptr && open->takes_more() ? open : nullptr;
  const bool fresh = row == nullptr;
  if (fresh) {
    flow::Chunk* const chunk = flow.chunk_or_null();
    if (chunk == nullptr) return false;
    row = make(stage, *client, *chunk, std::min(kMostOneByOne, flow.most_in_chunk()));
    if (row == nullptr) {
      flow.give_back(*chunk);
      return false;
    }
    open = row;
  }
  stage.takes->move(value, flow.value_in(row->chunk_, row->chunk_.count++));
  row->add(1);
  if (fresh) {
    client->send(*row);
  } else {
    client->send_more(*row);
  }
  return true;
}

bool RowCall::take_all(flow::Stage& stage, flow::Chunk& chunk) noexcept {
  Client* const client = client_of(stage);
  RowCall* const row = client != nullptr ? make(stage, *client, chunk, chunk.count) : nullptr;
  if (row == nullptr) return false;
  client->open_row(row->service().outlet) = nullptr;  // as one that goes alone
  row->add(chunk.count);
  client->send(*row);
  return true;
}

bool RowCall::takes_more() const noexcept { return chunk_.count < most_ && client_.is_last(*this); }

// They are in the chunk already.
void RowCall::add(std::uint32_t values) noexcept {
  metrics::Registry& registry = *to_.site.callee->registry;
  for (std::uint32_t more = 0; more < values; ++more) {
    const std::uint32_t place = chunk_.count - values + more;
    ::new (reinterpret_cast<Value*>(this + 1) + place) Value(*this, place);
    // Counted alone: the flow's counter says what is sampled, and that asks by itself.
    static_cast<void>(registry.sampled(to_.site.count));
  }
  unsent_ += values;
  left_ += values;
}

Sending RowCall::send_over(Replica& replica) {
  const std::size_t outlet = service().outlet;
  Link& link = replica.link();
  for (; unsent_ != 0; ++first_unsent_) {
    Value& each = value(first_unsent_);
    if (each.state != Value::State::unsent) continue;
    Link::Sent sent = Link::Sent::yes;
    try {
      sent = link.send(each, outlet, 0);
    } catch (const std::bad_alloc&) {
      --unsent_;
      fail(each, ErrorCode::resource_exhausted, [] { return "there is no memory for it"; });
      continue;
    }
    if (sent == Link::Sent::not_now) break;
    --unsent_;
    if (sent == Link::Sent::yes) {
      each.state = Value::State::sent;
      each.replica = &replica;
      replica.connection().attend();
    } else if (sent == Link::Sent::too_large) {
      fail(each, ErrorCode::resource_exhausted,
           [this] { return "its request is larger than " + client_.peer().binary + " takes"; });
    } else {
      fail(each, ErrorCode::unimplemented,
           [&] { return client_.peer().binary + ": " + link.outlet(outlet).why; });
    }
  }
  if (unsent_ != 0) return Sending::not_now;
  give_room();
  return Sending::sent;
}

void RowCall::give_up(ErrorCode code, std::string_view text) noexcept {
  give_room();
  for (std::uint32_t place = first_unsent_; place < chunk_.count; ++place) {
    Value& each = value(place);
    if (each.state == Value::State::unsent) fail(each, code, [text] { return std::string(text); });
  }
  unsent_ = 0;
  first_unsent_ = chunk_.count;
}

void RowCall::keep_room() noexcept { stage_.flow->keep_room(chunk_, unsent_); }
void RowCall::change_room() noexcept {
  exec::Pool::stand_for(chunk_, static_cast<std::uint16_t>(unsent_ - 1));
}
void RowCall::give_room() noexcept { exec::Pool::took_room(chunk_); }

// --- each call ---

const SentCallType RowCall::kType{&size_of, &write_to, &envelope_of, &on_end};

std::size_t RowCall::size_of(const SentCall& call) {
  const auto& self = static_cast<const Value&>(call);
  return self.row.to_.type.request_bytes(self.row.at(self.place));
}

void RowCall::write_to(const SentCall& call, char* at) {
  const auto& self = static_cast<const Value&>(call);
  const RowType& type = self.row.to_.type;
  const void* const value = self.row.at(self.place);
  type.write_request(value, at, type.request_bytes(value));
}

wire::CallEnvelope RowCall::envelope_of(const SentCall& /*call*/, Nanos /*now*/) noexcept {
  return {};
}

void RowCall::on_end(SentCall& call, const CallEnd& end) noexcept {
  auto& self = static_cast<Value&>(call);
  self.row.take_end(self, *std::exchange(self.replica, nullptr), end);
}

void RowCall::take_end(Value& value, Replica& replica, const CallEnd& end) noexcept {
  switch (end.kind) {
    case CallEnd::Kind::answer:
      return take_answer(value, replica, end.bytes);
    case CallEnd::Kind::error:
      replica.did(Replica::judged(end.code));
      if (end.code == ErrorCode::unimplemented) client_.is_gone(replica);
      return fail_as(value, end.code, end.bytes);
    case CallEnd::Kind::lost:
      return is_lost(value);
  }
}

void RowCall::take_answer(Value& value, Replica& replica, std::string_view bytes) noexcept {
  RowType::Took took = RowType::Took::malformed;
  try {
    took = to_.type.take_answer(at(value.place), bytes);
  } catch (const std::bad_alloc&) {
    return fail(value, ErrorCode::resource_exhausted,
                [] { return "there is no memory for its answer"; });
  }
  replica.did(took == RowType::Took::malformed ? Replica::Did::ill : Replica::Did::well);
  switch (took) {
    case RowType::Took::malformed:
      return fail(value, ErrorCode::data_loss, [] { return "its answer is malformed"; });
    case RowType::Took::goes_on:
      afterwards_.goes_on |= bit(value.place);
      break;
    case RowType::Took::ended:
      afterwards_.ended |= bit(value.place);
      break;
  }
  to_.site.callee->implementations.front()->count_done(nullptr, call::Ending::served, {});
  has_ended(value);
}

void RowCall::is_lost(Value& value) noexcept {
  if (!service().idempotent || ++value.losses > Client::kSentAgain) {
    return fail(value, ErrorCode::unavailable, [this] {
      return "the link to " + client_.peer().binary +
             " broke while it was under way; it may have been run";
    });
  }
  value.state = Value::State::unsent;
  first_unsent_ = std::min(first_unsent_, value.place);
  ++unsent_;
  client_.wait_again(*this);
}

template <class Text>
void RowCall::fail(Value& value, ErrorCode code, const Text& text) noexcept {
  std::string whole;
  try {
    whole = "call to " + to_.site.callee->name.str() + ": " + text();
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): the code says more than it
  }
  fail_as(value, code, whole);
}

void RowCall::fail_as(Value& value, ErrorCode code, std::string_view text) noexcept {
  const call::CallSite& site = to_.site;
  site.callee->implementations.front()->count_done(&code, call::Ending::served, {});
  if (code != ErrorCode::cancelled) site.callee->registry->shard().add(site.errors);
  if (flow::Event* const event = stage_.flow->fail_afar(stage_, chunk_, value.place, code, text))
    afterwards_.failed.push(*event);
  has_ended(value);
}

// --- and back ---

// What else comes back by then goes on with it.
void RowCall::has_ended(Value& value) noexcept {
  value.state = Value::State::ended;
  --left_;
  if (std::exchange(posted_, true)) return;
  RowCall*& open = client_.open_row(service().outlet);
  if (open == this) open = nullptr;
  client_.worker().post_here(*this);
}

void RowCall::go_on() noexcept {
  posted_ = false;
  flow::Flow::Afterwards afterwards = std::exchange(afterwards_, {});
  afterwards.is_all = left_ == 0;
  flow::Stage& stage = stage_;
  flow::Chunk& chunk = chunk_;
  Client& client = client_;
  if (afterwards.is_all) end(*this);
  stage.flow->came_back(stage, chunk, afterwards);
  if (!afterwards.is_all) return;
  client.worker().let_go();
  client.ended();
}

}  // namespace penstock::net
