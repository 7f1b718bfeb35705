#include "penstock/net/remote/calls/row_call.hpp"

#include <algorithm>
#include <bit>
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
constexpr std::uint32_t kAll = wire::kMostTogether;  // of a Values' bits
static_assert(defaults::kMostInChunk <= kAll);

RemoteService& service_of(const RowStage& to) noexcept {
  return *static_cast<RemoteService*>(to.site.callee->implementations.front()->extras->shared);
}
std::size_t outlet_of(const flow::Stage& stage) noexcept {
  return service_of(*static_cast<const RowStage*>(stage.afar)).outlet;
}

}  // namespace

RowStage::RowStage(const RowType& its_type, const call::CallSite& its_site) noexcept
    : flow::Afar{&RowCall::take, &RowCall::take_all}, type(its_type), site(its_site) {}

RowCall::RowCall(flow::Stage& stage, const RowStage& to, const RemoteService& service,
                 Client& client, flow::Chunk& chunk, std::uint32_t most) noexcept
    : Asking(service),
      SentRow(kType),
      stage_(stage),
      to_(to),
      client_(client),
      chunk_(chunk),
      most_(most) {
  run = [](exec::Job& job) noexcept { static_cast<RowCall&>(job).go_on(); };
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
    client.open_row(outlet_of(stage)) = most > chunk.count ? row : nullptr;
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
  if (RowCall* const open = open_for(stage, *client, 1)) {
    open->move_in(value);
    open->add(1);
    client->send_more(*open);
    return true;
  }
  flow::Flow& flow = *stage.flow;
  flow::Chunk* const chunk = flow.chunk_or_null();
  if (chunk == nullptr) return false;
  RowCall* const row = make(stage, *client, *chunk, flow.most_in_chunk());
  if (row == nullptr) {
    flow.give_back(*chunk);
    return false;
  }
  row->move_in(value);
  row->add(1);
  client->send(*row);
  return true;
}

// Those of small chunks go together again, or chunks would only ever become smaller.
bool RowCall::take_all(flow::Stage& stage, flow::Chunk& chunk) noexcept {
  Client* const client = client_of(stage);
  if (client == nullptr) return false;
  flow::Flow& flow = *stage.flow;
  const bool whole = chunk.pieces == nullptr;
  RowCall* const open = whole ? open_for(stage, *client, chunk.count) : nullptr;
  if (open != nullptr) {
    for (std::uint32_t at = 0; at < chunk.count; ++at) open->move_in(flow.value_in(chunk, at));
    open->add(chunk.count);
    flow.give_back(chunk);
    client->send_more(*open);
    return true;
  }
  RowCall* const row = make(stage, *client, chunk, whole ? flow.most_in_chunk() : chunk.count);
  if (row == nullptr) return false;
  row->add(chunk.count);
  client->send(*row);
  return true;
}

// The row that takes as many more of the stage; null: there is none.
RowCall* RowCall::open_for(const flow::Stage& stage, Client& client,
                           std::uint32_t values) noexcept {
  RowCall* const open = client.open_row(outlet_of(stage));
  const bool takes = open != nullptr && open->chunk_.count + values <= open->most_;
  return takes && client.is_last(*open) ? open : nullptr;
}

void RowCall::move_in(void* value) noexcept {
  stage_.takes->move(value, stage_.flow->value_in(chunk_, chunk_.count++));
}

// They are in the chunk already.
void RowCall::add(std::uint32_t values) noexcept {
  const std::uint32_t first = chunk_.count - values;
  std::fill_n(&losses(first), values, std::uint8_t{0});
  unsent_ |= (values == kAll ? ~Values{0} : bit(values) - 1) << first;
  // Counted alone: the flow's counter says what is sampled, and that asks by itself.
  static_cast<void>(to_.site.callee->registry->sampled(to_.site.count, values));
  left_ += values;
}

Sending RowCall::send_over(Replica& replica) {
  const std::size_t outlet = service().outlet;
  Link& link = replica.link();
  while (unsent_ != 0) {
    const Values before = unsent_;
    Link::Sent sent = Link::Sent::yes;
    try {
      sent = link.send(*this, unsent_, outlet);
    } catch (const std::bad_alloc&) {
      fail_first(ErrorCode::resource_exhausted,
                 [] { return std::string("there is no memory for it"); });
    }
    if (unsent_ != before) replica.connection().attend();
    if (sent == Link::Sent::not_now) return Sending::not_now;
    if (sent == Link::Sent::too_large) {
      fail_first(ErrorCode::resource_exhausted, [this] {
        return "its request is larger than " + client_.peer().binary + " takes";
      });
    } else if (sent == Link::Sent::not_offered) {
      fail_first(ErrorCode::unimplemented,
                 [&] { return client_.peer().binary + ": " + link.outlet(outlet).why; });
    }
  }
  give_room();
  return Sending::sent;
}

void RowCall::give_up(ErrorCode code, std::string_view text) noexcept {
  give_room();
  for (Values left = std::exchange(unsent_, 0); left != 0; left &= left - 1)
    fail(wire::first_of(left), code, [text] { return std::string(text); });
}

void RowCall::keep_room() noexcept { stage_.flow->keep_room(chunk_, unsent()); }
void RowCall::change_room() noexcept {
  exec::Pool::stand_for(chunk_, static_cast<std::uint16_t>(unsent() - 1));
}
void RowCall::give_room() noexcept { exec::Pool::took_room(chunk_); }

// --- each call ---

const SentRowType RowCall::kType{
    [](const SentRow& row, std::uint32_t place) {
      const auto& self = static_cast<const RowCall&>(row);
      return self.to_.type.request_bytes(self.at(place));
    },
    [](const SentRow& row, std::uint32_t place, char* at, std::size_t bytes) {
      const auto& self = static_cast<const RowCall&>(row);
      self.to_.type.write_request(self.at(place), at, bytes);
    },
    [](SentRow& row, std::uint64_t places, LinkUser& link) noexcept {
      static_cast<RowCall&>(row).take_empty_answers(places, static_cast<Replica&>(link));
    },
    [](SentRow& row, std::uint32_t place, const CallEnd& end, LinkUser& link) noexcept {
      static_cast<RowCall&>(row).take_end(place, static_cast<Replica&>(link), end);
    }};

void RowCall::take_end(std::uint32_t place, Replica& replica, const CallEnd& end) noexcept {
  switch (end.kind) {
    case CallEnd::Kind::answer:
      return take_answer(place, replica, end.bytes);
    case CallEnd::Kind::error:
      replica.did(Replica::judged(end.code));
      if (end.code == ErrorCode::unimplemented) client_.is_gone(replica);
      return fail_as(place, end.code, end.bytes);
    case CallEnd::Kind::lost:
      return is_lost(place);
  }
}

void RowCall::take_answer(std::uint32_t place, Replica& replica, std::string_view bytes) noexcept {
  RowType::Took took = RowType::Took::malformed;
  try {
    took = to_.type.take_answer(at(place), bytes);
  } catch (const std::bad_alloc&) {
    return fail(place, ErrorCode::resource_exhausted,
                [] { return std::string("there is no memory for its answer"); });
  }
  replica.did(took == RowType::Took::malformed ? Replica::Did::ill : Replica::Did::well);
  switch (took) {
    case RowType::Took::malformed:
      return fail(place, ErrorCode::data_loss,
                  [] { return std::string("its answer is malformed"); });
    case RowType::Took::goes_on:
      afterwards_.goes_on |= bit(place);
      break;
    case RowType::Took::ended:
      afterwards_.ended |= bit(place);
      break;
  }
  to_.site.callee->implementations.front()->count_served(1);
  have_ended(1);
}

void RowCall::take_empty_answers(Values places, Replica& replica) noexcept {
  if (!to_.type.goes_on_unanswered) {
    for (; places != 0; places &= places - 1) take_answer(wire::first_of(places), replica, {});
    return;
  }
  const auto count = static_cast<std::uint32_t>(std::popcount(places));
  replica.did(Replica::Did::well);
  afterwards_.goes_on |= places;
  to_.site.callee->implementations.front()->count_served(count);
  have_ended(count);
}

void RowCall::is_lost(std::uint32_t place) noexcept {
  if (!service().idempotent || ++losses(place) > Client::kSentAgain) {
    return fail(place, ErrorCode::unavailable, [this] {
      return "the link to " + client_.peer().binary +
             " broke while it was under way; it may have been run";
    });
  }
  unsent_ |= bit(place);
  client_.wait_again(*this);
}

// Of those that are to be sent.
template <class Text>
void RowCall::fail_first(ErrorCode code, const Text& text) noexcept {
  const std::uint32_t place = wire::first_of(unsent_);
  unsent_ &= unsent_ - 1;
  fail(place, code, text);
}

template <class Text>
void RowCall::fail(std::uint32_t place, ErrorCode code, const Text& text) noexcept {
  std::string whole;
  try {
    whole = "call to " + to_.site.callee->name.str() + ": " + text();
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): the code says more than it
  }
  fail_as(place, code, whole);
}

void RowCall::fail_as(std::uint32_t place, ErrorCode code, std::string_view text) noexcept {
  const call::CallSite& site = to_.site;
  site.callee->implementations.front()->count_done(&code, call::Ending::served, {});
  if (code != ErrorCode::cancelled) site.callee->registry->shard().add(site.errors);
  if (flow::Event* const event = stage_.flow->fail_afar(stage_, chunk_, place, code, text))
    afterwards_.failed.push(*event);
  have_ended(1);
}

// --- and back ---

// What else comes back by then goes on with it.
void RowCall::have_ended(std::uint32_t values) noexcept {
  left_ -= values;
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
