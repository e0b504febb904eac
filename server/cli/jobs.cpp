// `jobs list` and `jobs show`: read-only, over the documented views.
#include "base/json_text.hpp"
#include "server/cli/command.hpp"
#include "server/cli/job_choice.hpp"
#include "server/cli/job_report.hpp"
#include "server/start/local_database.hpp"
#include "server/views/job_json.hpp"

#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

namespace {

std::optional<job_id> given_id(std::int64_t number) {
    return number > 0 ? std::optional(job_id{number}) : std::nullopt;
}

// What a listing gives: JSON, or text, or that there is nothing.
template<class Page, class Lines>
int print(context const& in, Page const& page, Lines const& lines, std::string_view none) {
    if (in.args.json)
        in.out << base::json_text(to_json(page)) << '\n';
    else if (lines.empty())
        in.err << none << '\n';
    else
        in.out << to_text(lines);
    return 0;
}

} // namespace

int jobs_list(context const& in) {
    auto filter = filter_of(in.args.chosen);
    if (!filter) return usage(in, filter.error().detail);
    auto db = server::open_local_database(in.configured.values, "postrider jobs");
    if (!db) return fail(in, "open the database", db.error());
    queue::job_page page;
    auto read = storage::run_blocking(db->options, [&](storage::transaction& tx) {
        page = queue::list_jobs(tx, *filter, given_id(in.args.below), in.args.limit);
    });
    if (!read) return fail(in, "read the jobs", read.error());
    auto const code = print(in, page, page.jobs, "No job matches.");
    if (page.continues && !in.args.json)
        in.err << fmt::format("More: --below {}\n", base::raw(*page.continues));
    return code;
}

int jobs_show(context const& in) {
    auto db = server::open_local_database(in.configured.values, "postrider jobs");
    if (!db) return fail(in, "open the database", db.error());
    std::optional<queue::job_details> job;
    auto read = storage::run_blocking(db->options, [&](storage::transaction& tx) {
        job = queue::read_job_details(tx, job_id{in.args.job});
    });
    if (!read) return fail(in, "read the job", read.error());
    if (!job) return no_such_job(in, job_id{in.args.job});
    in.out << (in.args.json ? base::json_text(server::job_json(*job)) + "\n" : to_text(*job));
    return 0;
}

int lanes_list(context const& in) {
    auto db = server::open_local_database(in.configured.values, "postrider lanes");
    if (!db) return fail(in, "open the database", db.error());
    std::vector<queue::lane_summary> lanes;
    std::vector<queue::pause_summary> pauses;
    queue::lane_filter const filter{in.args.status, in.args.chosen.lane, in.args.chosen.lane_text};
    auto read = storage::run_blocking(db->options, [&](storage::transaction& tx) {
        lanes = queue::list_lanes(tx, filter, in.args.behind, in.args.limit);
        pauses = queue::list_pauses(tx);
    });
    if (!read) return fail(in, "read the lanes", read.error());
    auto const code = print(in, lanes, lanes, "No lane matches.");
    if (!in.args.json)
        for (auto const& pause : pauses)
            in.err << fmt::format("{} is paused since {}\n", pause.scope, pause.since);
    return code;
}

int effects_list(context const& in) {
    auto db = server::open_local_database(in.configured.values, "postrider effects");
    if (!db) return fail(in, "open the database", db.error());
    std::vector<queue::doubtful_effect> effects;
    auto read = storage::run_blocking(db->options, [&](storage::transaction& tx) {
        effects = queue::list_effects_in_doubt(tx, given_id(in.args.below), in.args.limit);
    });
    if (!read) return fail(in, "read the effects", read.error());
    return print(in, effects, effects, "No effect is in doubt.");
}

} // namespace postrider::cli
