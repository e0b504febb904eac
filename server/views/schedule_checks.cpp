#include "server/views/schedule_checks.hpp"

#include "agent/flow/execution_input.hpp"
#include "base/time_text.hpp"
#include "base/time_zone.hpp"
#include "storage/stores/flows.hpp"

#include <fmt/format.h>

namespace postrider::server {

namespace {

using base::errc;

// A one-shot that is set again as it stands has run, and does not run again.
std::optional<schedule_mistake> past_time(
    queue::schedule const& schedule,
    std::optional<queue::schedule> const& stored,
    base::sys_time now
) {
    auto const at = schedule.recurrence.at;
    bool const is_past = at && *at + queue::missed_after <= now;
    if (!is_past || (stored && stored->recurrence.at == at)) return std::nullopt;
    return schedule_mistake{
        "at", base::error(errc::invalid, base::to_iso8601(*at) + " is past; give a time to come")};
}

schedule_mistake of_input(errc code, std::string detail) {
    return {"input", base::error(code, std::move(detail))};
}

// A job of a flow that cannot start would only fail when its time comes.
std::optional<schedule_mistake> idle_flow(
    storage::transaction& tx, queue::schedule const& schedule
) {
    if (schedule.kind != agent::flow::flow_kind) return std::nullopt;
    auto const input = agent::flow::execution_input_from(schedule.input);
    if (!input)
        return of_input(
            errc::invalid,
            R"(a flow's job needs {"flow": "NAME", "version": N}: )" + input.error().detail
        );
    auto const flow = storage::find_flow(tx, input->flow);
    if (!flow) return of_input(errc::not_found, "there is no flow " + input->flow);
    if (flow->archived_at)
        return of_input(errc::refused, "the flow " + input->flow + " is archived");
    if (storage::find_version(tx, flow->id, input->version)) return std::nullopt;
    auto const instead =
        flow->published ? fmt::format("{} is published", *flow->published) : "publish it first";
    return of_input(
        errc::not_found,
        fmt::format("the flow {} has no version {}; {}", flow->name, input->version, instead)
    );
}

} // namespace

base::result<base::sys_time> schedule_time(
    std::string const& text, std::string const& timezone, base::sys_time now
) {
    auto const zone = base::find_time_zone(timezone);
    if (!zone) return zone.error();
    return base::time_from_text(text, now, *zone);
}

std::optional<schedule_mistake> recurrence_mistake(
    queue::recurrence const& recurrence, base::sys_time now
) {
    if (auto const zone = base::find_time_zone(recurrence.timezone); !zone)
        return schedule_mistake{"timezone", zone.error()};
    if (!recurrence.cron) return std::nullopt;
    auto const times = queue::next_times(recurrence, now, 1);
    if (times) return std::nullopt;
    return schedule_mistake{"cron", times.error()};
}

std::optional<schedule_mistake> put_checked_schedule(
    storage::transaction& tx, queue::schedule const& schedule, base::sys_time now, bool only_new
) {
    auto const stored = queue::find_schedule(tx, schedule.name);
    if (auto past = past_time(schedule, stored, now)) return past;
    if (auto idle = idle_flow(tx, schedule)) return idle;
    auto const put = queue::put_schedule(tx, schedule, only_new);
    if (put) return std::nullopt;
    bool const is_lane = put.error() == errc::not_found;
    return schedule_mistake{is_lane ? "lane" : "", put.error()};
}

} // namespace postrider::server
