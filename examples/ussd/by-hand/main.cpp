// The flow of ussd without Penstock's threads, queues and metrics: the same steps, the same
// threads. `npm run experiments` measures what the framework costs against it.
#include <variant>

#include "by_hand.hpp"
#include "flows/ussd_flow.hpp"
#include "sending.hpp"
#include "services/handle_error.hpp"
#include "services/http_post.hpp"
#include "services/keep_session.hpp"
#include "services/log_transaction.hpp"
#include "services/resolve_menu.hpp"
#include "services/resolve_structure.hpp"
#include "services/translate.hpp"
#include "shared/settings.hpp"

namespace {

using by_hand::kUnbounded;
using by_hand::Queue;
using ussd::Screen;

/// What became of a screen: no status when the gateway gave no answer.
struct Sent {
  Screen screen;
  std::optional<ussd::Reply> reply;
};

/// BY_HAND_TIMES: so many times the threads that wait, for experiments that make waits longer.
const int kTimes = sample::setting("BY_HAND_TIMES", 1);

struct Flow {
  Queue<ussd::Ussd> front;
  // The one thread of `back` begins what `http` does and takes what comes of it: were either
  // bounded, the two could wait for each other.
  Queue<std::variant<Screen, Sent>> back{kUnbounded};
  Queue<Screen> http{kUnbounded};
  Queue<ussd::Receipt> disk;
  by_hand::UnderWay under_way;
  penstock::Shared<ussd::HandleError> failures;

  void fail(const char* stage, penstock::ErrorCode code, const char* why) {
    ussd::HandleError handler;
    handler.shared = &failures;
    handler.handle({.code = code, .message = why, .flow = "UssdFlow", .stage = stage});
    under_way.end();
  }
  /// Runs steps; when one fails the request ends there.
  template <class Steps>
  void guarded(const char* stage, Steps steps) {
    try {
      steps();
    } catch (const penstock::Error& error) {
      fail(stage, error.code(), error.what());
    } catch (const std::exception& error) {
      fail(stage, penstock::ErrorCode::internal, error.what());
    }
  }
};

void serve_front(Flow& flow, std::vector<std::thread>& threads) {
  by_hand::serve(threads, 1, flow.front, [&flow] {
    return [&flow, translate = std::make_unique<ussd::Translate>(),
            session = std::make_unique<ussd::KeepSession>(),
            structure = std::make_unique<ussd::ResolveStructure>(),
            menu = std::make_unique<ussd::ResolveMenu>()](ussd::Ussd request) {
      flow.guarded("front", [&] {
        flow.back.push(
            menu->handle(structure->handle(session->handle(translate->handle(request)))));
      });
    };
  });
}

void take_answer(Flow& flow, const Sent& sent) {
  flow.guarded("send", [&] {
    if (!sent.reply)
      throw penstock::Error(penstock::ErrorCode::unavailable, "the gateway gave no answer");
    flow.disk.push(ussd::receipt_of(sent.screen, *sent.reply));
  });
}

void serve_back(Flow& flow, std::vector<std::thread>& threads) {
  by_hand::serve(threads, 1, flow.back, [&flow] {
    return [&flow](std::variant<Screen, Sent> what) {
      if (const auto* sent = std::get_if<Sent>(&what))
        take_answer(flow, *sent);
      else
        flow.http.push(std::get<Screen>(std::move(what)));
    };
  });
}

void serve_http(Flow& flow, penstock::Shared<ussd::HttpPost>& gateway,
                std::vector<std::thread>& threads) {
  by_hand::serve(threads, 24 * kTimes, flow.http, [&flow, &gateway] {
    auto post = std::make_unique<ussd::HttpPost>();
    post->shared = &gateway;
    return [&flow, post = std::move(post)](Screen screen) {
      Sent sent{.screen = std::move(screen), .reply = std::nullopt};
      try {
        sent.reply = post->handle(sent.screen);
      } catch (const penstock::Error&) {
        // No answer: `back` says so.
      }
      flow.back.push(std::move(sent));
    };
  });
}

void serve_disk(Flow& flow, std::vector<std::thread>& threads) {
  by_hand::serve(threads, 1, flow.disk, [&flow] {
    return [&flow, log = std::make_unique<ussd::LogTransaction>()](ussd::Receipt receipt) {
      flow.guarded("log", [&] {
        log->handle(receipt);
        flow.under_way.end();
      });
    };
  });
}

}  // namespace

int main() {
  penstock::Shared<ussd::HttpPost> gateway;
  Flow flow;
  std::vector<std::thread> threads;
  serve_front(flow, threads);
  serve_back(flow, threads);
  serve_http(flow, gateway, threads);
  serve_disk(flow, threads);
  ussd::UssdFlow source;
  by_hand::run_source(flow.front, flow.under_way,
                      [&source](std::uint64_t number) { return source.event(number); });
  flow.front.close();
  flow.back.close();
  flow.http.close();
  flow.disk.close();
  for (std::thread& thread : threads) thread.join();
}
