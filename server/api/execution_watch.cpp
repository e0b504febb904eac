#include "server/api/execution_watch.hpp"

#include "agent/flow/run/flow_choice.hpp"
#include "agent/flow/watch/events.hpp"
#include "base/json_text.hpp"
#include "server/api/database_bounds.hpp"

#include <fmt/format.h>

namespace postrider::api {

namespace flow = agent::flow;
using namespace std::chrono_literals;

namespace {

// Then the client comes again with its token, which may have been revoked meanwhile.
constexpr auto longest_execution_watch = 10min;

// Changes whenever the record does.
constexpr storage::statement execution_mark{"execution_mark", R"sql(
select concat_ws('/', j.state, j.run_no, j.restarts, j.asked,
                 (select count(*) from postrider.step s where s.job_id = j.job_id),
                 (select count(*) from postrider.wait w where w.job_id = j.job_id))
from postrider.job j
where j.job_id = $1::bigint and jsonb_typeof(j.input -> 'flow') = 'string')sql"};

base::error no_such_execution(job_id job) {
    return {base::errc::not_found, fmt::format("there is no execution {}", base::raw(job))};
}

} // namespace

// The work on the storage thread may outlive a look that is cut off.
struct execution_watch::reading {
    std::string mark;
    bool changed = false;
    base::duration took{0};                 // without waiting for a connection
    std::optional<queue::recording> record; // as it was before, then as it is now
};

execution_watch::execution_watch(watch_services services, job_id job, event_position from)
    : services_(services),
      job_(job),
      events_(from),
      live_(services.live.watch(job)) {}

base::awaitable<base::result<void>> execution_watch::look() {
    auto const& clock = services_.nodes.clock;
    auto found = std::make_shared<reading>();
    found->record = std::exchange(record_, std::nullopt);
    auto read = [found, job = job_, known = mark_, &clock](storage::transaction& tx) {
        auto const began = clock.steady();
        auto const rows = tx.query(execution_mark, {job});
        found->mark = rows.empty() ? "" : rows.front().text(0);
        found->changed = found->mark != known;
        if (found->changed) queue::update_recording(tx, job, found->record);
        found->took = clock.steady() - began;
    };
    std::function<void(storage::transaction&)> kept = std::move(read);
    auto done = co_await services_.db.run("execution.look", std::move(kept), database_waits.read);
    if (!done) co_return done.error();
    if (found->mark.empty()) co_return no_such_execution(job_);
    record_ = std::move(found->record);
    if (!found->changed) co_return base::result<void>{};
    if (!record_) co_return no_such_execution(job_);
    auto const& record = *record_;
    auto input = flow::execution_input_from(record.job.input);
    if (!input) co_return no_such_execution(job_);
    auto graph = co_await flow::find_chosen(services_.nodes, flow::choice_of(*input));
    if (!graph) co_return graph.error();
    auto const of = std::move(*graph);
    auto const began = clock.steady();
    auto seen = co_await flow::retrace(*of, record, services_.nodes);
    if (!seen) co_return seen.error();
    auto const& job = record.details.job;
    auto const known = events_.known_of(job.restarts);
    events_.read(flow::events_of(of->flow(), seen->seen, record.details, known), job);
    pace_.looked(found->took + (clock.steady() - began));
    mark_ = found->mark;
    co_return base::result<void>{};
}

base::awaitable<void> execution_watch::tell(net::body_writer& to) {
    auto const& clock = services_.nodes.clock;
    auto const end = clock.steady() + longest_execution_watch;
    auto looked = clock.steady();
    bool progress = false; // since the last look
    for (;;) {
        auto events = events_.take(progress);
        bool const written = co_await write(to, std::move(events));
        if (!written || events_.over() || clock.steady() >= end) co_return;
        co_await live_->wait_for(looked + pace_.pause(progress) - clock.steady());
        progress = live_->take_progress() || progress;
        if (clock.steady() >= looked + pace_.pause(progress)) {
            auto const done = co_await look();
            if (!done && !look_pace::may_pass(done.error())) co_return;
            looked = clock.steady();
            if (!done) looked += look_pace::after_failure;
            progress = false;
        }
        // What was told during the look may be the last that is.
        events_.see(live_->take());
    }
}

base::awaitable<bool> execution_watch::write(
    net::body_writer& to, std::vector<flow::event> events
) {
    std::string text;
    for (auto const& event : events) {
        net::sse_event sent{event.type, base::json_text(event.data)};
        if (auto const at = events_.position_of(event)) sent.id = to_text(*at);
        text += net::to_text(sent);
    }
    if (text.empty()) co_return true;
    co_return co_await to.write(text);
}

} // namespace postrider::api
