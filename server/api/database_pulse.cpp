#include "server/api/database_pulse.hpp"

#include "base/json/text.hpp"
#include "server/api/database_bounds.hpp"

#include <boost/json/object.hpp>

#include <algorithm>

namespace postrider::api {

namespace {

using namespace std::chrono_literals;

constexpr base::duration state_is_fresh = 1s;
static_assert(
    state_is_fresh + database_pulse::usual_pause + database_waits.read <= 10s,
    "watchers hear of trouble within ten seconds"
);

constexpr storage::statement pulse_read{"events.pulse", "select $1::bigint"};

} // namespace

database_pulse::database_pulse(
    storage::database& db, base::clock const& clock, base::duration pause
)
    : db_(db),
      clock_(clock),
      pause_(pause),
      states_(clock, state_is_fresh, [this] { return read(); }) {}

base::awaitable<database_state> database_pulse::get() {
    auto const state = co_await states_.get();
    co_return **state; // a failure is a state, too
}

base::awaitable<base::result<database_state>> database_pulse::read() {
    auto const began = clock_.now();
    std::vector<storage::param> arguments{std::int64_t{1}};
    auto const rows = co_await db_.query(pulse_read, std::move(arguments), database_waits.read);
    bool const is_reachable = rows.has_value();
    if (state_.since.empty() || state_.is_reachable != is_reachable)
        state_ = {is_reachable, base::to_iso8601(began)};
    co_return state_;
}

base::awaitable<bool> database_pulse::tell(
    database_state told, event_line& line, base::steady_time end
) {
    for (;;) {
        auto const left = end - clock_.steady();
        if (left <= base::duration::zero() || !line.is_open()) co_return true;
        co_await base::sleep_for(std::min<base::duration>(left, pause_));
        auto state = co_await get();
        if (state == told) continue;
        told = std::move(state);
        std::vector<net::sse_event> events;
        events.push_back(health_event(told));
        co_await line.write("", std::move(events));
    }
}

net::sse_event health_event(database_state const& state) {
    boost::json::object data{
        {"database", state.is_reachable ? "ok" : "unreachable"}, {"since", state.since}};
    return {"health", base::json_text(data)};
}

} // namespace postrider::api
