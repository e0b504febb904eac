// `approvals list|approve|reject`: calls of tools that wait for a person's word.
#include "base/json/text.hpp"
#include "server/cli/database_work.hpp"
#include "server/cli/listing.hpp"
#include "server/cli/options.hpp"
#include "server/cli/table.hpp"
#include "server/views/approval_json.hpp"

#include <ostream>

namespace postrider::cli {

namespace {

struct approval_listing {
    std::string state = "waiting";
    bool all = false;
    int limit = 20;
    std::string cursor;
};

void declare_approval_list(option_parser& parser, approval_listing& args) {
    parser.add_option("--state", args.state, "Only approvals in this state")
        ->check(word_of({"waiting", "approved", "rejected", "expired", "withdrawn"}))
        ->type_name("STATE")
        ->capture_default_str();
    parser.add_flag("--all", args.all, "Approvals in every state");
    add_limit(parser, args.limit);
    add_cursor(parser, args.cursor);
}

std::string approvals_text(std::vector<storage::approval> const& approvals) {
    std::vector<cells> lines;
    for (auto const& approval : approvals)
        lines.push_back(
            {approval.id,
             approval.state,
             base::to_string(approval.job),
             approval.tool,
             one_line(base::json_text(approval.arguments), 60),
             base::to_string(approval.requester),
             approval.lane_name,
             approval.expires_at.substr(0, 19) + "Z"}
        );
    return table(
        {"approval", "state", "job", "tool", "arguments", "requester", "lane", "until"}, lines
    );
}

int list_approvals(context const& in, approval_listing const& args) {
    storage::approval_filter filter{.state = args.all ? "" : args.state, .limit = args.limit};
    if (!args.cursor.empty()) filter.before = args.cursor;
    std::vector<storage::approval> approvals;
    int const code = in_database(in, "read the approvals", [&](storage::transaction& tx) {
        approvals = storage::list_approvals(tx, filter);
    });
    if (code != 0) return code;
    if (in.json)
        in.out << base::json_text(server::approvals_json(approvals, args.limit)) << '\n';
    else if (approvals.empty())
        in.err << (args.all ? "Nobody was ever asked." : "No approval is " + args.state + ".")
               << '\n';
    else
        in.out << approvals_text(approvals);
    if (std::ssize(approvals) == args.limit) tell_next_page(in, approvals.back().id);
    return 0;
}

void declare_approval(option_parser& parser, std::string& id) {
    parser.add_option("ID", id, "The approval's id")->required()->check(some_text());
}

template<bool approve>
int decide(context const& in, std::string const& id) {
    storage::approval_decision decision;
    int const code = in_database(in, "decide", [&](storage::transaction& tx) {
        decision = storage::decide_approval(tx, id, approve, std::nullopt, "cli");
    });
    if (code != 0) return code;
    if (in.json)
        in.out << base::json_text(boost::json::object{
                      {"approval_id", id},
                      {"done", decision.done},
                      {"state", decision.state},
                      {"code", decision.code},
                      {"detail", decision.detail}})
               << '\n';
    else if (decision.done)
        in.out << id << " is " << decision.state << '\n';
    else
        in.err << "postrider: " << id << ": " << decision.detail << '\n';
    return decision.done ? 0 : 1;
}

} // namespace

namespace commands {

extern constinit command const approvals_list{
    .path = "approvals list",
    .summary = "List approvals: each call, its requester and its deadline",
    .example = "postrider approvals list --all",
    .prepare = with_options<declare_approval_list, list_approvals>};

extern constinit command const approvals_approve{
    .path = "approvals approve",
    .summary = "Let the call run; its turn continues",
    .example = "postrider approvals approve V1StGXR8_Z5jdHi6B-myT",
    .prepare = with_options<declare_approval, decide<true>>};

extern constinit command const approvals_reject{
    .path = "approvals reject",
    .summary = "Refuse the call; its turn continues and the model gets the refusal",
    .example = "postrider approvals reject V1StGXR8_Z5jdHi6B-myT",
    .prepare = with_options<declare_approval, decide<false>>};

} // namespace commands

} // namespace postrider::cli
