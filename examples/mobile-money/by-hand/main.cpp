// The flow of mobile-money without Penstock's threads, queues and metrics: the same steps, the same
// threads. `npm run experiments` measures what the framework costs against it.
#include <memory>

#include "by_hand.hpp"
#include "flows/money_flow.hpp"
#include "services/calculate.hpp"
#include "services/handle_error.hpp"
#include "services/log_transaction.hpp"
#include "services/read_accounts.hpp"
#include "services/translate.hpp"
#include "services/update_accounts.hpp"
#include "shared/settings.hpp"

namespace {

using by_hand::Queue;

/// BY_HAND_TIMES: so many times the threads that wait, for experiments that make waits longer.
const int kTimes = sample::setting("BY_HAND_TIMES", 1);

struct Flow {
  Queue<mobile_money::Order> front;
  Queue<mobile_money::Transfer> reader;
  Queue<mobile_money::Booking> writer;
  Queue<mobile_money::Receipt> disk;
  by_hand::UnderWay under_way;
  penstock::Shared<mobile_money::HandleError> failures;

  /// Runs steps; when one fails the transfer ends there.
  template <class Steps>
  void guarded(const char* stage, Steps steps) {
    const auto fail = [&](penstock::ErrorCode code, const char* why) {
      mobile_money::HandleError handler;
      handler.shared = &failures;
      handler.handle({.code = code, .message = why, .flow = "MoneyFlow", .stage = stage});
      under_way.end();
    };
    try {
      steps();
    } catch (const penstock::Error& error) {
      fail(error.code(), error.what());
    } catch (const std::exception& error) {
      fail(penstock::ErrorCode::internal, error.what());
    }
  }
};

void serve_front(Flow& flow, std::vector<std::thread>& threads) {
  by_hand::serve(threads, 1, flow.front, [&flow] {
    return [&flow,
            translate = std::make_unique<mobile_money::Translate>()](mobile_money::Order order) {
      flow.guarded("translate", [&] { flow.reader.push(translate->handle(order)); });
    };
  });
}

void serve_reader(Flow& flow, penstock::Shared<mobile_money::ReadAccounts>& accounts,
                  std::vector<std::thread>& threads) {
  by_hand::serve(threads, 20 * kTimes, flow.reader, [&flow, &accounts] {
    auto read = std::make_unique<mobile_money::ReadAccounts>();
    read->shared = &accounts;
    return [&flow, read = std::move(read), calculate = std::make_unique<mobile_money::Calculate>()](
               mobile_money::Transfer transfer) {
      flow.guarded("reader", [&] { flow.writer.push(calculate->handle(read->handle(transfer))); });
    };
  });
}

void serve_writer(Flow& flow, penstock::Shared<mobile_money::UpdateAccounts>& accounts,
                  std::vector<std::thread>& threads) {
  by_hand::serve(threads, 24 * kTimes, flow.writer, [&flow, &accounts] {
    auto update = std::make_unique<mobile_money::UpdateAccounts>();
    update->shared = &accounts;
    return [&flow, update = std::move(update)](mobile_money::Booking booking) {
      flow.guarded("update", [&] { flow.disk.push(update->handle(booking)); });
    };
  });
}

void serve_disk(Flow& flow, std::vector<std::thread>& threads) {
  by_hand::serve(threads, 1, flow.disk, [&flow] {
    return [&flow,
            log = std::make_unique<mobile_money::LogTransaction>()](mobile_money::Receipt receipt) {
      flow.guarded("log", [&] {
        log->handle(receipt);
        flow.under_way.end();
      });
    };
  });
}

}  // namespace

int main() {
  penstock::Shared<mobile_money::ReadAccounts> reading;
  penstock::Shared<mobile_money::UpdateAccounts> writing;
  Flow flow;
  std::vector<std::thread> threads;
  serve_front(flow, threads);
  serve_reader(flow, reading, threads);
  serve_writer(flow, writing, threads);
  serve_disk(flow, threads);
  mobile_money::MoneyFlow source;
  by_hand::run_source(flow.front, flow.under_way,
                      [&source](std::uint64_t number) { return source.event(number); });
  flow.front.close();
  flow.reader.close();
  flow.writer.close();
  flow.disk.close();
  for (std::thread& thread : threads) thread.join();
}
