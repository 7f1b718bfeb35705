#include "penstock/flow/event/event_store.hpp"

#include <mutex>
#include <utility>

#include "penstock/concurrent/mutex.hpp"

namespace penstock::flow {

constinit thread_local std::array<detail::EventList, detail::kEventClasses> detail::t_events{};

namespace {

using detail::EventList;
using detail::kEventClasses;
using detail::t_events;

constexpr std::align_val_t kAlignment{concurrent::kLine};

/// What changes hands between threads.
struct Batch {
  std::array<Event*, defaults::kEventsPerBatch> events{};
  Batch* next = nullptr;
};

void destroy(Event& event) noexcept {
  std::destroy_at(&event);
  ::operator delete(&event, kAlignment);
}

/// Full and empty batches that no thread has. One for each size.
class Depot {
 public:
  /// A full one; null: there is none.
  [[nodiscard]] Batch* take() noexcept {
    const std::lock_guard hold(mutex_);
    Batch* const batch = full_;
    if (batch == nullptr) return nullptr;
    full_ = batch->next;
    --count_;
    return batch;
  }
  /// False: there are enough.
  [[nodiscard]] bool give(Batch& batch) noexcept {
    const std::lock_guard hold(mutex_);
    if (count_ >= defaults::kEventBatchesKept) return false;
    batch.next = std::exchange(full_, &batch);
    ++count_;
    return true;
  }

 private:
  concurrent::Mutex mutex_;
  Batch* full_ = nullptr;
  std::size_t count_ = 0;
};

// Never destroyed: threads may end after main().
Depot& depot(std::size_t index) noexcept {
  // Before the first event: without memory for it the program ends.
  // NOLINTNEXTLINE(bugprone-unhandled-exception-at-new)
  static auto* const all = new std::array<Depot, kEventClasses>;
  return (*all)[index];
}

/// The batches of one thread: `t_events` is what is in the first one. The second one is full, empty
/// or missing, so that a thread that takes and gives in turns does not go to the depot each time.
class Mine {
 public:
  Mine() = default;
  Mine(const Mine&) = delete;
  Mine& operator=(const Mine&) = delete;
  ~Mine() {
    t_closed = true;
    for (std::size_t index = 0; index < kEventClasses; ++index) {
      EventList& list = t_events[index];
      Batches& mine = batches_[index];
      while (list.top != list.begin) destroy(**--list.top);
      list = {};
      delete mine.first;
      if (mine.other_is_full) give_to_depot(*mine.other, index);
      if (!mine.other_is_full) delete mine.other;
    }
  }

  /// Makes it have events; false: there are none.
  [[nodiscard]] bool refill(std::size_t index) {
    Batches& mine = batches_[index];
    if (!mine.other_is_full) {
      Batch* const full = depot(index).take();
      if (full == nullptr) return false;
      delete std::exchange(mine.other, full);
    }
    std::swap(mine.first, mine.other);
    mine.other_is_full = false;
    show(index, defaults::kEventsPerBatch);
    return true;
  }

  /// Makes it have room. Throws std::bad_alloc.
  void make_room(std::size_t index) {
    Batches& mine = batches_[index];
    if (mine.first != nullptr) {
      if (mine.other_is_full) {
        give_to_depot(*std::exchange(mine.other, nullptr), index);
        mine.other_is_full = false;
      }
      if (mine.other == nullptr) mine.other = new Batch;
      std::swap(mine.first, mine.other);
      mine.other_is_full = true;
    } else {
      mine.first = new Batch;
    }
    show(index, 0);
  }

  static constinit thread_local bool t_closed;

 private:
  struct Batches {
    Batch* first = nullptr;
    Batch* other = nullptr;
    bool other_is_full = false;
  };

  void show(std::size_t index, std::size_t count) noexcept {
    Event** const begin = batches_[index].first->events.data();
    t_events[index] = {begin, begin + count, begin + defaults::kEventsPerBatch};
  }
  static void give_to_depot(Batch& batch, std::size_t index) noexcept {
    if (depot(index).give(batch)) return;
    for (Event* const event : batch.events) destroy(*event);
    delete &batch;
  }

  std::array<Batches, kEventClasses> batches_;
};
constinit thread_local bool Mine::t_closed = false;

/// Null when the thread ends.
Mine* mine() noexcept {
  if (Mine::t_closed) return nullptr;
  static thread_local Mine own;
  return &own;
}

}  // namespace

Event& detail::take_slowly(std::size_t value_bytes) {
  const std::size_t index = class_of(value_bytes);
  if (concurrent::detail::kRecycle && index < kEventClasses) {
    Mine* const own = mine();
    if (own != nullptr && own->refill(index)) return *(*--t_events[index].top);
  }
  void* const memory = ::operator new(Event::kValueOffset + index * kValueStep, kAlignment);
  return *::new (memory) Event;
}

void detail::give_back_slowly(Event& event, std::size_t value_bytes) noexcept {
  if constexpr (concurrent::detail::kRecycle) {
    const std::size_t index = class_of(value_bytes);
    Mine* const own = index < kEventClasses ? mine() : nullptr;
    try {
      if (own != nullptr) {
        own->make_room(index);
        *t_events[index].top++ = &event;
        return;
      }
    } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): then it is not kept
    }
  }
  destroy(event);
}

}  // namespace penstock::flow
