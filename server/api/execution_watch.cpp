#include "server/api/execution_watch.hpp"

#include "base/json/text.hpp"

namespace postrider::api {

namespace flow = agent::flow;
using namespace std::chrono_literals;

namespace {

// Then the client comes again with its token, which may have been revoked meanwhile.
constexpr auto longest_execution_watch = 10min;

} // namespace

execution_watch::execution_watch(watch_services services, job_id job, event_position position)
    : services_(services),
      events_(position),
      watched_(services.looks.watch(job)),
      live_(services.live.watch(job)),
      place_(std::make_shared<execution_rounds::place>(live_->news())) {
    services_.looks.rounds().join(place_);
}

base::awaitable<base::result<void>> execution_watch::look() {
    auto const looked = co_await services_.looks.rounds().look(*place_, watched_->job);
    if (!looked) co_return looked.error();
    auto const outcome = (*looked)->outcome;
    if (outcome) read();
    co_return outcome;
}

// The newest reading: what a slow watcher missed stands in it.
void execution_watch::read() {
    if (reading_ == watched_->reading) return;
    reading_ = watched_->reading;
    auto const last_event = events_.known_of(reading_->job().restarts);
    events_.read(reading_->events_behind(last_event), reading_->job());
}

base::awaitable<void> execution_watch::tell(event_writer& writer) {
    auto const& clock = services_.clock;
    auto& rounds = services_.looks.rounds();
    auto const end = clock.steady() + longest_execution_watch;
    auto looked = clock.steady();
    bool progress = false; // since the last look
    for (;;) {
        auto events = events_.take(progress);
        bool const written = co_await write(writer, std::move(events));
        if (!written || events_.over() || clock.steady() >= end) co_return;
        auto const pause = watched_->pace.pause(progress);
        rounds.expect(*place_, watched_->job, looked + pause / 2, looked + pause);
        co_await rounds.wait(*place_);
        auto answer = place_->take();
        if (!answer) {
            progress = live_->take_progress() || progress;
            events_.see(live_->take());
            continue;
        }
        if (!*answer) co_return;
        auto const& outcome = (**answer)->outcome;
        if (!outcome && !server::may_pass(outcome.error())) co_return;
        if (outcome) read();
        looked = clock.steady();
        if (!outcome) looked += look_pace::after_failure;
        progress = false;
        // What was told during the look may be the last that is.
        events_.see(live_->take());
    }
}

base::awaitable<bool> execution_watch::write(
    event_writer& writer, std::vector<flow::event> events
) {
    std::vector<net::sse_event> written;
    for (auto const& event : events) {
        net::sse_event sent{event.type, base::json_text(event.data)};
        if (auto const at = events_.position_of(event)) sent.id = to_text(*at);
        written.push_back(std::move(sent));
    }
    co_return co_await writer.write(std::move(written));
}

} // namespace postrider::api
