// `audit list`, `verify` and `export`: what was done and by whom.
#include "base/json/text.hpp"
#include "server/cli/database_work.hpp"
#include "server/cli/listing.hpp"
#include "server/cli/options.hpp"
#include "server/cli/parser/suggestion.hpp"
#include "server/cli/table.hpp"
#include "server/start/local_database.hpp"
#include "server/views/audit_check.hpp"
#include "server/views/audit_json.hpp"

#include <fmt/format.h>

#include <functional>
#include <ostream>
#include <set>

namespace postrider::cli {

namespace {

struct audit_arguments {
    std::int64_t job = 0; // 0 = of all
    std::string kind;
    std::string actor;
    std::string cursor;
    int limit = 20;
};

void declare_audit(option_parser& parser, audit_arguments& args) {
    parser.add_option("--job", args.job, "Only of this job")->check(id_number())->type_name("ID");
    parser.add_option("--kind", args.kind, "Only of this kind, say tool_call")->type_name("KIND");
    parser.add_option("--actor", args.actor, "Only on the word of this one, say user:42")
        ->type_name("ACTOR");
    add_cursor(parser, args.cursor);
    add_limit(parser, args.limit);
}

std::string audit_text(std::vector<storage::audit_entry> const& entries) {
    std::vector<cells> lines;
    lines.reserve(entries.size());
    for (auto const& entry : entries)
        lines.push_back(
            {entry.created_at.substr(0, 19) + "Z",
             server::to_string(storage::audit_place{entry.lane, entry.number}),
             entry.kind,
             one_line(entry.actor, 40),
             one_line(entry.subject, 60),
             one_line(base::json_text(entry.detail), 100)}
        );
    return table({"time", "place", "kind", "actor", "subject", "detail"}, lines);
}

// Of the newest entries.
std::string audit_hint(storage::transaction& tx, audit_arguments const& args) {
    constexpr int most = 1000;
    if (args.kind.empty() && args.actor.empty()) return {};
    std::set<std::string> kinds, actors;
    for (auto const& entry : storage::list_audit(tx, {.limit = most})) {
        kinds.insert(entry.kind);
        actors.insert(entry.actor);
    }
    auto const nearest = [](std::string const& word, std::set<std::string> const& candidates) {
        std::vector<std::string> const words(candidates.begin(), candidates.end());
        return word.empty() ? std::string() : suggestion(word, words);
    };
    auto const hint = nearest(args.kind, kinds);
    return hint.empty() ? nearest(args.actor, actors) : hint;
}

int list_audit(context const& in, audit_arguments const& args) {
    storage::audit_filter filter{.kind = args.kind, .actor = args.actor, .limit = args.limit};
    if (args.job > 0) filter.job = job_id{args.job};
    if (!args.cursor.empty()) {
        filter.before = server::audit_place_from_string(args.cursor);
        if (!filter.before) return usage(in, "--cursor is LANE/NUMBER, as the list has it");
    }
    std::vector<storage::audit_entry> entries;
    std::string hint;
    int const code = in_database(in, "read the audit", [&](storage::transaction& tx) {
        entries = storage::list_audit(tx, filter);
        if (entries.empty()) hint = audit_hint(tx, args);
    });
    if (code != 0) return code;
    if (in.json) {
        in.out << base::json_text(server::audit_page_json(entries, args.limit)) << '\n';
    } else if (entries.empty()) {
        in.err << "Nothing of that is in the audit" << (hint.empty() ? "." : printable(hint))
               << '\n';
    } else {
        in.out << audit_text(entries);
        if (std::ssize(entries) == args.limit)
            tell_next_page(
                in,
                server::to_string(storage::audit_place{entries.back().lane, entries.back().number})
            );
    }
    return 0;
}

// Pages in transactions of their own, so that a long look keeps no old rows alive. `look` says
// whether there is more.
int in_pages(
    context const& in, std::string_view doing, std::function<bool(storage::transaction&)> look
) {
    auto const db = open_database(in);
    if (!db) return fail(in, "open the database", db.error());
    for (bool more = true; more;) {
        auto const done =
            storage::run_blocking(db->options, [&](storage::transaction& tx) { more = look(tx); });
        if (!done) return fail(in, doing, done.error());
    }
    return 0;
}

void tell_breaks(context const& in, server::audit_verdict const& verdict) {
    for (auto const& broken : verdict.breaks)
        in.err << fmt::format(
            "postrider: the chain of lane {} is broken at its link {}: {}\n",
            base::raw(broken.place.lane),
            broken.place.number,
            broken.problem
        );
    if (verdict.broken == 0) return;
    in.err << fmt::format(
        "postrider: {} of {} chains are broken; {} links hold before that and in the others\n",
        verdict.broken,
        verdict.chains,
        verdict.links
    );
}

void tell_cuts(context const& in, server::audit_verdict const& verdict) {
    for (auto const& cut : verdict.cuts) {
        if (cut.lane == lane_id{}) {
            in.err << fmt::format(
                "postrider: the end of the chain of lane 0 is gone or was changed: its note says "
                "{} "
                "rows, and {} are there\n",
                cut.results,
                cut.rows
            );
            continue;
        }
        in.err << fmt::format(
            "postrider: the end of the chain of lane {} is gone: job {} has {} of {}, and {} of "
            "the "
            "audit's rows tell of it\n",
            base::raw(cut.lane),
            base::raw(cut.job),
            cut.results == 1 ? "a result" : fmt::format("{} results", cut.results),
            cut.step,
            cut.rows
        );
    }
    if (verdict.cut > std::ssize(verdict.cuts))
        in.err << fmt::format(
            "postrider: and {} more ends are gone\n", verdict.cut - std::ssize(verdict.cuts)
        );
}

int verify(context const& in) {
    server::audit_verdict verdict;
    server::audit_cursor at;
    int const code = in_pages(in, "verify the audit", [&](storage::transaction& tx) {
        auto page = verdict;
        auto const next = server::check_audit(tx, at, page);
        verdict = std::move(page);
        if (next) at = *next;
        return next.has_value();
    });
    if (code != 0) return code;
    if (in.json) in.out << base::json_text(server::audit_verdict_json(verdict)) << '\n';
    if (!verdict.holds()) {
        tell_breaks(in, verdict);
        tell_cuts(in, verdict);
        return 1;
    }
    if (in.json) return 0;
    in.out << fmt::format("All holds: chains {}, links {}.\n", verdict.chains, verdict.links);
    if (in.configured.values.audit_key.empty())
        in.out << "Checked by SHA-256: set audit.key for links that nobody can make without it.\n";
    else
        in.out << fmt::format(
            "Checked by HMAC with audit.key: {}; by SHA-256: {}.\n",
            verdict.keyed,
            verdict.links - verdict.keyed
        );
    return 0;
}

// Before the first row is written, and after the last: an export is an act, too.
void note_export(storage::transaction& tx, boost::json::object const& detail) {
    act_as_operator(tx);
    storage::audit_operation(tx, "audit_export", {}, "audit", detail);
}

int write_out(context const& in) {
    constexpr int page = 1000;
    auto last = storage::before_all_audit;
    std::int64_t written = 0;
    bool is_noted = false;
    return in_pages(in, "read the audit", [&](storage::transaction& tx) {
        if (!is_noted) {
            note_export(tx, {{"outcome", "begun"}});
            is_noted = true;
            return true;
        }
        auto const entries = storage::export_audit(tx, last, page);
        for (auto const& entry : entries)
            in.out << base::json_text(server::audit_json(entry)) << '\n';
        written += std::ssize(entries);
        if (!entries.empty()) last = {entries.back().lane, entries.back().number};
        bool const goes_on = std::ssize(entries) == page && in.out.good();
        if (!goes_on) note_export(tx, {{"outcome", "done"}, {"entries", written}});
        return goes_on;
    });
}

} // namespace

namespace commands {

extern constinit command const audit_list{
    .path = "audit list",
    .summary = "Model calls, tool calls, approvals and what operators did, the newest first",
    .example = R"(postrider audit list
postrider audit list --kind approval --json)",
    .prepare = with_options<declare_audit, list_audit>};

extern constinit command const audit_verify{
    .path = "audit verify",
    .summary = "Check that nothing in the audit was changed, taken out, put in or cut off",
    .example = "postrider audit verify",
    .prepare = without_options<verify>};

extern constinit command const audit_export{
    .path = "audit export",
    .summary = "All of the audit, chain by chain, as lines of JSON",
    .example = "postrider audit export > audit.jsonl",
    .prepare = without_options<write_out>,
    .json = false};

} // namespace commands

} // namespace postrider::cli
