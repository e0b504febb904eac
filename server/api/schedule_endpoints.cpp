// Schedules, as people look at them and define them.
#include "base/clock.hpp"
#include "base/json/text.hpp"
#include "base/texts.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/entity_tag.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "server/views/job_kinds.hpp"
#include "server/views/json_values.hpp"
#include "server/views/schedule_checks.hpp"
#include "server/views/schedule_json.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::api {

namespace {

constexpr std::size_t times_of_a_schedule = 5;
constexpr std::int64_t most_times = 100;
constexpr std::size_t longest_cron = 500; // bytes
constexpr std::size_t longest_kind = 200; // bytes

// Of what PUT sets: runs, pauses and mistakes change nothing of it.
std::string tag_of(queue::schedule const& schedule) {
    auto const& times = schedule.recurrence;
    return tag_of_content(base::json_text(boost::json::array{
        schedule.kind,
        schedule.input,
        server::or_null(schedule.lane_key),
        server::or_null(times.cron),
        times.at ? boost::json::value(base::to_iso8601(*times.at, true)) : boost::json::value(),
        times.timezone,
        queue::to_string(schedule.missed),
        queue::to_string(schedule.overlap),
        schedule.deadline ? schedule.deadline->count() : 0}));
}

boost::json::object shown_schedule(queue::schedule schedule, std::size_t times) {
    auto tag = tag_of(schedule);
    auto shown = server::schedule_json(
        server::report_of(std::move(schedule), base::system_clock().now(), times)
    );
    shown["etag"] = std::move(tag);
    return shown;
}

net::http_response schedule_answer(int status, queue::schedule schedule) {
    auto const tag = tag_of(schedule);
    auto answer = json_answer(status, shown_schedule(std::move(schedule), times_of_a_schedule));
    answer.headers.add("ETag", tag);
    return answer;
}

planned list_schedules(net::http_request const& request) {
    parameters query(request);
    auto const kind = query.text("kind");
    auto const after = query.text("cursor").value_or("");
    auto const limit = read_limit(query);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([kind, after, limit](storage::transaction& tx) {
        auto page = queue::list_schedules(tx, kind, after, limit);
        auto const next = std::ssize(page) >= limit ? page.back().name : std::string();
        boost::json::array schedules;
        for (auto& schedule : page) schedules.push_back(shown_schedule(std::move(schedule), 1));
        boost::json::object body{{"schedules", std::move(schedules)}};
        if (!next.empty()) body["next"] = next;
        return json_answer(200, body);
    });
}

net::http_response no_schedule(std::string const& name) {
    return net::http_response::problem(404, "not_found", "there is no schedule " + name);
}

planned show_schedule(net::http_request const& request) {
    parameters query(request);
    auto const name = path_text(request, "name", query);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([name](storage::transaction& tx) {
        auto schedule = queue::find_schedule(tx, name);
        if (!schedule) return no_schedule(name);
        return schedule_answer(200, std::move(*schedule));
    });
}

// With its member in front. What is wrong with an expression says so itself: "cron: hour (column 3) …".
std::string worded(server::schedule_mistake const& mistake) {
    if (mistake.member == "cron" || mistake.member.empty()) return mistake.reason.detail;
    return fmt::format("{}: {}", mistake.member, mistake.reason.detail);
}

void note_mistake(inputs& into, server::schedule_mistake const& mistake) {
    into.mistake(worded(mistake));
}

// Nobody would run jobs of another kind: they would wait for ever.
std::string read_kind(members& body) {
    auto kind = body.required_text("kind", longest_kind);
    auto const kinds = server::known_kinds();
    bool const is_known = std::ranges::find(kinds, kind) != kinds.end();
    if (!body.flag("any_kind") && !kind.empty() && !is_known)
        body.mistake(
            fmt::format("kind: a server runs {}, and no {}", base::joined(kinds, ", "), kind)
        );
    return kind;
}

queue::recurrence read_recurrence(members& body, base::sys_time now) {
    queue::recurrence times;
    times.timezone = body.text("timezone").value_or("UTC");
    times.cron = body.text("cron", longest_cron);
    auto const at = body.text("at");
    if (times.cron.has_value() == at.has_value())
        body.mistake("cron: a schedule has either a cron expression or one time");
    if (auto const wrong = server::recurrence_mistake(times, now)) {
        note_mistake(body, *wrong);
        return times;
    }
    if (!at) return times;
    auto const time = server::schedule_time(*at, times.timezone, now);
    if (time) times.at = *time;
    if (!time) note_mistake(body, {"at", time.error()});
    return times;
}

queue::schedule read_schedule(members& body, std::string name, base::sys_time now) {
    queue::schedule schedule;
    schedule.name = std::move(name);
    schedule.kind = read_kind(body);
    schedule.recurrence = read_recurrence(body, now);
    schedule.input = body.json("input").value_or(nullptr);
    schedule.lane_key = body.text("lane");
    auto const missed = queue::missed_policy_from_string(body.text("missed").value_or("once"));
    if (!missed) body.mistake("missed: it is skip, once or all");
    schedule.missed = missed.value_or(queue::missed_policy::once);
    auto const overlap = queue::overlap_policy_from_string(body.text("overlap").value_or("queue"));
    if (!overlap) body.mistake("overlap: it is queue or skip");
    schedule.overlap = overlap.value_or(queue::overlap_policy::queue);
    return schedule;
}

// Of each job; nothing where it is absent: then the schedule keeps its own.
std::optional<std::optional<std::chrono::milliseconds>> read_time_limit(members& body) {
    constexpr std::chrono::milliseconds longest = std::chrono::years{10};
    auto const limit = body.json("time_limit_ms");
    if (!limit) return std::nullopt;
    if (limit->is_null()) return std::optional<std::chrono::milliseconds>();
    auto const number = body.integer("time_limit_ms", 1, longest.count());
    return std::optional(std::chrono::milliseconds(number.value_or(1)));
}

// Why it is not the schedule that the client has seen.
std::optional<net::http_response> failed_condition(
    net::http_request const& request, std::optional<queue::schedule> const& stored
) {
    auto const unless = [](std::string const& detail) {
        return net::http_response::problem(412, "precondition_failed", detail);
    };
    // Without a schedule no tag is its own, and "*" is none either.
    if (!stored) {
        bool const asks = request.headers.count("If-Match") > 0;
        return asks ? std::optional(unless("there is no such schedule any more")) : std::nullopt;
    }
    auto const tag = tag_of(*stored);
    if (if_match(request, tag) == condition::failed)
        return unless("the schedule was changed meanwhile: read it again");
    if (not_modified(request, tag))
        return unless("there is a schedule " + stored->name + " already");
    return std::nullopt;
}

planned set_schedule(net::http_request const& request) {
    parameters query(request);
    members body(request);
    auto const name = path_text(request, "name", query);
    auto const now = base::system_clock().now();
    auto schedule = read_schedule(body, name, now);
    auto const limit = read_time_limit(body);
    if (auto const wrong = mistakes_of(query, body); !wrong.empty()) return invalid(wrong);
    return work([request, schedule, limit, now](storage::transaction& tx) {
        auto const before = queue::lock_schedule(tx, schedule.name);
        if (auto failed = failed_condition(request, before)) return std::move(*failed);
        auto changed = schedule;
        if (limit) changed.deadline = *limit;
        if (!limit && before) changed.deadline = before->deadline;
        bool const only_new = !before && request.headers.count("If-None-Match") > 0;
        if (auto const wrong = server::put_checked_schedule(tx, changed, now, only_new)) {
            if (wrong->reason != base::errc::conflict) return invalid({worded(*wrong)});
            return net::http_response::problem(412, "precondition_failed", wrong->reason.detail);
        }
        return schedule_answer(before ? 200 : 201, queue::find_schedule(tx, schedule.name).value());
    });
}

planned remove_schedule(net::http_request const& request) {
    parameters query(request);
    auto const name = path_text(request, "name", query);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([name](storage::transaction& tx) {
        if (!queue::remove_schedule(tx, name)) return no_schedule(name);
        return net::http_response::empty(204);
    });
}

using schedule_switch = bool (*)(storage::transaction&, std::string const&);

planned switch_schedule(schedule_switch apply, net::http_request const& request) {
    parameters query(request);
    members body(request);
    auto const name = path_text(request, "name", query);
    if (auto const wrong = mistakes_of(query, body); !wrong.empty()) return invalid(wrong);
    return work([apply, name](storage::transaction& tx) {
        if (!apply(tx, name)) return no_schedule(name);
        return schedule_answer(200, queue::find_schedule(tx, name).value());
    });
}

endpoint switching(std::string pattern, schedule_switch apply) {
    auto const plan = [apply](net::http_request const& request) {
        return switch_schedule(apply, request);
    };
    return {"POST", std::move(pattern), in_a_transaction(plan)};
}

// Before it is stored. It asks no database.
planned preview_times(net::http_request const& request) {
    parameters query(request);
    queue::recurrence times;
    times.cron = query.text("cron", longest_cron);
    times.timezone = query.text("timezone").value_or("UTC");
    auto const count = query.integer("count", 1, most_times).value_or(times_of_a_schedule);
    if (!times.cron) query.mistake("cron is missing");
    auto const now = base::system_clock().now();
    if (auto const wrong = server::recurrence_mistake(times, now)) note_mistake(query, *wrong);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    auto const next = queue::next_times(times, now, static_cast<std::size_t>(count));
    if (!next) return invalid({worded({"cron", next.error()})});
    return json_answer(
        200, {{"timezone", times.timezone}, {"times", server::times_json(*next, times.timezone)}}
    );
}

} // namespace

std::vector<endpoint> schedule_endpoints(resources const&) {
    return {
        {"GET", "/api/v1/schedules", in_a_transaction(list_schedules)},
        {"GET", "/api/v1/schedules/{name}", in_a_transaction(show_schedule)},
        {"PUT", "/api/v1/schedules/{name}", in_a_transaction(set_schedule)},
        {"DELETE", "/api/v1/schedules/{name}", in_a_transaction(remove_schedule)},
        switching("/api/v1/schedules/{name}/pause", queue::pause_schedule),
        switching("/api/v1/schedules/{name}/resume", queue::resume_schedule),
        {"GET", "/api/v1/schedule-times", in_a_transaction(preview_times)}};
}

} // namespace postrider::api
