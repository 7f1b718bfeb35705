#include "world/world.hpp"

#include <algorithm>
#include <csignal>
#include <ctime>
#include <limits>
#include <sstream>
#include <utility>

#include "world/sockets.hpp"
#include "world/step.hpp"
#include "world/waiting.hpp"

namespace penstock::world {

namespace {

constexpr std::int64_t kBeginning = 1'000'000'000'000;
constexpr std::int64_t kNoWorld = std::numeric_limits<std::int64_t>::max();
/// What comes to no end in so many switches runs in a circle.
constexpr std::uint64_t kMostSwitches = 16'000'000;
constexpr std::int64_t kPauseNanos = 40;

World* g_world = nullptr;
// A world was given up: its threads hold what they hold.
bool g_given_up = false;

}  // namespace

std::int64_t steps_left = kNoWorld;
std::uint64_t writes = 0;

World* World::current() noexcept { return g_world; }
ThreadLocals* World::own_locals() noexcept {
  return g_world != nullptr && g_world->running_ != nullptr ? &g_world->running_->locals : nullptr;
}

World::World(std::uint64_t seed)
    : seed_(seed), random_(seed), for_tests_(seed ^ 0x5DEECE66DU), now_(kBeginning) {
  draw_temper();
}

World::~World() = default;

// Each world has habits of its own: one switches at every step and never stalls, another one runs a
// thread for long and then keeps it away while timers go off. In some, threads have priorities that
// change now and then (Burckhardt et al., "A Randomized Scheduler with Probabilistic Guarantees of
// Finding Bugs", 2010), which finds an order that needs one thread kept away for long.
void World::draw_temper() noexcept {
  gap_ = random_.one_of<std::uint64_t>({1, 2, 4, 8, 16, 32, 64, 128, 512});
  stall_in_ = random_.one_of<std::uint64_t>({0, 0, 1000, 200, 40});
  longest_stall_ = random_.one_of<std::int64_t>({10'000, 1'000'000, 50'000'000});
  tick_ = random_.one_of<std::int64_t>({0, 5, 50, 500, 5'000});
  nothing_in_ = random_.one_of<std::uint64_t>({0, 50, 10});
  demote_in_ = random_.one_of<std::uint64_t>({0, 0, 20, 200});
  lowest_ = std::numeric_limits<std::uint64_t>::max() / 2;
}

void World::keep_nobody_waiting() noexcept {
  stall_in_ = 0;
  tick_ = 0;
  nothing_in_ = 0;
  demote_in_ = 0;
  keeps_nobody_waiting_ = true;
}

World::Outcome World::run(const std::function<void(World&)>& body) {
  // Workers block signals for their thread, which here is ours.
  sigset_t before;
  pthread_sigmask(SIG_SETMASK, nullptr, &before);
  g_world = this;
  home_locals_.save();
  start([this, &body] { body(*this); });
  threads_.front().name = "test";
  draw_gap();
  running_ = &threads_.front();
  running_->locals.restore();
  home_.switch_to(*running_->fiber);
  // Back for good: all have ended, or nobody can go on.
  steps_left = kNoWorld;
  running_ = nullptr;
  Sockets::forget();
  g_world = nullptr;
  home_locals_.restore();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  outcome_.nanos = now_ - kBeginning;
  return outcome_;
}

// --- threads ---

unsigned World::start(std::function<void()> body) {
  Simulated& thread = threads_.emplace_back();
  thread.number = static_cast<unsigned>(threads_.size() - 1);
  thread.body = std::move(body);
  for (Simulated& other : threads_) {
    if (other.state != State::ended || !other.stack) continue;
    other.fiber.reset();
    other.stack.reset();  // the next line takes it
    break;
  }
  thread.stack = std::make_unique<Stack>();
  thread.fiber = std::make_unique<Fiber>(*thread.stack, &World::enter);
  thread.priority = lowest_ + random_.below(1U << 20U);
  ++alive_;
  make_ready(thread);
  return thread.number;
}

void World::enter() noexcept {
  Fiber::entered();
  World& world = *g_world;
  try {
    world.running_->body();
    world.running_->body = nullptr;  // what it holds ends on the thread
  } catch (const std::exception& error) {
    world.fail(std::string("a thread threw: ") + error.what());
  }
  world.running_->locals.end();
  world.end_thread();
}

void World::end_thread() noexcept {
  Simulated& ended = *running_;
  trace_.add({now_, ended.number, Why::ended, nullptr});
  ended.state = State::ended;
  std::erase(ready_, &ended);
  wake_at(&ended, kAll);
  ++writes;
  if (--alive_ == 0) ended.fiber->end_in(home_);
  Simulated& other = next(true);
  running_ = &other;
  other.locals.restore();
  ended.fiber->end_in(*other.fiber);
}

void World::join(unsigned number) noexcept {
  Simulated& other = threads_[number];
  step();
  while (other.state != State::ended) wait_at(&other, 0, __builtin_return_address(0));
}

void World::name(unsigned number, const char* name) { threads_[number].name = name; }

// --- who runs ---

void World::draw_gap() noexcept {
  steps_left = 1 + static_cast<std::int64_t>(random_.below(2 * gap_ - 1));
}

void World::on_step(const void* where) noexcept {
  now_ += tick_;
  if (demote_in_ != 0 && random_.once_in(demote_in_)) running_->priority = --lowest_;
  if (random_.once_in(stall_in_)) {
    const auto most = static_cast<std::uint64_t>(longest_stall_);
    sleep(*running_, State::stalls, nullptr,
          now_ + 1 + static_cast<std::int64_t>(random_.below(most)));
    pass(Why::stall, where, true);
    return;
  }
  pass(Why::step, where, false);
}

// A thread that looks for something in vain lets others go on. Where all do so and nobody has
// written anything, time passes faster and faster, until something is due.
void World::pause(const void* where) noexcept {
  if (writes == writes_seen_) {
    ++vain_pauses_;
  } else {
    writes_seen_ = writes;
    vain_pauses_ = 0;
  }
  // Where each has a processor, all look at the same time.
  const std::uint64_t rounds = keeps_nobody_waiting_ ? 0 : vain_pauses_ / (8 * ready_.size());
  now_ += kPauseNanos << std::min<std::uint64_t>(rounds, 15);
  running_->priority = --lowest_;
  pass(Why::pause, where, true);
}

// The running thread stays ready or has been put to sleep: somebody goes on.
void World::pass(Why why, const void* where, bool prefer_other) noexcept {
  if (++outcome_.switches > kMostSwitches) {
    fail("nobody comes to an end: " + std::to_string(kMostSwitches) + " switches");
  }
  draw_gap();
  Simulated& other = next(prefer_other);
  outcome_.fingerprint =
      (outcome_.fingerprint ^ (other.number + 31U * static_cast<std::uint64_t>(now_))) *
      0x100000001B3U;
  if (&other == running_) return;
  trace_.add({now_, running_->number, why, where});
  switch_to(other);
}

World::Simulated& World::next(bool prefer_other) noexcept {
  for (;;) {
    if (next_due_ != 0 && now_ >= next_due_) wake_due();
    if (!ready_.empty()) return choose(prefer_other);
    if (next_due_ == 0) fail("all threads wait for ever");
    now_ = next_due_;
  }
}

World::Simulated& World::choose(bool prefer_other) noexcept {
  const std::size_t count = ready_.size();
  if (count == 1) return *ready_.front();
  if (demote_in_ != 0) {
    return **std::max_element(ready_.begin(), ready_.end(), [](const auto* one, const auto* other) {
      return one->priority < other->priority;
    });
  }
  const std::size_t drawn = random_.below(count);
  if (!prefer_other || ready_[drawn] != running_) return *ready_[drawn];
  return *ready_[(drawn + 1 + random_.below(count - 1)) % count];
}

void World::switch_to(Simulated& thread) noexcept {
  Simulated& from = *running_;
  from.locals.save();
  thread.locals.restore();
  running_ = &thread;
  from.fiber->switch_to(*thread.fiber);
}

// --- who waits ---

void World::sleep(Simulated& thread, State state, const void* address,
                  std::int64_t until) noexcept {
  thread.state = state;
  thread.address = address;
  thread.until = until;
  thread.woken = false;
  std::erase(ready_, &thread);
  if (until != 0 && (next_due_ == 0 || until < next_due_)) next_due_ = until;
}

void World::make_ready(Simulated& thread) noexcept {
  thread.state = State::ready;
  ready_.push_back(&thread);
}

void World::wake_due() noexcept {
  next_due_ = 0;
  for (Simulated& thread : threads_) {
    if ((thread.state != State::waits && thread.state != State::stalls) || thread.until == 0) {
      continue;
    }
    if (thread.until <= now_) {
      make_ready(thread);
    } else if (next_due_ == 0 || thread.until < next_due_) {
      next_due_ = thread.until;
    }
  }
}

bool World::wait_at(const void* address, std::int64_t until, const void* where) noexcept {
  if (until != 0 && until <= now_) return false;
  if (address != nullptr && random_.once_in(nothing_in_)) {
    pass(Why::step, where, false);
    return false;
  }
  Simulated& self = *running_;
  sleep(self, State::waits, address, until);
  pass(Why::waits, where, true);
  return self.woken;
}

void World::wake_at(const void* address, int count) noexcept {
  while (count-- > 0) {
    Simulated* chosen = nullptr;
    std::uint64_t seen = 0;
    for (Simulated& thread : threads_) {
      if (thread.state != State::waits || thread.address != address) continue;
      if (random_.below(++seen) == 0) chosen = &thread;
    }
    if (chosen == nullptr) return;
    chosen->woken = true;
    make_ready(*chosen);
  }
}

// --- what went wrong ---

void World::fail(std::string why) noexcept {
  outcome_.failure = std::move(why);
  g_given_up = true;
  running_->fiber->end_in(home_);
}

std::string World::report() const {
  std::ostringstream text;
  text << "world " << seed_ << " after " << outcome_.switches << " switches and "
       << static_cast<double>(now_ - kBeginning) / 1e3 << " us";
  if (!outcome_.failure.empty()) text << ": " << outcome_.failure;
  text << "\nto see it again: PENSTOCK_WORLD_SEED=" << seed_ << "\n";
  for (const Simulated& thread : threads_) {
    if (thread.state == State::ended) continue;
    text << "  thread " << thread.number << " " << thread.name << ": ";
    if (thread.state == State::ready) {
      text << "ready\n";
      continue;
    }
    text << (thread.state == State::stalls ? "stalled" : "waits");
    if (thread.until != 0) {
      text << " until " << static_cast<double>(thread.until - kBeginning) / 1e3 << " us\n";
    } else {
      text << " at " << thread.address << "\n";
    }
  }
  text << "last switches:\n" << trace_.text(kBeginning);
  return text.str();
}

// --- what the world's threads call ---

void interrupt() noexcept {
  if (g_world == nullptr) {
    steps_left = kNoWorld;
    return;
  }
  g_world->on_step(__builtin_return_address(0));
}

bool wait_at(const void* address, std::int64_t deadline_ns, const void* where) noexcept {
  if (where == nullptr) where = __builtin_return_address(0);
  return g_world->wait_at(address, deadline_ns, where);
}

void wake_at(const void* address, int count) noexcept {
  if (g_world != nullptr) g_world->wake_at(address, count);
}

void pause() noexcept {
  if (g_world != nullptr) g_world->pause(__builtin_return_address(0));
}

bool fails_for_nothing() noexcept { return g_world != nullptr && g_world->fails_for_nothing(); }

std::int64_t now() noexcept {
  if (g_world != nullptr) return g_world->now();
  timespec real{};
  clock_gettime(CLOCK_MONOTONIC, &real);
  return std::int64_t{real.tv_sec} * 1'000'000'000 + real.tv_nsec;
}

}  // namespace penstock::world

// Asked by LeakSanitizer before it looks.
extern "C" int __lsan_is_turned_off() { return penstock::world::g_given_up ? 1 : 0; }
