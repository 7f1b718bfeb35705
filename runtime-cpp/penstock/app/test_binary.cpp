#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <semaphore>
#include <thread>
#include <utility>
#include <vector>

#include "penstock/concurrent/recycler_count.hpp"
#include "penstock/testing.hpp"

namespace penstock::testing {

namespace {

exec::PoolSettings settings(const char* name, std::size_t threads) {
  exec::PoolSettings settings;
  settings.name = name;
  settings.threads.resize(threads);
  return settings;
}

/// So long is waited for what a handler has begun and not ended.
constexpr Nanos kLastWords = 1'000'000'000;
/// A thread that is to leave and runs so many jobs in a row, each posted once the one before is
/// done, is kept by something.
constexpr int kLooks = 100;
/// Names the file that `penstock bench` reads what was left from: of the last one that ended.
constexpr const char* kLeftFile = "PENSTOCK_LEFT_FILE";

// How many there are, and have been: what several leave behind cannot be told apart.
std::atomic<std::uint64_t> g_alive{0};
std::atomic<std::uint64_t> g_begun{0};

// What calls, coroutines and messages take, as far as the lists of this thread show it.
std::uint64_t blocks_besides_ours() noexcept {
  return concurrent::blocks_out() - concurrent::blocks_kept_here();
}

// A job for a worker: what its own lists show.
struct LookThere : exec::Job {
  LookThere() noexcept {
    run = [](exec::Job& job) noexcept {
      auto& look = static_cast<LookThere&>(job);
      look.kept = concurrent::blocks_kept_here();
      look.there = exec::Worker::current() != nullptr;
      look.done.release();
    };
  }

  std::uint64_t kept = 0;
  bool there = false;  ///< else the thread had ended, and whoever posted it ran it
  std::binary_semaphore done{0};
};

void write(const Left& left) noexcept {
  const char* const path = std::getenv(kLeftFile);  // NOLINT(concurrency-mt-unsafe): set before
  std::FILE* const file = path != nullptr ? std::fopen(path, "w") : nullptr;
  if (file == nullptr) return;
  const std::string text = "{\"calls\":" + std::to_string(left.calls) +
                           ",\"unanswered\":" + std::to_string(left.unanswered) +
                           ",\"blocks\":" + std::to_string(left.blocks) + "}";
  std::fputs(text.c_str(), file);
  std::fclose(file);
}

}  // namespace

class TestBinary::Impl {
 public:
  explicit Impl(app::HandlerBinding handler)
      : alone_(g_alive.fetch_add(1) == 0),
        number_(g_begun.fetch_add(1) + 1),
        flows_of_(handler.flows_of) {
    call::Implementation& implementation = service_.implementations.add(*handler.type);
    service_.name = "the service under test";
    // One object, one request at a time: a test looks at the state of one handler. A plain handler
    // may block, as a sync-remote one does. A partitioned one has its partitions.
    partitioned_ = handler.type->key != nullptr;
    service_.kind = partitioned_              ? Kind::single_threaded
                    : handler.type->coroutine ? Kind::async_remote
                                              : Kind::sync_remote;
    service_.pool = &pool_;
    site_.callee = &service_;
    if (handler.make_shared != nullptr) {
      shared_ = handler.make_shared();
      implementation.give_extras().shared = shared_.get();
    }
    fake_pool_.expect_blocking();
  }

  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() = default;

  /// Ends the threads. False when a coroutine that nobody waits for keeps its own: what it holds
  /// must stay. `left` says what is there besides blocks; those of a thread that stays come off
  /// `before`.
  [[nodiscard]] bool stop(Left& left) {
    left = {};
    bool ended = pool_.stop(after(now_ns(), kLastWords));
    std::uint64_t kept = 0;
    for (int looks = 0; !ended && looks < kLooks; ++looks) {
      LookThere look;
      pool_.worker(0).post(look);
      look.done.acquire();  // a handler that is at work is waited for, however long it takes
      kept = look.kept;
      if (!look.there) ended = pool_.stop(after(now_ns(), kLastWords));
    }
    if (!ended) before_ += kept;
    fake_pool_.stop(after(now_ns(), defaults::kDrainNanos));
    if (started_) {
      const auto count = [&left](const call::Service& service) {
        left.unanswered += service.sent_count() - service.done_count();
      };
      count(service_);
      for (const auto& fake : fakes_) count(fake->service);
      left.calls = service_.sent_count();
    }
    return ended;
  }
  [[nodiscard]] std::uint64_t before() const noexcept { return before_; }
  /// No other one was there at the same time.
  [[nodiscard]] bool alone() const noexcept { return alone_ && g_begun.load() == number_; }

  Fake& add_fake(void (*serve)(call::Frame&, void*), std::shared_ptr<void> answer,
                 call::Wire wire) {
    if (started_) throw std::logic_error("ServiceTest::on comes before the first request");
    fakes_.push_back(std::make_unique<Fake>());
    Fake& fake = *fakes_.back();
    fake.answer = std::move(answer);
    // The `handler object` of a fake is its answer; nobody makes or destroys it but us.
    fake.type.serve = serve;
    fake.service.implementations.add(fake.type);
    fake.service.name = "a fake";
    fake.service.kind = Kind::sync_remote;
    fake.service.pool = &fake_pool_;
    fake.site.callee = &fake.service;
    wire.site = &fake.site;
    service_.implementations.front()->give_extras().wiring.push_back(wire);
    return fake;
  }

  void add_taker(std::shared_ptr<void> kept, std::function<void(void*)> set) {
    if (started_) throw std::logic_error("ServiceTest::on comes before the first request");
    takers_.push_back(std::move(kept));
    service_.implementations.front()->give_extras().inlets.emplace_back(
        [of = flows_of_, set = std::move(set)](void* object) { set(of(object)); });
  }

  const call::CallSite& site() {
    const std::lock_guard hold(starting_);
    if (!started_) start();
    return site_;
  }

  void* handler() {
    static_cast<void>(site());
    return object_;
  }

  void* handler_for(const void* request) {
    static_cast<void>(site());
    call::Implementation& implementation = *service_.implementations.front();
    call::Partition& partition = *service_.partition_of(request);
    // The last request's answer is here a moment before its turn is over.
    while (!partition.try_enter()) std::this_thread::yield();
    try {
      void* const object = implementation.handler_at(partition.index);
      call::leave(implementation, partition.index);
      return object;
    } catch (...) {
      call::leave(implementation, partition.index);
      throw;
    }
  }

 private:
  void start() {
    std::uint32_t slots = 0;
    call::enroll(service_, registry_, slots);
    for (const auto& fake : fakes_) call::enroll(fake->service, registry_, slots);
    call::enroll(site_, registry_);
    for (const auto& fake : fakes_) {
      call::enroll(fake->site, registry_);
      fake->service.implementations.front()->give_extras().borrowed = fake->answer.get();
    }
    registry_.start();
    std::exception_ptr thrown;
    pool_.set_hooks({.started =
                         [&](exec::Worker& worker) {
                           registry_.enter();
                           if (partitioned_) return;
                           try {
                             object_ = service_.implementations.front()->handler_on(worker, 0);
                           } catch (...) {
                             thrown = std::current_exception();
                           }
                         },
                     .stopping = [this](exec::Worker&) { registry_.leave(); }});
    fake_pool_.set_hooks({.started = [this](exec::Worker&) { registry_.enter(); },
                          .stopping = [this](exec::Worker&) { registry_.leave(); }});
    std::vector<std::string> warnings;
    std::string reason = fake_pool_.start(true, warnings);
    if (reason.empty()) reason = pool_.start(true, warnings);
    if (!reason.empty()) throw std::runtime_error(reason);
    if (thrown) std::rethrow_exception(thrown);
    started_ = true;
  }

  const bool alone_;
  const std::uint64_t number_;
  std::uint64_t before_ = blocks_besides_ours();
  void* (*const flows_of_)(void* handler);
  metrics::Registry registry_;
  app::Owned shared_{nullptr, nullptr};
  call::Service service_;
  call::CallSite site_;
  std::vector<std::unique_ptr<Fake>> fakes_;
  std::vector<std::shared_ptr<void>> takers_;
  exec::Pool fake_pool_{settings("fakes", 2)};
  exec::Pool pool_{settings("tested", 1)};
  std::mutex starting_;
  bool started_ = false;
  bool partitioned_ = false;
  void* object_ = nullptr;
};

TestBinary::TestBinary(app::HandlerBinding handler) : impl_(std::make_unique<Impl>(handler)) {}

TestBinary::~TestBinary() { static_cast<void>(end()); }

std::optional<Left> TestBinary::end() {
  if (impl_ == nullptr) return std::nullopt;
  Left left;
  const bool ended = impl_->stop(left);
  const bool alone = impl_->alone();
  const std::uint64_t before = impl_->before();
  g_alive.fetch_sub(1);
  if (ended) {
    impl_.reset();
  } else {
    static_cast<void>(impl_.release());
  }
  if (!alone) return std::nullopt;
  const std::uint64_t now = blocks_besides_ours();
  left.blocks = now > before ? now - before : 0;
  write(left);
  return left;
}

TestBinary::Fake& TestBinary::add_fake(void (*serve)(call::Frame&, void*),
                                       std::shared_ptr<void> answer, call::Wire wire) {
  return impl_->add_fake(serve, std::move(answer), wire);
}

void TestBinary::add_taker(std::shared_ptr<void> kept, std::function<void(void*)> set) {
  impl_->add_taker(std::move(kept), std::move(set));
}

const call::CallSite& TestBinary::site() {
  if (impl_ == nullptr) throw std::logic_error("ServiceTest::end comes after the last request");
  return impl_->site();
}

void* TestBinary::handler() { return impl_->handler(); }

void* TestBinary::handler_for(const void* request) { return impl_->handler_for(request); }

}  // namespace penstock::testing
