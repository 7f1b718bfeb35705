#include "penstock/net/socket/shared_buffers.hpp"

#include <cstring>
#include <utility>

namespace penstock::net {

using wire::BufferPart;

namespace {

std::uint64_t next_id() noexcept {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace

/// A buffer that this process has of another one.
class SharedBuffers::Borrowed final : public BufferMemory {
 public:
  Borrowed(std::shared_ptr<Known> from, std::uint64_t link, std::uint32_t number) noexcept
      : BufferMemory(from->memory.bytes(), from->memory.capacity()),
        link_(link),
        number_(number),
        generation_(from->generation),
        from_(std::move(from)) {}

  [[nodiscard]] std::uint64_t link() const noexcept { return link_; }
  [[nodiscard]] std::uint32_t number() const noexcept { return number_; }
  [[nodiscard]] std::uint64_t generation() const noexcept { return generation_; }
  /// Its owner is told in another way that it has it again.
  void goes_back() noexcept {
    from_->held.store(false, std::memory_order_release);
    delete this;
  }

 private:
  void unused() noexcept override {
    // Before the owner may lend it again.
    from_->held.store(false, std::memory_order_release);
    from_->memory.release(generation_);
    delete this;
  }

  const std::uint64_t link_;
  const std::uint32_t number_;
  const std::uint64_t generation_;
  const std::shared_ptr<Known> from_;
};

SharedBuffers::SharedBuffers(BufferPool& pool, FileWay& files)
    : loans_(pool), files_(files), id_(next_id()) {}

SharedBuffers::~SharedBuffers() = default;

bool SharedBuffers::hand(Buffer& buffer, bool keep, BufferPart& part) {
  const std::size_t size = buffer.size();
  if (!keep && buffer.memory()->has_one_handle() &&
      (hand_back(buffer, part) || lend(*buffer.memory(), part))) {
    part.length = size;
    static_cast<void>(buffer.release());
    return true;
  }
  // It is another link's, lies elsewhere, or somebody looks at it still: a copy is handed over.
  Segment* const copy = loans_.make(size);
  if (copy == nullptr) return false;
  std::memcpy(copy->bytes(), buffer.data(), size);
  if (!lend(*copy, part)) {
    copy->drop_handle();
    return false;
  }
  part.length = size;
  if (!keep) buffer = {};
  return true;
}

bool SharedBuffers::hand_back(Buffer& buffer, BufferPart& part) noexcept {
  auto* const borrowed = dynamic_cast<Borrowed*>(buffer.memory());
  if (borrowed == nullptr || borrowed->link() != id_) return false;
  part.kind = BufferPart::Kind::back;
  part.segment = borrowed->number();
  part.generation = borrowed->generation();
  borrowed->goes_back();
  return true;
}

bool SharedBuffers::lend(BufferMemory& memory, BufferPart& part) noexcept {
  Loans::Loan loan;
  if (!loans_.lend(memory, loan)) return false;
  const bool is_new = loan.file != nullptr;
  if (is_new && !files_.send_file(*loan.file)) {
    loans_.undo(loan);
    return false;
  }
  if (is_new) loans_.sent(loan);
  part.kind = is_new ? BufferPart::Kind::new_segment : BufferPart::Kind::segment;
  part.segment = loan.number;
  part.generation = loan.generation;
  return true;
}

Handover::Taken SharedBuffers::take(const BufferPart& part, Buffer& to) {
  if (part.kind == BufferPart::Kind::back) {
    BufferMemory* const own = loans_.back(part.segment, part.generation, part.length);
    if (own == nullptr) return Taken::malformed;
    to = Buffer(*own, part.length);
    return Taken::yes;
  }
  if (part.segment >= known_.size()) return Taken::malformed;
  if (part.kind == BufferPart::Kind::new_segment) {
    if (const Taken taken = take_new(part); taken != Taken::yes) return taken;
  }
  const std::shared_ptr<Known>& known = known_[part.segment];
  if (!known || known->held.load(std::memory_order_acquire) ||
      part.generation != known->generation + 1 || part.length > known->memory.capacity())
    return Taken::malformed;
  known->generation = part.generation;
  auto* const borrowed = new Borrowed(known, id_, part.segment);
  known->held.store(true, std::memory_order_relaxed);
  to = Buffer(*borrowed, part.length);
  return Taken::yes;
}

// In place of one of the same number, which nobody may have.
Handover::Taken SharedBuffers::take_new(const BufferPart& part) {
  std::shared_ptr<Known>& place = known_[part.segment];
  const Descriptor file = files_.take_file();
  if (!file.is_open()) return files_.lost_files() ? Taken::no_memory : Taken::malformed;
  const std::size_t capacity = SegmentFile::capacity_of(file);
  const std::size_t before = place ? place->memory.capacity() : 0;
  if (capacity == 0 || (place && place->held.load(std::memory_order_acquire)) ||
      capacity > Loans::kMostBytes - (known_bytes_ - before))
    return Taken::malformed;
  SegmentFile memory(file, capacity);
  if (!memory.is_there()) return Taken::no_memory;
  auto fresh = std::make_shared<Known>(std::move(memory));
  known_bytes_ += fresh->memory.capacity() - before;
  place = std::move(fresh);
  return Taken::yes;
}

}  // namespace penstock::net
