#include "penstock/net/remote/names/board.hpp"

#include <algorithm>
#include <utility>

#include "penstock/base/error.hpp"
#include "penstock/net/remote/calls/remote_definitions.hpp"

namespace penstock::net {

namespace {

/// Of one worker and one place.
template <class Place>
struct PublishedHandler {
  const Place* shared = nullptr;
};

bool names_a_service(const std::string& name) noexcept {
  const std::size_t slash = name.find('/');
  return slash != std::string::npos && slash != 0 && slash + 1 != name.size() &&
         name.find('/', slash + 1) == std::string::npos;
}

}  // namespace

const call::Implementation::Type& Board::implementation() noexcept {
  using Handler = PublishedHandler<Place>;
  static constexpr call::Implementation::Type type{
      // NOLINTNEXTLINE(bugprone-unhandled-exception-at-new): it may throw
      .create = []() -> void* { return new Handler; },
      .destroy = [](void* handler) noexcept { delete static_cast<Handler*>(handler); },
      .serve =
          [](call::Frame& frame, void* handler) {
            const Place& place = *static_cast<Handler*>(handler)->shared;
            // A call whose asker has gone keeps it no more.
            const std::shared_ptr<Publication> published = place.published();
            if (published == nullptr)
              throw Error(ErrorCode::unimplemented, "what was asked is published no more");
            published->serve(frame);
          },
      .coroutine = true,
      .set_shared =
          [](void* handler, void* shared) {
            static_cast<Handler*>(handler)->shared = static_cast<const Place*>(shared);
          }};
  return type;
}

void Board::reserve(exec::Pool& pool, metrics::Registry& registry, std::uint32_t& slots) {
  for (std::size_t count = 0; count < kMostPublished; ++count) {
    Place& place = places_.emplace_back();
    place.service.kind = Kind::async_remote;
    place.service.pool = &pool;
    place.service.implementations.add(implementation()).give_extras().shared = &place;
    place.site.callee = &place.service;
    call::enroll(place.service, registry, slots);
    call::enroll(place.site, registry);
  }
}

void Board::begin(const Link::Self& self, const std::deque<Offer>& offers) {
  const std::lock_guard lock(mutex_);
  drawn_.self = self;
  for (const Offer& offer : offers) drawn_.entries.push_back({.drawn = &offer, .published = {}});
  table_ = with({}, nullptr);
}

// Also those that are withdrawn and have calls under way. Some may end with what is given here: by
// whoever asked, without the board's mutex, as what a handler owns may be published, too.
Board::Published Board::held() const {
  Published all;
  for (std::size_t at = 0; at < places_.size(); ++at) all[at] = places_[at].published();
  return all;
}

bool Board::is_offered(const std::shared_ptr<Publication>& publication) noexcept {
  return publication != nullptr && !publication->is_withdrawn;
}

std::shared_ptr<const Board::Table> Board::table() const {
  const std::lock_guard lock(mutex_);
  return table_;
}

// Those drawn, those that are published, and this one.
std::shared_ptr<const Board::Table> Board::with(const Published& held, Publication* one) const {
  auto table = std::make_shared<Table>(drawn_);
  const auto add = [&table](Publication& each) {
    const auto number = static_cast<std::uint32_t>(table->entries.size());
    table->self.hello.services.push_back(
        {number, each.name, each.request_schema, each.answer_schema});
    table->self.definitions.push_back(definitions_of(*each.type));
    table->entries.push_back({.drawn = nullptr, .published = each.weak_from_this()});
  };
  for (const auto& each : held) {
    if (is_offered(each)) add(*each);
  }
  if (one != nullptr) add(*one);
  table->self.hello_bytes = wire::write_hello(table->self.hello);
  return table;
}

// One that has calls under way is none: they are of what was published there before.
Board::Place* Board::free_place() noexcept {
  for (Place& place : places_) {
    if (!place.is_expired()) continue;
    const std::uint64_t ended = place.service.done_count();
    if (place.service.sent_count() == ended) return &place;
  }
  return nullptr;
}

void Board::publish(const std::shared_ptr<Publication>& publication) {
  if (!names_a_service(publication->name)) {
    throw Error(ErrorCode::invalid_argument,
                "\"" + publication->name + "\" is no name to publish: BUNDLE/SERVICE is one");
  }
  Published now;
  const std::lock_guard lock(mutex_);
  now = held();
  if (table_ == nullptr || places_.empty())
    throw Error(ErrorCode::failed_precondition, "this binary is not open for others yet");
  const auto& drawn = drawn_.self.hello.services;
  const auto has_its_name = [&](const auto& each) { return each.name == publication->name; };
  const auto is_its_name = [&](const auto& each) {
    return is_offered(each) && has_its_name(*each);
  };
  if (std::any_of(drawn.begin(), drawn.end(), has_its_name) ||
      std::any_of(now.begin(), now.end(), is_its_name))
    throw Error(ErrorCode::already_exists, publication->name + " is offered already");
  Place* const place = free_place();
  if (place == nullptr) {
    throw Error(ErrorCode::resource_exhausted, "a process publishes " +
                                                   std::to_string(kMostPublished) +
                                                   " services at once, and they are all taken");
  }
  publication->site = &place->site;
  auto table = with(now, publication.get());
  place->name = publication->name;
  {
    const std::lock_guard of_place(place->mutex);
    place->current = publication;
  }
  table_ = std::move(table);
  changes_.fetch_add(1, std::memory_order_relaxed);
}

void Board::withdraw(const std::shared_ptr<Publication>& publication,
                     std::optional<Completion<void>::Callback> told) noexcept {
  Published now;
  const std::lock_guard lock(mutex_);
  publication->is_withdrawn = true;
  publication->told = std::move(told);
  now = held();
  try {
    table_ = with(now, nullptr);
  } catch (const std::exception&) {
    // The name stays in the table, and whoever asks for it is refused.
  }
  changes_.fetch_add(1, std::memory_order_relaxed);
}

std::shared_ptr<Publication> Board::find(const std::string& name) const {
  for (const auto& each : held()) {
    if (is_offered(each) && each->name == name) return each;
  }
  return nullptr;
}

std::vector<Board::Shown> Board::shown() const {
  const Published now = held();
  const std::lock_guard lock(mutex_);
  std::vector<Shown> all;
  for (std::size_t at = 0; at < places_.size(); ++at) {
    const Place& place = places_[at];
    if (!place.name.empty()) all.push_back({at, place.name, &place.service, is_offered(now[at])});
  }
  return all;
}

std::uint64_t Board::came() const {
  std::uint64_t sum = 0;
  for (const Place& place : places_) sum += place.service.sent_count();
  return sum;
}

std::uint64_t Board::ended() const {
  std::uint64_t sum = 0;
  for (const Place& place : places_) sum += place.service.done_count();
  return sum;
}

}  // namespace penstock::net
