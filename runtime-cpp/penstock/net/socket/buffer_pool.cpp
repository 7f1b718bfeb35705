#include "penstock/net/socket/buffer_pool.hpp"

#include <algorithm>
#include <utility>

namespace penstock::net {
namespace {

/// Over whose link this thread lent last: it is likely the one for the next.
thread_local const Loans* lent_last = nullptr;

}  // namespace

Segment::Segment(BufferPool& pool, Descriptor file, SegmentFile memory) noexcept
    : BufferMemory(memory.bytes(), memory.capacity()),
      pool_(pool),
      file_(std::move(file)),
      memory_(std::move(memory)) {}

void Segment::unused() noexcept { pool_.put_back(*this); }

BufferPool& BufferPool::of_process() {
  static BufferPool& pool = *new BufferPool(Limits{});
  static const bool made = [] {
    BufferMemory::large_maker.store(
        [](std::size_t size) -> BufferMemory* { return of_process().make(size); },
        std::memory_order_release);
    return true;
  }();
  static_cast<void>(made);
  return pool;
}

BufferPool::~BufferPool() {
  for (Segment* const segment : free_) delete segment;
}

BufferPool::Counts BufferPool::counts() {
  const std::lock_guard lock(mutex_);
  return {free_.size(), count_, bytes_};
}

Segment* BufferPool::make_for(Loans* loans, std::size_t size) {
  if (size > limits_.most) return nullptr;
  const std::size_t capacity = SegmentFile::capacity_for(size);
  {
    const std::lock_guard lock(mutex_);
    look_for_released();
    if (Segment* const found = find_free(loans, size)) {
      found->first_handle();
      return found;
    }
    free_.reserve(limits_.segments);
    if (!make_way(capacity)) return nullptr;
    ++count_;
    bytes_ += capacity;
  }
  // Without the lock: its pages are made.
  Segment* made = nullptr;
  if (Descriptor file = SegmentFile::make(capacity); file.is_open()) {
    SegmentFile memory(file, capacity);
    if (memory.is_there())
      made = new (std::nothrow) Segment(*this, std::move(file), std::move(memory));
  }
  if (made != nullptr) return made;
  const std::lock_guard lock(mutex_);
  --count_;
  bytes_ -= capacity;
  return nullptr;
}

// One that is not much larger; rather one of the link that is to have it.
Segment* BufferPool::find_free(const Loans* loans, std::size_t size) noexcept {
  const Loans* const likely = loans != nullptr ? loans : lent_last;
  const auto rank = [likely](const Segment& segment) {
    if (segment.bound_ == nullptr) return 1;
    return segment.bound_ == likely ? 2 : 0;
  };
  const std::size_t largest = std::max(2 * size, SegmentFile::capacity_for(size));
  auto best = free_.end();
  for (auto at = free_.begin(); at != free_.end(); ++at) {
    const Segment& segment = **at;
    if (segment.capacity() < size || segment.capacity() > largest) continue;
    if (loans != nullptr && rank(segment) == 0) continue;
    if (best == free_.end() || rank(segment) > rank(**best) ||
        (rank(segment) == rank(**best) && segment.capacity() < (*best)->capacity()))
      best = at;
  }
  if (best == free_.end()) return nullptr;
  Segment* const found = *best;
  free_.erase(best);
  free_bytes_ -= found->capacity();
  return found;
}

// Free ones go, the oldest first.
bool BufferPool::make_way(std::size_t capacity) noexcept {
  while (count_ >= limits_.segments || bytes_ + capacity > limits_.most) {
    if (free_.empty()) return false;
    Segment& oldest = *free_.front();
    free_.erase(free_.begin());
    free_bytes_ -= oldest.capacity();
    remove(oldest);
  }
  return true;
}

void BufferPool::look_for_released() noexcept {
  for (Loans* const loans : loans_) {
    for (Loans::Place& place : loans->places_) {
      Segment* const segment = place.segment;
      if (segment == nullptr || !segment->lent_ ||
          segment->memory_.released() != segment->generation_)
        continue;
      segment->lent_ = false;
      ++count_;
      bytes_ += segment->capacity();
      set_free(*segment);
    }
  }
}

void BufferPool::put_back(Segment& segment) noexcept {
  const std::lock_guard lock(mutex_);
  set_free(segment);
}

void BufferPool::set_free(Segment& segment) noexcept {
  if (segment.orphaned_ || count_ > limits_.segments || bytes_ > limits_.most ||
      free_bytes_ + segment.capacity() > limits_.most_free || free_.size() == free_.capacity())
    return remove(segment);
  free_.push_back(&segment);
  free_bytes_ += segment.capacity();
}

void BufferPool::remove(Segment& segment) noexcept {
  --count_;
  bytes_ -= segment.capacity();
  if (segment.bound_ != nullptr) segment.bound_->places_[segment.number_].segment = nullptr;
  delete &segment;
}

Loans::Loans(BufferPool& pool) : pool_(pool) {
  const std::lock_guard lock(pool_.mutex_);
  pool_.loans_.push_back(this);
}

Loans::~Loans() {
  if (lent_last == this) lent_last = nullptr;
  const std::lock_guard lock(pool_.mutex_);
  std::erase(pool_.loans_, this);
  std::erase_if(pool_.free_, [this](Segment* segment) {
    if (segment->bound_ != this) return false;
    pool_.free_bytes_ -= segment->capacity();
    pool_.remove(*segment);
    return true;
  });
  for (const Place& place : places_) {
    if (place.segment == nullptr) continue;
    if (place.segment->lent_) {
      delete place.segment;
    } else {
      place.segment->bound_ = nullptr;
      place.segment->orphaned_ = true;
    }
  }
}

// In place of one that is gone here, the largest first: the other end has its memory until then.
bool Loans::take_number(Segment& segment, std::size_t& there_before) noexcept {
  Place* best = nullptr;
  for (Place& place : places_) {
    if (place.segment == nullptr && (best == nullptr || place.there > best->there)) best = &place;
  }
  if (best == nullptr || there_ - best->there + segment.capacity() > kMostBytes) return false;
  there_before = best->there;
  there_ += segment.capacity() - best->there;
  *best = {&segment, segment.capacity()};
  segment.bound_ = this;
  segment.number_ = static_cast<std::uint32_t>(best - places_.data());
  return true;
}

bool Loans::lend(BufferMemory& memory, Loan& loan) noexcept {
  auto* const segment = dynamic_cast<Segment*>(&memory);
  if (segment == nullptr || &segment->pool_ != &pool_) return false;
  const std::lock_guard lock(pool_.mutex_);
  if (segment->orphaned_) return false;
  std::size_t there_before = 0;
  if (segment->bound_ == nullptr ? !take_number(*segment, there_before) : segment->bound_ != this)
    return false;
  segment->lent_ = true;
  ++segment->generation_;
  --pool_.count_;
  pool_.bytes_ -= segment->capacity();
  loan = {segment->number_, segment->generation_,
          segment->file_.is_open() ? &segment->file_ : nullptr, there_before};
  lent_last = this;
  return true;
}

void Loans::sent(const Loan& loan) noexcept {
  const std::lock_guard lock(pool_.mutex_);
  places_[loan.number].segment->file_.close();
}

void Loans::undo(const Loan& loan) noexcept {
  const std::lock_guard lock(pool_.mutex_);
  Segment& segment = *places_[loan.number].segment;
  segment.lent_ = false;
  --segment.generation_;
  ++pool_.count_;
  pool_.bytes_ += segment.capacity();
  if (!segment.file_.is_open()) return;
  // It was to be the first time.
  segment.bound_ = nullptr;
  there_ -= segment.capacity() - loan.there_before;
  places_[loan.number] = {nullptr, loan.there_before};
}

BufferMemory* Loans::back(std::uint32_t number, std::uint64_t generation,
                          std::uint64_t length) noexcept {
  if (number >= kMostSegments) return nullptr;
  const std::lock_guard lock(pool_.mutex_);
  Segment* const segment = places_[number].segment;
  if (segment == nullptr || !segment->lent_ || segment->generation_ != generation ||
      length > segment->capacity())
    return nullptr;
  segment->lent_ = false;
  ++pool_.count_;
  pool_.bytes_ += segment->capacity();
  segment->first_handle();
  return segment;
}

}  // namespace penstock::net
