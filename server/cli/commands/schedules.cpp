// `schedules list|show|set|remove|pause|resume|next`: over the schedules' table, server running or
// not.
#include "agent/flow/execution_input.hpp"
#include "base/json/json.hpp"
#include "base/json/text.hpp"
#include "base/texts.hpp"
#include "server/cli/flow_work.hpp"
#include "server/cli/operations.hpp"
#include "server/cli/options.hpp"
#include "server/cli/parser/suggestion.hpp"
#include "server/cli/schedule_report.hpp"
#include "server/views/job_kinds.hpp"
#include "server/views/schedule_checks.hpp"

#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

namespace {

constexpr std::size_t times_shown = 5;

base::sys_time database_now() {
    return base::system_clock().now();
}

struct definition {
    std::string name;
    std::string cron;
    std::string at;
    std::string timezone = "UTC";
    std::string kind;
    bool any_kind = false;
    std::string lane;
    std::string input; // JSON
    std::string missed = "once";
    std::string overlap = "queue";
};

void add_timezone(option_parser& parser, std::string& timezone) {
    parser.add_option("--timezone", timezone, "Time zone of the expression (UTC)")
        ->type_name("ZONE");
}

void declare_definition(option_parser& parser, definition& args) {
    add_name(parser, args.name, "The schedule's name");
    auto* cron = parser.add_option("--cron", args.cron, "Five fields, six with seconds, or @daily");
    auto* at = parser.add_option(
        "--at", args.at, "Once, such as 2026-12-24T18:00, \"in 2h\" or \"tomorrow 9:00\""
    );
    cron->excludes(at)->check(some_text())->type_name("EXPRESSION");
    at->check(some_text())->type_name("TIME");
    add_timezone(parser, args.timezone);
    parser.add_option("--kind", args.kind, "The kind of job: flow, or turn")
        ->required()
        ->type_name("KIND");
    parser.add_flag(
        "--any-kind", args.any_kind, "Allow a kind that only other programs on this database run"
    );
    parser.add_option("--input", args.input, "Input of the jobs")->type_name("JSON");
    parser.add_option("--lane", args.lane, "The lane's key (schedule:NAME)")->type_name("KEY");
    parser.add_option("--missed", args.missed, "Handling of missed times (once)")
        ->check(word_of({"skip", "once", "all"}))
        ->type_name("skip|once|all");
    parser
        .add_option(
            "--overlap", args.overlap, "Handling of a time while the last run is active (queue)"
        )
        ->check(word_of({"queue", "skip"}))
        ->type_name("queue|skip");
}

struct named_schedule {
    std::string name;
};

void declare_named(option_parser& parser, named_schedule& args) {
    add_name(parser, args.name, "The schedule's name");
}

int no_schedule(
    context const& in, std::string const& name, std::span<std::string const> schedule_names
) {
    in.err << fmt::format(
        "postrider: there is no schedule {}{}.\n",
        name,
        hint_and(suggestion(name, schedule_names), "`postrider schedules list` shows all")
    );
    return 1;
}

std::vector<std::string> names_of_schedules(storage::transaction& tx) {
    std::vector<std::string> names;
    for (auto const& schedule : queue::list_schedules(tx)) names.push_back(schedule.name);
    return names;
}

void print_schedule(context const& in, schedule_report const& report) {
    in.out << (in.json ? base::json_text(server::schedule_json(report)) + "\n" : to_text(report));
}

base::result<queue::schedule> schedule_of(definition const& definition) {
    queue::schedule schedule;
    schedule.name = definition.name;
    schedule.kind = definition.kind;
    if (!definition.lane.empty()) schedule.lane_key = definition.lane;
    schedule.recurrence.timezone = definition.timezone;
    if (!definition.cron.empty()) schedule.recurrence.cron = definition.cron;
    if (!definition.at.empty()) {
        auto at = server::schedule_time(definition.at, definition.timezone, database_now());
        if (!at) return base::error(at.error().code, "--at: " + at.error().detail);
        schedule.recurrence.at = *at;
    }
    if (!definition.input.empty()) {
        auto input = json_of(definition.input, "--input");
        if (!input) return input.error();
        schedule.input = std::move(*input);
    }
    // The command line lets no other words through.
    schedule.missed = queue::missed_policy_from_string(definition.missed).value();
    schedule.overlap = queue::overlap_policy_from_string(definition.overlap).value();
    return schedule;
}

// What changes one schedule and is false when there is none.
int change(
    context const& in,
    named_schedule const& args,
    std::string_view doing,
    bool (*apply)(storage::transaction&, std::string const&)
) {
    bool exists = false;
    std::vector<std::string> schedule_names;
    int const code = in_database(in, doing, [&](storage::transaction& tx) {
        exists = apply(tx, args.name);
        if (!exists) schedule_names = names_of_schedules(tx);
    });
    if (code != 0) return code;
    return exists ? 0 : no_schedule(in, args.name, schedule_names);
}

int list_schedules(context const& in) {
    std::vector<schedule_report> reports;
    int const code = in_database(in, "read the schedules", [&](storage::transaction& tx) {
        for (auto& schedule : queue::list_schedules(tx))
            reports.push_back(server::report_of(std::move(schedule), database_now(), 1));
    });
    if (code != 0) return code;
    if (in.json) {
        boost::json::array listed;
        for (auto const& report : reports) listed.push_back(server::schedule_json(report));
        in.out << base::json_text(boost::json::object{{"schedules", std::move(listed)}}) << '\n';
    } else if (reports.empty()) {
        in.err << "There is no schedule; `postrider schedules set --help` shows how to make one.\n";
    } else {
        in.out << to_text(reports);
    }
    return 0;
}

int show_schedule(context const& in, named_schedule const& args) {
    std::optional<queue::schedule> schedule;
    std::vector<std::string> schedule_names;
    int const code = in_database(in, "read the schedule", [&](storage::transaction& tx) {
        schedule = queue::find_schedule(tx, args.name);
        if (!schedule) schedule_names = names_of_schedules(tx);
    });
    if (code != 0) return code;
    if (!schedule) return no_schedule(in, args.name, schedule_names);
    print_schedule(in, server::report_of(std::move(*schedule), database_now(), times_shown));
    return 0;
}

// Nobody would run its jobs: they would wait for ever.
bool is_run(definition const& args) {
    auto const kinds = server::known_kinds();
    return args.any_kind || std::ranges::find(kinds, args.kind) != kinds.end();
}

// In the words of the command line, with the flow that was probably meant.
void put_in_words(
    storage::transaction& tx, queue::schedule const& schedule, server::schedule_mistake& mistake
) {
    auto& [member, reason] = mistake;
    if (reason == base::errc::invalid && !member.empty())
        reason.detail = fmt::format("--{}: {}", member, reason.detail);
    if (member != "input" || reason != base::errc::not_found) return;
    auto const input = agent::flow::execution_input_from(schedule.input);
    if (input && !storage::find_flow(tx, input->flow))
        reason.detail +=
            hint_and(flow_suggestion(tx, input->flow), "`postrider flows list` shows all");
}

int set_schedule(context const& in, definition const& args) {
    if (!is_run(args))
        return usage(
            in,
            fmt::format(
                "no program runs jobs of the kind {}{}; --any-kind for another program's",
                args.kind,
                hint_and(
                    suggestion(args.kind, server::known_kinds()),
                    "a server runs " + base::joined(server::known_kinds(), ", ")
                )
            )
        );
    auto schedule = schedule_of(args);
    if (!schedule) return usage(in, schedule.error().detail);
    if (auto const wrong = server::recurrence_mistake(schedule->recurrence, database_now()))
        return usage(in, wrong->reason.detail);
    std::optional<server::schedule_mistake> mistake;
    std::optional<queue::schedule> stored;
    int const code = in_database(in, "set the schedule", [&](storage::transaction& tx) {
        // No option says it.
        if (auto const before = queue::lock_schedule(tx, schedule->name))
            schedule->deadline = before->deadline;
        mistake = server::put_checked_schedule(tx, *schedule, database_now());
        if (mistake) put_in_words(tx, *schedule, *mistake);
        stored = queue::find_schedule(tx, schedule->name);
    });
    if (code != 0) return code;
    if (mistake && mistake->reason == base::errc::invalid) return usage(in, mistake->reason.detail);
    if (mistake) return fail(in, "set the schedule", mistake->reason);
    print_schedule(in, server::report_of(std::move(*stored), database_now(), times_shown));
    return 0;
}

int remove_schedule(context const& in, named_schedule const& args) {
    return change(in, args, "remove the schedule", queue::remove_schedule);
}

int pause_schedule(context const& in, named_schedule const& args) {
    return change(in, args, "pause the schedule", queue::pause_schedule);
}

int resume_schedule(context const& in, named_schedule const& args) {
    return change(in, args, "resume the schedule", queue::resume_schedule);
}

struct preview {
    std::string cron;
    std::string timezone = "UTC";
    int count = 5;
};

void declare_preview(option_parser& parser, preview& args) {
    parser.add_option("EXPRESSION", args.cron, "Such as \"0 9 * * mon-fri\"")->required();
    parser.add_option("--count", args.count, "Number of times (5)")
        ->check(in_range(1, 1000))
        ->type_name("N");
    add_timezone(parser, args.timezone);
}

int next(context const& in, preview const& args) {
    queue::recurrence recurrence;
    recurrence.cron = args.cron;
    recurrence.timezone = args.timezone;
    auto times =
        queue::next_times(recurrence, database_now(), static_cast<std::size_t>(args.count));
    if (!times) return usage(in, times.error().detail);
    if (in.json)
        in.out << base::json_text(server::times_json(*times, args.timezone)) << '\n';
    else
        in.out << times_to_text(*times, args.timezone);
    return 0;
}

} // namespace

namespace commands {

extern constinit command const schedules_list{
    .path = "schedules list",
    .summary = "List all schedules",
    .example = "postrider schedules list",
    .prepare = without_options<list_schedules>};

extern constinit command const schedules_show{
    .path = "schedules show",
    .summary = "Show a schedule with its next times",
    .example = "postrider schedules show morning",
    .prepare = with_options<declare_named, show_schedule>};

extern constinit command const schedules_set{
    .path = "schedules set",
    .summary = "Add or change a schedule",
    .example =
        R"(postrider schedules set morning --cron "0 9 * * mon-fri" --timezone Europe/Berlin --kind flow --input '{"flow": "report", "version": 1}')",
    .prepare = with_options<declare_definition, set_schedule>};

extern constinit command const schedules_remove{
    .path = "schedules remove",
    .summary = "Remove a schedule; the jobs that it made stay",
    .example = "postrider schedules remove morning",
    .prepare = with_options<declare_named, remove_schedule>,
    .json = false};

extern constinit command const schedules_pause{
    .path = "schedules pause",
    .summary = "Hold a schedule",
    .example = "postrider schedules pause morning",
    .prepare = with_options<declare_named, pause_schedule>,
    .json = false};

extern constinit command const schedules_resume{
    .path = "schedules resume",
    .summary = "Resume a schedule with its next time",
    .example = "postrider schedules resume morning",
    .prepare = with_options<declare_named, resume_schedule>,
    .json = false};

extern constinit command const schedules_next{
    .path = "schedules next",
    .summary = "Print the next times of an expression",
    .example = R"(postrider schedules next "0 9 * * mon-fri" --timezone Europe/Berlin)",
    .prepare = with_options<declare_preview, next>};

} // namespace commands

} // namespace postrider::cli
