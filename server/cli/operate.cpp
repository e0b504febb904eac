// What a person does to jobs, lanes, bots, everything and effects, from the command line.
#include "base/json_text.hpp"
#include "server/cli/command.hpp"
#include "server/cli/job_choice.hpp"
#include "server/cli/job_report.hpp"
#include "server/start/local_database.hpp"

#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include <iostream>
#include <unistd.h>

namespace postrider::cli {

namespace {

namespace json = boost::json;

base::result<json::value> json_of(std::string const& text, std::string_view option) {
    json::error_code ec;
    auto value = json::parse(text, ec);
    if (ec)
        return base::error(
            base::errc::invalid,
            fmt::format("{} is not JSON; a text needs quotes of its own: '\"like this\"'", option)
        );
    return value;
}

base::result<queue::new_event> event_of(event_arguments const& arguments) {
    queue::new_event event{arguments.type, nullptr, arguments.match};
    if (arguments.payload.empty()) return event;
    auto payload = json_of(arguments.payload, "--payload");
    if (!payload) return payload.error();
    event.payload = std::move(*payload);
    return event;
}

base::result<queue::job_operation> operation_of(arguments const& args) {
    queue::job_operation operation;
    operation.operation =
        queue::operation_from_string(args.verb).value_or(queue::operation::cancel);
    if (args.rollback) operation.operation = queue::operation::roll_back;
    operation.from_step = args.from_step;
    if (!args.input.empty()) {
        auto input = json_of(args.input, "--input");
        if (!input) return input.error();
        operation.input = std::move(*input);
    }
    auto event = event_of(args.event);
    if (!event) return event.error();
    operation.event = std::move(*event);
    return operation;
}

using one_operation = std::function<queue::operation_result(storage::transaction&)>;

// Results on stdout, refusals on stderr; with --json all of them on stdout.
int tell(context const& in, std::vector<queue::operation_result> const& results) {
    bool all_done = true;
    for (auto const& result : results) {
        all_done = all_done && result.done;
        if (!in.args.json) (result.done ? in.out : in.err) << to_text(result) << '\n';
    }
    if (in.args.json) {
        json::array array;
        for (auto const& result : results) array.push_back(to_json(result));
        in.out << base::json_text(json::object{{"results", std::move(array)}}) << '\n';
    }
    return all_done ? 0 : 1;
}

int operate_once(context const& in, one_operation const& operation) {
    auto db = server::open_local_database(in.configured.values, "postrider operate");
    if (!db) return fail(in, "open the database", db.error());
    std::vector<queue::operation_result> results(1);
    auto done = storage::run_blocking(db->options, [&](storage::transaction& tx) {
        results.front() = operation(tx);
    });
    if (!done) return fail(in, "do that", done.error());
    return tell(in, results);
}

// Each in a transaction of its own, in the order given.
int operate_on_named(
    context const& in, server::local_database const& db, queue::job_operation const& operation
) {
    std::vector<queue::operation_result> results;
    for (auto job : in.args.jobs) {
        auto done = storage::run_blocking(db.options, [&](storage::transaction& tx) {
            results.push_back(queue::operate(tx, job_id{job}, operation));
        });
        if (done) continue;
        tell(in, results);
        return fail(in, fmt::format("{} job {}", in.args.verb, job), done.error());
    }
    return tell(in, results);
}

bool confirmed(context const& in, std::size_t jobs) {
    if (in.args.yes) return true;
    in.err << fmt::format("{} jobs match. {} them? [y/N] ", jobs, in.args.verb) << std::flush;
    std::string answer;
    return std::getline(std::cin, answer) && (answer == "y" || answer == "yes");
}

int tell_many(context const& in, std::size_t matched, queue::bulk_result const& all) {
    if (in.args.json) {
        json::array refused;
        for (auto const& result : all.refused) refused.push_back(to_json(result));
        in.out << base::json_text(json::object{
                      {"matched", matched},
                      {"done", all.done},
                      {"asked", all.asked},
                      {"refused", std::move(refused)}})
               << '\n';
    } else {
        for (auto const& result : all.refused) in.err << to_text(result) << '\n';
        in.out << fmt::format(
            "{} of {} jobs: {}{}\n",
            all.done,
            matched,
            in.args.verb,
            all.asked > 0 ? fmt::format(", {} of them asked", all.asked) : ""
        );
    }
    return all.refused.empty() ? 0 : 1;
}

int operate_on_chosen(
    context const& in, server::local_database const& db, queue::job_operation const& operation
) {
    auto filter = filter_of(in.args.chosen);
    if (!filter) return usage(in, filter.error().detail);
    std::vector<job_id> jobs;
    auto read = storage::run_blocking(db.options, [&](storage::transaction& tx) {
        jobs = queue::matching_jobs(tx, *filter, std::nullopt, in.args.most);
    });
    if (!read) return fail(in, "read the jobs", read.error());
    bool const can_ask = isatty(STDIN_FILENO) != 0 && isatty(STDERR_FILENO) != 0;
    if (!jobs.empty() && !in.args.yes && !can_ask)
        return usage(
            in, fmt::format("{} jobs match; add --yes to {} them", jobs.size(), in.args.verb)
        );
    if (!jobs.empty() && !confirmed(in, jobs.size())) {
        in.err << "Nothing was changed.\n";
        return 1;
    }
    queue::bulk_result all;
    for (std::size_t at = 0; at < jobs.size(); at += queue::bulk_chunk) {
        std::span const chunk(jobs.data() + at, std::min(queue::bulk_chunk, jobs.size() - at));
        queue::bulk_result part;
        auto done = storage::run_blocking(db.options, [&](storage::transaction& tx) {
            part = queue::operate_on(tx, chunk, operation);
        });
        if (!done) {
            tell_many(in, jobs.size(), all);
            return fail(in, in.args.verb + " the others", done.error());
        }
        all += std::move(part);
    }
    return tell_many(in, jobs.size(), all);
}

} // namespace

int jobs_operate(context const& in) {
    bool const chosen = in.args.chosen != job_choice{};
    if (chosen == !in.args.jobs.empty())
        return usage(
            in,
            chosen ? "name jobs by id, or choose them, not both"
                   : "name jobs by id, or choose them: --state, --kind, --lane, --error, --after"
        );
    auto operation = operation_of(in.args);
    if (!operation) return usage(in, operation.error().detail);
    auto db = server::open_local_database(in.configured.values, "postrider jobs");
    if (!db) return fail(in, "open the database", db.error());
    return chosen ? operate_on_chosen(in, *db, *operation) : operate_on_named(in, *db, *operation);
}

int lane_send_event(context const& in) {
    auto event = event_of(in.args.event);
    if (!event) return usage(in, event.error().detail);
    return operate_once(in, [&](storage::transaction& tx) {
        return queue::send_lane_event(tx, in.args.name, *event);
    });
}

int lane_pause(context const& in) {
    return operate_once(in, [&](auto& tx) { return queue::pause_lane(tx, in.args.name); });
}

int lane_resume(context const& in) {
    return operate_once(in, [&](auto& tx) { return queue::resume_lane(tx, in.args.name); });
}

int bot_pause(context const& in) {
    return operate_once(in, [&](auto& tx) { return queue::pause_bot(tx, in.args.name); });
}

int bot_resume(context const& in) {
    return operate_once(in, [&](auto& tx) { return queue::resume_bot(tx, in.args.name); });
}

int all_pause(context const& in) {
    return operate_once(in, [](auto& tx) { return queue::pause_all(tx); });
}

int all_resume(context const& in) {
    return operate_once(in, [](auto& tx) { return queue::resume_all(tx); });
}

int effects_settle(context const& in) {
    auto const settlement = queue::settlement_from_string(in.args.verb).value();
    return operate_once(in, [&](auto& tx) {
        return queue::settle_effect(tx, job_id{in.args.job}, in.args.name, settlement);
    });
}

} // namespace postrider::cli
