// `schedules list|show|set|remove|pause|resume|next`: over the schedules' table, server running or
// not.
#include "base/json.hpp"
#include "base/json_text.hpp"
#include "base/time_zone.hpp"
#include "server/cli/command.hpp"
#include "server/cli/schedule_report.hpp"
#include "server/start/local_database.hpp"

#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

namespace {

constexpr std::size_t times_shown = 5;

base::sys_time now() {
    return base::system_clock().now();
}

// Runs `work` in one transaction.
base::result<void> in_database(
    context const& in, std::function<void(storage::transaction&)> const& work
) {
    auto db = server::open_local_database(in.configured.values, "postrider schedules");
    if (!db) return db.error();
    return storage::run_blocking(db->options, work);
}

int none(context const& in) {
    in.err << fmt::format(
        "postrider: there is no schedule {}; `postrider schedules list` shows all.\n",
        in.args.schedule.name
    );
    return 1;
}

void print(context const& in, schedule_report const& report) {
    in.out << (in.args.json ? base::json_text(to_json(report)) + "\n" : to_text(report));
}

// An instant, or a wall-clock time of the zone: one that is skipped means right after the gap, one
// that comes twice its first occurrence.
base::result<base::sys_time> read_time(std::string const& text, std::string const& timezone) {
    if (auto instant = base::from_iso8601(text)) return *instant;
    auto wall = base::local_from_iso8601(text);
    if (!wall)
        return base::error(
            base::errc::invalid, "--at is no time; write 2026-12-24T18:00, or with Z or +01:00"
        );
    auto zone = base::find_time_zone(timezone);
    if (!zone) return zone.error();
    return base::sys_time{zone->at_local(*wall).first};
}

base::result<queue::schedule> schedule_of(schedule_arguments const& from) {
    queue::schedule schedule;
    schedule.name = from.name;
    schedule.kind = from.kind;
    if (!from.lane.empty()) schedule.lane_key = from.lane;
    schedule.recurrence.timezone = from.timezone;
    if (!from.cron.empty()) schedule.recurrence.cron = from.cron;
    if (!from.at.empty()) {
        auto at = read_time(from.at, from.timezone);
        if (!at) return at.error();
        schedule.recurrence.at = *at;
    }
    if (!from.input.empty()) {
        auto input = base::parse_json(from.input);
        if (!input) return base::error(input.error().code, "--input: " + input.error().detail);
        schedule.input = std::move(*input);
    }
    // The command line lets no other words through.
    schedule.missed = queue::missed_policy_from_string(from.missed).value();
    schedule.overlap = queue::overlap_policy_from_string(from.overlap).value();
    return schedule;
}

// What changes one schedule and is false when there is none.
int change(
    context const& in,
    std::string_view doing,
    bool (*apply)(storage::transaction&, std::string const&)
) {
    bool found = false;
    auto done = in_database(in, [&](storage::transaction& tx) {
        found = apply(tx, in.args.schedule.name);
    });
    if (!done) return fail(in, doing, done.error());
    return found ? 0 : none(in);
}

} // namespace

int schedules_list(context const& in) {
    std::vector<schedule_report> all;
    auto read = in_database(in, [&](storage::transaction& tx) {
        for (auto& schedule : queue::list_schedules(tx))
            all.push_back(report_of(std::move(schedule), now(), 1));
    });
    if (!read) return fail(in, "read the schedules", read.error());
    if (in.args.json)
        in.out << base::json_text(to_json(all)) << '\n';
    else if (all.empty())
        in.err << "There is no schedule.\n";
    else
        in.out << to_text(all);
    return 0;
}

int schedules_show(context const& in) {
    std::optional<queue::schedule> found;
    auto read = in_database(in, [&](storage::transaction& tx) {
        found = queue::find_schedule(tx, in.args.schedule.name);
    });
    if (!read) return fail(in, "read the schedule", read.error());
    if (!found) return none(in);
    print(in, report_of(std::move(*found), now(), times_shown));
    return 0;
}

int schedules_set(context const& in) {
    auto const schedule = schedule_of(in.args.schedule);
    if (!schedule) return fail(in, "set the schedule", schedule.error());
    base::result<void> put;
    std::optional<queue::schedule> stored;
    auto done = in_database(in, [&](storage::transaction& tx) {
        put = queue::put_schedule(tx, *schedule);
        if (put) stored = queue::find_schedule(tx, schedule->name);
    });
    if (!done) return fail(in, "set the schedule", done.error());
    if (!put) return fail(in, "set the schedule", put.error());
    print(in, report_of(std::move(*stored), now(), times_shown));
    return 0;
}

int schedules_remove(context const& in) {
    return change(in, "remove the schedule", queue::remove_schedule);
}

int schedules_pause(context const& in) {
    return change(in, "pause the schedule", queue::pause_schedule);
}

int schedules_resume(context const& in) {
    return change(in, "resume the schedule", queue::resume_schedule);
}

int schedules_next(context const& in) {
    auto const& asked = in.args.schedule;
    queue::recurrence recurrence;
    recurrence.cron = asked.cron;
    recurrence.timezone = asked.timezone;
    auto times = queue::next_times(recurrence, now(), static_cast<std::size_t>(asked.count));
    if (!times) return fail(in, "tell the next times", times.error());
    if (in.args.json)
        in.out << base::json_text(times_to_json(*times, asked.timezone)) << '\n';
    else
        in.out << times_to_text(*times, asked.timezone);
    return 0;
}

} // namespace postrider::cli
