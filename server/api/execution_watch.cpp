#include "server/api/execution_watch.hpp"

#include "agent/flow/events.hpp"
#include "agent/flow/execution_input.hpp"
#include "base/clock.hpp"
#include "base/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace postrider::api {

namespace flow = agent::flow;
using namespace std::chrono_literals;

namespace {

constexpr auto between_looks = 500ms;
constexpr auto patience = 10s;
// Then the client comes again with its token, which may have been revoked meanwhile.
constexpr auto longest_watch = 10min;

// Changes whenever the record does.
constexpr storage::statement execution_mark{"execution_mark", R"sql(
select concat_ws('/', j.state, j.run_no, j.restarts, j.asked,
                 (select count(*) from postrider.step s where s.job_id = j.job_id),
                 (select count(*) from postrider.wait w where w.job_id = j.job_id))
from postrider.job j
where j.job_id = $1::bigint and jsonb_typeof(j.input -> 'flow') = 'string')sql"};

std::optional<std::int64_t> number_from(std::string_view text) {
    std::int64_t number = 0;
    auto const [end, ec] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (ec != std::errc{} || end != text.data() + text.size() || number < 0) return std::nullopt;
    return number;
}

base::error no_such_execution(job_id job) {
    return {base::errc::not_found, fmt::format("there is no execution {}", base::raw(job))};
}

} // namespace

std::string to_text(event_position at) {
    auto text = std::to_string(at.number);
    if (at.restarts > 0) text += "." + std::to_string(at.restarts);
    return text;
}

std::optional<event_position> event_position_from(std::string_view text) {
    auto const dot = std::min(text.find('.'), text.size());
    auto const number = number_from(text.substr(0, dot));
    auto const restarts =
        dot == text.size() ? std::optional<std::int64_t>(0) : number_from(text.substr(dot + 1));
    if (!number || !restarts) return std::nullopt;
    return event_position{*number, *restarts};
}

// The work on the storage thread may outlive a look that is cut off.
struct execution_watch::reading {
    std::string mark;
    std::optional<queue::recording> record; // none: it has not changed
};

execution_watch::execution_watch(watch_services services, job_id job, event_position from)
    : services_(services),
      job_(job),
      told_(from),
      begin_behind_(from.number),
      live_(services.live.watch(job)) {}

base::awaitable<base::result<void>> execution_watch::look() {
    auto found = std::make_shared<reading>();
    auto read = [found, job = job_, known = mark_](storage::transaction& tx) {
        auto const rows = tx.query(execution_mark, {job});
        found->mark = rows.empty() ? "" : rows.front().text(0);
        if (found->mark != known) found->record = queue::read_recording(tx, job);
    };
    std::function<void(storage::transaction&)> kept = std::move(read);
    auto done = co_await services_.db.run("execution.look", std::move(kept), patience);
    if (!done) co_return done.error();
    if (found->mark.empty()) co_return no_such_execution(job_);
    if (!found->record) co_return base::result<void>{};
    auto const& record = *found->record;
    auto input = flow::execution_input_from(record.job.input);
    if (!input) co_return no_such_execution(job_);
    auto graph = co_await services_.nodes.find_flow(input->flow, input->version);
    if (!graph) co_return graph.error();
    auto const of = std::move(*graph);
    auto seen = co_await flow::retrace(*of, record, services_.nodes);
    if (!seen) co_return seen.error();
    take(flow::events_of(of->flow(), seen->seen, record.details), record.details.job);
    mark_ = found->mark;
    co_return base::result<void>{};
}

void execution_watch::take(std::vector<flow::event> all, queue::job_summary const& job) {
    if (told_.restarts != job.restarts) {
        told_ = {0, job.restarts};
        begin_behind_ = 0;
        told_between_.clear();
    }
    std::int64_t behind = 0;
    for (auto& one : all) {
        if (one.number > 0) behind = one.number;
        bool const news =
            one.number > 0 ? one.number > told_.number : behind >= begin_behind_ && is_new(one);
        if (one.number > 0) told_.number = std::max(told_.number, one.number);
        if (news) news_.push_back(std::move(one));
    }
    auto const state = queue::job_state_from_string(job.state);
    over_ = state && queue::over(*state);
}

// What happens between is told once, by whichever way it is seen first.
bool execution_watch::is_new(flow::event const& one) {
    auto data = one.data;
    data.erase("at_ms");
    if (one.type == "node_started") data.erase("items");
    return told_between_.insert(one.type + base::json_text(data)).second;
}

base::awaitable<void> execution_watch::tell(net::body_writer& to) {
    auto const& clock = base::system_clock();
    auto const end = clock.steady() + longest_watch;
    auto looked = clock.steady();
    for (;;) {
        auto news = std::exchange(news_, {});
        bool const written = co_await write(to, std::move(news));
        if (!written || over_ || clock.steady() >= end) co_return;
        co_await live_->wait_for(between_looks);
        auto between = live_->take();
        if (live_->take_progress() || clock.steady() - looked >= between_looks) {
            auto done = co_await look();
            if (!done) co_return;
            looked = clock.steady();
            // What was told meanwhile may be the last that is.
            std::ranges::move(live_->take(), std::back_inserter(between));
        }
        place(std::move(between));
    }
}

// A model's words stand before what the record tells, for a step ends them, unless another call
// began in between; anything else that is not in the record yet stands behind it.
void execution_watch::place(std::vector<flow::event> between) {
    auto const from_record = static_cast<std::ptrdiff_t>(news_.size());
    std::ptrdiff_t words = 0;
    bool called = false;
    for (auto& one : between) {
        if (one.type == flow::model_chunk) {
            bool const before = from_record > 0 && (over_ || !called);
            news_.insert(before ? news_.begin() + words++ : news_.end(), std::move(one));
            continue;
        }
        called = called || one.type == "model_called";
        if (!over_ && is_new(one)) news_.push_back(std::move(one));
    }
}

base::awaitable<bool> execution_watch::write(
    net::body_writer& to, std::vector<flow::event> events
) {
    std::string text;
    for (auto const& one : events) {
        net::sse_event told{one.type, base::json_text(one.data)};
        if (one.number > 0) told.id = to_text(event_position{one.number, told_.restarts});
        text += net::to_text(told);
    }
    if (text.empty()) co_return true;
    co_return co_await to.write(text);
}

} // namespace postrider::api
