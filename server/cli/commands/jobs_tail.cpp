// `jobs tail`: follows jobs until Ctrl-C, or until those that were named are over; ends at once when
// one of them does not exist, or nobody reads it any more.
#include "base/json/text.hpp"
#include "server/cli/database_work.hpp"
#include "server/cli/job_choice.hpp"
#include "server/cli/job_report.hpp"
#include "server/cli/job_watch.hpp"

#include <ostream>

namespace postrider::cli {

namespace {

struct jobs_tail_arguments {
    std::vector<std::int64_t> jobs;
    job_choice choice;
};

void declare_jobs_tail(option_parser& parser, jobs_tail_arguments& args) {
    parser.add_option("ID", args.jobs, "Only these jobs")->check(id_number());
    add_choice(parser, args.choice);
}

// False where nobody reads it any more.
bool print_events(context const& in, std::vector<queue::job_event> const& events) {
    for (auto const& event : events)
        in.out << (in.json ? base::json_text(to_json(event)) : to_text(event)) << '\n';
    return in.out.flush().good();
}

int run_jobs_tail(context const& in, jobs_tail_arguments const& args) {
    auto filter = filter_of(args.choice);
    if (!filter) return usage(in, filter.error().detail);
    auto const db = open_database(in);
    if (!db) return fail(in, "open the database", db.error());
    std::vector<job_id> only;
    for (auto job : args.jobs) only.push_back(job_id{job});
    auto const watch_result = watch_jobs(*db, *filter, std::move(only), [&](auto const& events) {
        return print_events(in, events);
    });
    if (!watch_result) return fail(in, "read the jobs", watch_result.error());
    return watch_result->missing.empty() ? 0 : no_such_job(in, watch_result->missing.front());
}

} // namespace

namespace commands {

extern constinit command const jobs_tail{
    .path = "jobs tail",
    .summary = "Follow jobs until Ctrl-C, or until the named jobs are over",
    .example = R"(postrider jobs tail
postrider jobs tail --flow support --state failed)",
    .prepare = with_options<declare_jobs_tail, run_jobs_tail>};

} // namespace commands

} // namespace postrider::cli
