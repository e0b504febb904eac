// `jobs list` and `jobs show`: read-only, over the documented views.
#include "base/json/text.hpp"
#include "server/cli/database_work.hpp"
#include "server/cli/flow_work.hpp"
#include "server/cli/job_choice.hpp"
#include "server/cli/job_report.hpp"
#include "server/cli/listing.hpp"
#include "server/cli/operations.hpp"
#include "server/cli/parser/suggestion.hpp"
#include "server/views/job_json.hpp"
#include "server/views/job_kinds.hpp"

namespace postrider::cli {

namespace {

constexpr storage::statement approvals_waited_for{
    "approvals_waited_for",
    "select a.approval_id from postrider.approval a where a.question = $1 and a.state = 'waiting' "
    "order by a.call"};

struct jobs_list_arguments {
    job_choice choice;
    cli::page page;
};

void declare_jobs_list(option_parser& parser, jobs_list_arguments& args) {
    add_choice(parser, args.choice);
    add_page(parser, args.page);
}

// Nothing matches, perhaps for a slip in a name.
std::string job_hint(storage::transaction& tx, job_choice const& choice) {
    std::string hint;
    if (!choice.kind.empty()) hint = suggestion(choice.kind, server::known_kinds());
    if (hint.empty()) hint = error_class_hint(choice);
    if (hint.empty() && !choice.flow.empty()) hint = flow_suggestion(tx, choice.flow);
    if (hint.empty() && !choice.lane.empty()) hint = lane_suggestion(tx, choice.lane);
    return hint.empty() ? "." : hint;
}

int list_jobs(context const& in, jobs_list_arguments const& args) {
    auto const filter = filter_of(args.choice);
    if (!filter) return usage(in, filter.error().detail);
    queue::job_page page;
    std::string hint;
    int const code = in_database(in, "read the jobs", [&](storage::transaction& tx) {
        page = queue::list_jobs(tx, *filter, job_or_none(args.page.cursor), args.page.limit);
        if (page.jobs.empty()) hint = job_hint(tx, args.choice);
    });
    if (code != 0) return code;
    print_listing(in, page, page.jobs, "No job matches" + hint);
    tell_next_page(in, page.continues);
    return 0;
}

struct shown_job {
    std::int64_t job = 0;
};

void declare_shown(option_parser& parser, shown_job& args) {
    add_job(parser, args.job);
}

std::vector<std::string> approvals_of(storage::transaction& tx, queue::job_details const& job) {
    std::vector<std::string> approvals;
    for (auto const& wait : job.waits) {
        if (!wait.match) continue;
        for (auto const& row : tx.query(approvals_waited_for, {*wait.match}))
            approvals.push_back(row.text(0));
    }
    return approvals;
}

int show_job(context const& in, shown_job const& args) {
    std::optional<queue::job_details> job;
    std::vector<queue::job_wait> waited;
    std::vector<std::string> approvals;
    int const code = in_database(in, "read the job", [&](storage::transaction& tx) {
        job = queue::read_job_details(tx, job_id{args.job});
        if (!job) return;
        waited = queue::list_job_waits(tx, job_id{args.job});
        approvals = approvals_of(tx, *job);
    });
    if (code != 0) return code;
    if (!job) return no_such_job(in, job_id{args.job});
    if (in.json)
        in.out << base::json_text(server::job_json(*job, waited)) << '\n';
    else
        in.out << to_text(*job, waited, approvals);
    return 0;
}

} // namespace

namespace commands {

extern constinit command const jobs_list{
    .path = "jobs list",
    .summary = "List the newest jobs",
    .example = R"(postrider jobs list --state failed --after 2h
postrider jobs list --flow support --json)",
    .prepare = with_options<declare_jobs_list, list_jobs>};

extern constinit command const jobs_show{
    .path = "jobs show",
    .summary = "Show a job with its model calls, cost, waits, steps and effects",
    .example = "postrider jobs show 42",
    .prepare = with_options<declare_shown, show_job>};

} // namespace commands

} // namespace postrider::cli
