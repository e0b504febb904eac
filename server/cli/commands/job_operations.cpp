// `jobs retry|restart|fork|cancel|pause|resume|send-event`: on jobs that are named, or on all that a
// filter chooses.
#include "base/json/text.hpp"
#include "server/cli/database_work.hpp"
#include "server/cli/job_choice.hpp"
#include "server/cli/job_report.hpp"
#include "server/cli/operations.hpp"
#include "server/cli/options.hpp"
#include "server/cli/parser/suggestion.hpp"
#include "server/cli/trial.hpp"
#include "server/start/local_database.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

#include <iostream>
#include <limits>
#include <unistd.h>

namespace postrider::cli {

namespace {

namespace json = boost::json;
using queue::operation;

struct job_operations_arguments {
    std::vector<std::int64_t> jobs;
    job_choice choice;
    int most = 100'000;
    bool yes = false;
    queue::job_operation details = {};
    std::string input;
    bool rollback = false;
    event_options event;
    trial_options trial; // fork
};

void declare_jobs(option_parser& parser, job_operations_arguments& args) {
    parser.add_option("ID", args.jobs, "The jobs' ids")->check(id_number());
}

void declare_chosen(option_parser& parser, job_operations_arguments& args) {
    declare_jobs(parser, args);
    add_choice(parser, args.choice);
    parser
        .add_option("--limit", args.most, "At most this many of the chosen jobs, the newest first")
        ->check(in_range(1, std::numeric_limits<int>::max()))
        ->type_name("N");
    parser.add_flag("--yes,-y", args.yes, "Do not ask for confirmation");
}

value_check version_or_current() {
    auto const refuse = [](std::string const& text) -> std::string {
        return text == "current" ? "" : version_number().refusal(text);
    };
    return {refuse, ""};
}

void add_version(option_parser& parser, job_operations_arguments& args) {
    parser
        .add_option(
            "--version",
            args.details.version,
            "Of its flow: current, or a number; as pinned otherwise"
        )
        ->check(version_or_current())
        ->type_name("N");
}

void add_from_step(option_parser& parser, job_operations_arguments& args) {
    parser
        .add_option("--from-step", args.details.from_step, "Keep what is recorded before this step")
        ->type_name("KEY");
}

void declare_retry(option_parser& parser, job_operations_arguments& args) {
    declare_chosen(parser, args);
    add_version(parser, args);
}

void declare_restart(option_parser& parser, job_operations_arguments& args) {
    declare_chosen(parser, args);
    add_from_step(parser, args);
    add_version(parser, args);
}

void declare_fork(option_parser& parser, job_operations_arguments& args) {
    parser.add_option("ID", args.jobs, "The jobs' ids")->required()->check(id_number());
    add_from_step(parser, args);
    add_version(parser, args);
    parser
        .add_option(
            "--input", args.input, "Another input: of a flow's job, what its trigger passes on"
        )
        ->type_name("JSON");
    parser.add_flag(
        "--answer",
        args.details.answer,
        "Send the answer to the original's recipient; by default no answer is sent"
    );
    add_trial(parser, args.trial);
}

void declare_cancel(option_parser& parser, job_operations_arguments& args) {
    declare_chosen(parser, args);
    parser.add_flag("--rollback", args.rollback, "Undo first what their steps have done");
}

void declare_job_event(option_parser& parser, job_operations_arguments& args) {
    parser.add_option("ID", args.jobs, "The jobs' ids")->required()->check(id_number());
    add_event(parser, args.event);
}

base::result<queue::job_operation> operation_of(
    operation verb, job_operations_arguments const& args
) {
    auto operation = args.details;
    operation.operation = args.rollback ? operation::roll_back : verb;
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

constexpr storage::statement step_keys{
    "job.step_keys",
    "select distinct s.key from postrider.step s "
    "where s.job_id = $1::bigint and position('~' in s.key) = 0"};

// A step that the job does not have is likely a slip. The answer names all its steps: of several it
// also says which is meant.
queue::operation_result with_step_hint(
    storage::transaction& tx, queue::job_operation const& operation, queue::operation_result result
) {
    if (result.code != "no_step" || !operation.from_step || !result.job) return result;
    std::vector<std::string> keys;
    for (auto const& row : tx.query(step_keys, {*result.job})) keys.push_back(row.text(0));
    if (keys.size() > 1) result.detail += suggestion(*operation.from_step, keys);
    return result;
}

constexpr storage::statement awaited_types{
    "job.awaited_types",
    "select distinct w.type from postrider.wait w where w.job_id = $1::bigint"};

// An event that the job does not wait for is kept; where it waits for another type, that may be a
// slip.
queue::operation_result with_event_hint(
    storage::transaction& tx, queue::job_operation const& operation, queue::operation_result result
) {
    if (operation.operation != operation::send_event || !result.done || !result.job) return result;
    std::vector<std::string> types;
    for (auto const& row : tx.query(awaited_types, {*result.job})) types.push_back(row.text(0));
    if (!types.empty()) result.detail += suggestion(operation.event.type, types);
    return result;
}

// What is done, and what the person calls it.
struct request {
    queue::job_operation operation;
    std::string_view verb;
};

// Each in a transaction of its own, in the order of the command line.
int operate_on_named(
    context const& in,
    job_operations_arguments const& args,
    server::local_database const& db,
    request const& request
) {
    std::vector<queue::operation_result> results;
    for (auto job : args.jobs) {
        auto operated = storage::run_blocking(db.options, [&](storage::transaction& tx) {
            act_as_operator(tx);
            auto result = queue::operate(tx, job_id{job}, request.operation);
            result = with_step_hint(tx, request.operation, std::move(result));
            results.push_back(with_event_hint(tx, request.operation, std::move(result)));
        });
        if (operated) continue;
        tell(in, results);
        return fail(
            in, fmt::format("{} job {}", request.verb, job), told(db.options, operated.error())
        );
    }
    return tell(in, results);
}

bool operation_confirmed(context const& in, std::string_view verb, std::size_t jobs) {
    in.err << fmt::format("{} jobs match. {} them? [y/N] ", jobs, verb) << std::flush;
    std::string answer;
    return std::getline(std::cin, answer) && (answer == "y" || answer == "yes");
}

int tell_many(
    context const& in, std::string_view verb, std::size_t matched, queue::bulk_result const& bulk
) {
    if (in.json) {
        json::array refused;
        for (auto const& result : bulk.refused) refused.push_back(to_json(result));
        in.out << base::json_text(json::object{
                      {"matched", matched},
                      {"done", bulk.done},
                      {"asked", bulk.asked},
                      {"refused", std::move(refused)}})
               << '\n';
    } else {
        for (auto const& result : bulk.refused) in.err << to_text(result) << '\n';
        in.out << fmt::format(
            "{} of {} jobs: {}{}\n",
            bulk.done,
            matched,
            verb,
            bulk.asked > 0 ? fmt::format(", {} of them asked", bulk.asked) : ""
        );
    }
    return bulk.refused.empty() ? 0 : 1;
}

int operate_on_chosen(
    context const& in,
    job_operations_arguments const& args,
    server::local_database const& db,
    request const& request
) {
    auto filter = filter_of(args.choice);
    if (!filter) return usage(in, filter.error().detail);
    bool const any_state = filter->states.empty() && !filter->degraded;
    if (any_state) filter->states = queue::usual_states(request.operation.operation);
    std::vector<job_id> jobs;
    auto read = storage::run_blocking(db.options, [&](storage::transaction& tx) {
        jobs = queue::matching_jobs(tx, *filter, std::nullopt, args.most);
    });
    if (!read) return fail(in, "read the jobs", read.error());
    bool const can_ask = isatty(STDIN_FILENO) != 0 && isatty(STDERR_FILENO) != 0;
    if (!jobs.empty() && !args.yes && !can_ask)
        return usage(
            in, fmt::format("{} jobs match; add --yes to {} them", jobs.size(), request.verb)
        );
    if (!jobs.empty() && !args.yes && !operation_confirmed(in, request.verb, jobs.size())) {
        in.err << "Nothing was changed.\n";
        return 1;
    }
    queue::bulk_result result;
    for (std::size_t at = 0; at < jobs.size(); at += queue::bulk_chunk) {
        std::span const chunk(jobs.data() + at, std::min(queue::bulk_chunk, jobs.size() - at));
        queue::bulk_result part;
        auto operated = storage::run_blocking(db.options, [&](storage::transaction& tx) {
            act_as_operator(tx);
            part = queue::operate_on(tx, chunk, request.operation);
        });
        if (!operated) {
            tell_many(in, request.verb, jobs.size(), result);
            return fail(
                in, fmt::format("{} the others", request.verb), told(db.options, operated.error())
            );
        }
        result += std::move(part);
    }
    return tell_many(in, request.verb, jobs.size(), result);
}

template<operation verb>
int run_job_operations(context const& in, job_operations_arguments const& args) {
    bool const chosen = args.choice != job_choice{};
    if (chosen == !args.jobs.empty())
        return usage(
            in,
            chosen ? "name jobs by id, or choose them, not both"
                   : "name jobs by id, or choose them: --state, --kind, --flow, --lane, --error, "
                     "--after"
        );
    auto operation = operation_of(verb, args);
    if (!operation) return usage(in, operation.error().detail);
    auto db = open_database(in);
    if (!db) return fail(in, "open the database", db.error());
    request const request{std::move(*operation), queue::to_string(verb)};
    return chosen ? operate_on_chosen(in, args, *db, request)
                  : operate_on_named(in, args, *db, request);
}

int run_fork(context const& in, job_operations_arguments const& args) {
    auto const& trial = args.trial;
    if (trial.model.empty() && trial.system_prompt.empty())
        return run_job_operations<operation::fork>(in, args);
    bool const is_plain_fork = args.details.from_step || args.details.version ||
                               !args.input.empty() || args.details.answer;
    if (is_plain_fork || args.jobs.size() != 1)
        return usage(in, "a trial takes one job, --model, --system-prompt and --node");
    return try_again(in, args.jobs.front(), trial);
}

} // namespace

namespace commands {

extern constinit command const jobs_retry{
    .path = "jobs retry",
    .summary = "Retry failed jobs from their last recorded step",
    .example = R"(postrider jobs retry 42
postrider jobs retry --flow support --state failed --version current --yes)",
    .prepare = with_options<declare_retry, run_job_operations<operation::retry>>};

extern constinit command const jobs_restart{
    .path = "jobs restart",
    .summary = "Run jobs anew that are over, parked or paused",
    .example = "postrider jobs restart 42 --from-step assistant/model --version current",
    .prepare = with_options<declare_restart, run_job_operations<operation::restart>>};

extern constinit command const jobs_fork{
    .path = "jobs fork",
    .summary = "Create a new job with this job's input; it sends no answer by default",
    .example = R"(postrider jobs fork 42 --version 3
postrider jobs fork 42 --model cheap)",
    .prepare = with_options<declare_fork, run_fork>};

extern constinit command const jobs_cancel{
    .path = "jobs cancel",
    .summary = "End jobs that are not over",
    .example = "postrider jobs cancel 42 --rollback",
    .prepare = with_options<declare_cancel, run_job_operations<operation::cancel>>};

extern constinit command const jobs_pause{
    .path = "jobs pause",
    .summary = "Hold jobs",
    .example = "postrider jobs pause --lane 1:42:0 --yes",
    .prepare = with_options<declare_chosen, run_job_operations<operation::pause>>};

extern constinit command const jobs_resume{
    .path = "jobs resume",
    .summary = "Resume paused jobs",
    .example = "postrider jobs resume 42 43",
    .prepare = with_options<declare_chosen, run_job_operations<operation::resume>>};

extern constinit command const jobs_send_event{
    .path = "jobs send-event",
    .summary = "Tell jobs what they wait for",
    .example = R"(postrider jobs send-event 42 --type paid --payload '{"amount": 12}')",
    .prepare = with_options<declare_job_event, run_job_operations<operation::send_event>>};

} // namespace commands

} // namespace postrider::cli
