// `flows run`: starts a flow by hand, and may wait for its end.
#include "agent/flow/start/hand_start.hpp"
#include "base/json/json.hpp"
#include "base/json/text.hpp"
#include "server/cli/flow_report.hpp"
#include "server/cli/flow_work.hpp"
#include "server/cli/job_report.hpp"
#include "server/cli/job_watch.hpp"
#include "server/cli/operations.hpp"
#include "server/cli/table.hpp"

#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

namespace {

namespace flow = agent::flow;
namespace json = boost::json;

struct flows_run_arguments {
    named_flow flow;
    std::string input;
    std::string trigger;
    std::string version;
    std::string start;
    bool only = false;
    std::string until;
    std::string pinned;
    bool wait = false;
    bool watch = false;
};

void declare_flows_run(option_parser& parser, flows_run_arguments& args) {
    declare_flow(parser, args.flow);
    parser
        .add_option(
            "--input",
            args.input,
            "The item that the trigger passes on (the example of a manual trigger)"
        )
        ->type_name("JSON");
    parser.add_option("--trigger", args.trigger, "Id or name of the trigger (the manual one)")
        ->type_name("NODE");
    parser.add_option("--version", args.version, "A number, draft or published (published)")
        ->check(version_name())
        ->type_name("N");
    auto* start = parser.add_option("--start", args.start, "Begin at this node, with the input")
                      ->type_name("NODE");
    auto* only =
        parser.add_flag("--only", args.only, "Run no other node than --start")->needs(start);
    parser.add_option("--until", args.until, "Run what leads to this node, and nothing behind it")
        ->type_name("NODE")
        ->excludes(only);
    parser
        .add_option(
            "--pinned",
            args.pinned,
            "Items of nodes that do not run: {\"Fetch\": [{…}]} (those of the draft)"
        )
        ->type_name("JSON");
    parser.add_flag("--wait", args.wait, "Wait for its end, print the output");
    parser.add_flag("--watch", args.watch, "Wait for its end and tell of each step");
}

// invalid: an option does not hold what it should; the detail names it.
base::result<flow::hand_start> start_of(flows_run_arguments const& args) {
    flow::hand_start start;
    start.trigger = args.trigger;
    start.start = args.start;
    start.only = args.only;
    start.until = args.until;
    if (!args.version.empty()) start.version = args.version;
    if (!args.input.empty()) {
        auto data = json_of(args.input, "--input");
        if (!data) return data.error();
        start.data = std::move(*data);
    }
    if (args.pinned.empty()) return start;
    auto pinned = json_of(args.pinned, "--pinned");
    if (!pinned) return pinned.error();
    if (!pinned->is_object())
        return base::error(base::errc::invalid, "--pinned is no object of lists by nodes' names");
    start.pinned = std::move(pinned->get_object());
    return start;
}

constexpr storage::statement node_is_alive{
    "cli.node_is_alive",
    "select exists (select from postrider.node where beat_at > postrider.now() - interval '8 s')"};

struct beginning {
    flow::started execution;
    bool served = false; // some server takes it
};

flow::allowed<beginning> begin(
    context const& in,
    storage::transaction& tx,
    flows_run_arguments const& args,
    flow::hand_start const& start
) {
    auto const types = flow::builtin_types();
    auto const by = validator_of(in, types);
    auto const row = find_flow(tx, args.flow.name);
    if (!row) return row.error();
    auto started = flow::start_by_hand(tx, *row, start, by);
    if (!started) return started.error();
    return beginning{std::move(*started), tx.query(node_is_alive).front().boolean(0)};
}

json::object started_json(flow::started const& started) {
    return {
        {"job_id", base::raw(started.job)},
        {"version", started.version},
        {"trigger", started.trigger}};
}

void tell_start(context const& in, flows_run_arguments const& args, beginning const& start) {
    auto const& started = start.execution;
    bool const waits = args.wait || args.watch;
    if (in.json && !waits)
        in.out << base::json_text(started_json(started)) << '\n';
    else if (!in.json && !waits)
        in.out << base::raw(started.job) << '\n';
    if (!in.json)
        in.err << fmt::format(
            "{} {} starts as job {}{}\n",
            args.flow.name,
            started.version == 0 ? "(draft)" : fmt::format("v{}", started.version),
            base::raw(started.job),
            waits ? "." : fmt::format("; see `postrider jobs show {}`.", base::raw(started.job))
        );
    if (!start.served)
        in.err << "No server runs, so it waits for one: `postrider serve` starts it.\n";
}

int tell_end(context const& in, flow::started const& started, queue::job_details const& details) {
    auto const& job = details.job;
    bool const completed = job.state == "completed";
    if (in.json) {
        auto body = started_json(started);
        body["state"] = job.state;
        body["output"] = details.output;
        body["error"] = job.error_class.empty() ? json::value() : json::value(job.error);
        in.out << base::json_text(body) << '\n';
    } else if (completed) {
        in.out << base::json_text(details.output) << '\n';
    } else {
        in.err << fmt::format(
            "postrider: job {} {}: {}: {}; `postrider executions show {}` tells where.\n",
            job.id,
            job.state,
            job.error_class,
            printable(job.error),
            job.id
        );
    }
    return completed ? 0 : 1;
}

int wait_for_end(
    context const& in,
    flows_run_arguments const& args,
    server::local_database const& db,
    flow::started const& started
) {
    auto const tell = [&](auto const& events) {
        if (args.watch)
            for (auto const& event : events) in.err << to_text(event) << '\n';
        return true; // its end is waited for in any case
    };
    auto const ended = watch_jobs(db, {}, {started.job}, tell);
    if (!ended) return fail(in, "wait for the execution", ended.error());
    if (ended->interrupted) {
        in.err << fmt::format("Job {} goes on.\n", base::raw(started.job));
        return 1;
    }
    std::optional<queue::job_details> job;
    auto const read = storage::run_blocking(db.options, [&](storage::transaction& tx) {
        job = queue::read_job_details(tx, started.job);
    });
    if (!read) return fail(in, "read the execution", read.error());
    return job ? tell_end(in, started, *job) : no_such_job(in, started.job);
}

int run_flows_run(context const& in, flows_run_arguments const& args) {
    if (in.configured.values.data.string().starts_with('{'))
        return usage(in, "--data names the folder of the data; JSON for the trigger is --input");
    auto const start = start_of(args);
    if (!start) return usage(in, start.error().detail);
    auto const db = open_database(in);
    if (!db) return fail(in, "open the database", db.error());
    std::optional<flow::allowed<beginning>> outcome;
    auto const done = storage::run_blocking(db->options, [&](storage::transaction& tx) {
        act_as_operator(tx);
        outcome.emplace(begin(in, tx, args, *start));
    });
    if (!done) return fail(in, "start the flow", told(db->options, done.error()));
    if (!*outcome) {
        in.out << to_text(outcome->error().problems);
        in.err << fmt::format("postrider: cannot start the flow: {}\n", outcome->error().detail);
        return 1;
    }
    tell_start(in, args, **outcome);
    if (!args.wait && !args.watch) return 0;
    return wait_for_end(in, args, *db, (*outcome)->execution);
}

} // namespace

namespace commands {

extern constinit command const flows_run{
    .path = "flows run",
    .summary = "Start a flow, by default its published version",
    .example = R"(postrider flows run report --input '{"day": "2026-11-21"}' --watch
postrider flows run report --start Summarize --only --pinned '{"Fetch": [{"text": "…"}]}' --wait
postrider flows run report --version draft --until Fetch --wait
postrider flows run report --version draft --input '{"day": "2026-11-21"}' --wait)",
    .prepare = with_options<declare_flows_run, run_flows_run>};

} // namespace commands

} // namespace postrider::cli
