#include <memory>
#include <utility>

#include "penstock/call/activation/activation.hpp"
#include "penstock/mariadb.hpp"
#include "penstock/mariadb/prepared.hpp"

namespace penstock::mariadb {
namespace {

class PooledBackend final : public sql::Backend {
 public:
  PooledBackend(const Settings& settings, sql::Text text)
      : pool_(Pool::of(settings)), text_(std::move(text)) {}
  PooledBackend(const PooledBackend&) = delete;
  PooledBackend& operator=(const PooledBackend&) = delete;
  ~PooledBackend() override = default;

  [[nodiscard]] sql::Rows& run(std::span<const sql::Value> values) override {
    const Nanos deadline_ns = context().deadline_ns;
    connection_ = pool_->borrow(deadline_ns);
    try {
      connection_->end_by(deadline_ns);
      running_ = &connection_->prepared(text_);
      running_->start(values);
    } catch (...) {
      end();
      throw;
    }
    return *running_;
  }

  void end() noexcept override {
    if (running_ != nullptr) std::exchange(running_, nullptr)->stop();
    pool_->give_back(std::move(connection_));
  }

 private:
  const std::shared_ptr<Pool> pool_;
  const sql::Text text_;
  std::unique_ptr<Connection> connection_;
  Prepared* running_ = nullptr;
};

}  // namespace

sql::Statement statement(Settings settings, sql::Text text) {
  auto backend = std::make_unique<PooledBackend>(settings, text);
  return {std::move(backend), text};
}

}  // namespace penstock::mariadb
