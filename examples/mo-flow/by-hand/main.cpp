// The flow of mo-flow without Penstock's threads, queues and metrics: the same steps, the same
// threads. `npm run experiments` measures what the framework costs against it.
#include <variant>

#include "by_hand.hpp"
#include "flows/mo_flow.hpp"
#include "sending.hpp"
#include "services/handle_error.hpp"
#include "services/http_post.hpp"
#include "services/keep_session.hpp"
#include "services/log_transaction.hpp"
#include "services/resolve_endpoint.hpp"
#include "services/route.hpp"
#include "services/translate.hpp"
#include "services/translate_at.hpp"
#include "shared/settings.hpp"

namespace {

using by_hand::kUnbounded;
using by_hand::Queue;
using mo_flow::AtMessage;

struct Sending {
  AtMessage message;
  std::uint32_t attempt = 1;
};
/// What became of an attempt: no status when there was no answer.
struct Sent {
  Sending sending;
  std::optional<mo_flow::Reply> reply;
};

/// BY_HAND_TIMES: so many times the threads that wait, for experiments that make waits longer.
const int kTimes = sample::setting("BY_HAND_TIMES", 1);

struct Flow {
  Queue<mo_flow::Mo> front;
  Queue<mo_flow::Routed> database;
  // The one thread of `back` begins what `http` does and takes what comes of it: were either
  // bounded, the two could wait for each other.
  Queue<std::variant<AtMessage, Sent>> back{kUnbounded};
  Queue<Sending> http{kUnbounded};
  Queue<mo_flow::Receipt> disk;
  by_hand::UnderWay under_way;
  penstock::Shared<mo_flow::HandleError> failures;

  void fail(const char* stage, penstock::ErrorCode code, const char* why) {
    mo_flow::HandleError handler;
    handler.shared = &failures;
    handler.handle({.code = code, .message = why, .flow = "MoFlow", .stage = stage});
    under_way.end();
  }
  /// Runs steps; when one fails the message ends there.
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
    return [&flow, translate = std::make_unique<mo_flow::Translate>(),
            session = std::make_unique<mo_flow::KeepSession>(),
            route = std::make_unique<mo_flow::Route>()](mo_flow::Mo text) {
      flow.guarded("front", [&] {
        flow.database.push(route->handle(session->handle(translate->handle(text))));
      });
    };
  });
}

void serve_database(Flow& flow, penstock::Shared<mo_flow::ResolveEndpoint>& endpoints,
                    std::vector<std::thread>& threads) {
  by_hand::serve(threads, 6 * kTimes, flow.database, [&flow, &endpoints] {
    auto resolve = std::make_unique<mo_flow::ResolveEndpoint>();
    resolve->shared = &endpoints;
    return [&flow, resolve = std::move(resolve),
            translate = std::make_unique<mo_flow::TranslateAt>()](mo_flow::Routed routed) {
      flow.guarded("database", [&] { flow.back.push(translate->handle(resolve->handle(routed))); });
    };
  });
}

void take_answer(Flow& flow, Sent sent) {
  const auto& [message, attempt] = sent.sending;
  if (sent.reply && mo_flow::went_through(*sent.reply)) {
    flow.disk.push({.id = message.id,
                    .receivedUs = message.receivedUs,
                    .status = sent.reply->status,
                    .attempts = attempt});
  } else if (attempt < mo_flow::kMostAttempts) {
    flow.http.push({.message = message, .attempt = attempt + 1});
  } else {
    flow.fail("send", penstock::ErrorCode::unavailable, "the application is in trouble");
  }
}

void serve_back(Flow& flow, std::vector<std::thread>& threads) {
  by_hand::serve(threads, 1, flow.back, [&flow] {
    return [&flow](std::variant<AtMessage, Sent> what) {
      if (auto* sent = std::get_if<Sent>(&what))
        take_answer(flow, std::move(*sent));
      else
        flow.http.push({.message = std::get<AtMessage>(std::move(what)), .attempt = 1});
    };
  });
}

void serve_http(Flow& flow, penstock::Shared<mo_flow::HttpPost>& applications,
                std::vector<std::thread>& threads) {
  by_hand::serve(threads, 32 * kTimes, flow.http, [&flow, &applications] {
    auto post = std::make_unique<mo_flow::HttpPost>();
    post->shared = &applications;
    return [&flow, post = std::move(post)](Sending sending) {
      Sent sent{.sending = std::move(sending), .reply = std::nullopt};
      try {
        sent.reply = post->handle(sent.sending.message);
      } catch (const penstock::Error&) {
        // No answer: `back` decides whether it is tried again.
      }
      flow.back.push(std::move(sent));
    };
  });
}

void serve_disk(Flow& flow, std::vector<std::thread>& threads) {
  by_hand::serve(threads, 1, flow.disk, [&flow] {
    return [&flow, log = std::make_unique<mo_flow::LogTransaction>()](mo_flow::Receipt receipt) {
      flow.guarded("log", [&] {
        log->handle(receipt);
        flow.under_way.end();
      });
    };
  });
}

}  // namespace

int main() {
  penstock::Shared<mo_flow::ResolveEndpoint> endpoints;
  penstock::Shared<mo_flow::HttpPost> applications;
  Flow flow;
  std::vector<std::thread> threads;
  serve_front(flow, threads);
  serve_database(flow, endpoints, threads);
  serve_back(flow, threads);
  serve_http(flow, applications, threads);
  serve_disk(flow, threads);
  mo_flow::MoFlow source;
  by_hand::run_source(flow.front, flow.under_way,
                      [&source](std::uint64_t number) { return source.event(number); });
  flow.front.close();
  flow.database.close();
  flow.back.close();
  flow.http.close();
  flow.disk.close();
  for (std::thread& thread : threads) thread.join();
}
