#include <mutex>
#include <thread>
#include <vector>

#include "penstock/testing.hpp"

namespace penstock::testing {

namespace {

exec::PoolSettings settings(const char* name, std::size_t threads) {
  exec::PoolSettings settings;
  settings.name = name;
  settings.threads.resize(threads);
  return settings;
}

}  // namespace

class TestBinary::Impl {
 public:
  explicit Impl(app::HandlerBinding handler) : flows_of_(handler.flows_of) {
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
      implementation.shared = shared_.get();
    }
    fake_pool_.expect_blocking();
  }

  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    pool_.stop(after(now_ns(), defaults::kDrainNanos));
    fake_pool_.stop(after(now_ns(), defaults::kDrainNanos));
  }

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
    service_.implementations.front()->wiring.push_back(wire);
    return fake;
  }

  void add_taker(std::shared_ptr<void> kept, std::function<void(void*)> set) {
    if (started_) throw std::logic_error("ServiceTest::on comes before the first request");
    takers_.push_back(std::move(kept));
    auto& inlets = service_.implementations.front()->inlets;
    if (inlets == nullptr) inlets = std::make_unique<std::decay_t<decltype(*inlets)>>();
    inlets->emplace_back([of = flows_of_, set = std::move(set)](void* object) { set(of(object)); });
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
    site_.count = registry_.add_counters();
    site_.errors = registry_.add_rare_counters();
    for (const auto& fake : fakes_) {
      fake->site.count = registry_.add_counters();
      fake->site.errors = registry_.add_rare_counters();
      fake->service.implementations.front()->borrowed = fake->answer.get();
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

  void* (*const flows_of_)(void* handler);
  metrics::Registry registry_;
  std::shared_ptr<void> shared_;
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

TestBinary::~TestBinary() = default;

TestBinary::Fake& TestBinary::add_fake(void (*serve)(call::Frame&, void*),
                                       std::shared_ptr<void> answer, call::Wire wire) {
  return impl_->add_fake(serve, std::move(answer), wire);
}

void TestBinary::add_taker(std::shared_ptr<void> kept, std::function<void(void*)> set) {
  impl_->add_taker(std::move(kept), std::move(set));
}

const call::CallSite& TestBinary::site() { return impl_->site(); }

void* TestBinary::handler() { return impl_->handler(); }

void* TestBinary::handler_for(const void* request) { return impl_->handler_for(request); }

}  // namespace penstock::testing
