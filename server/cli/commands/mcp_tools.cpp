// `mcp tools`: what the configured servers of the Model Context Protocol offer, asked of them now, and
// which of it models' servers have refused.
#include "agent/flow/parts/mcp_tool.hpp"
#include "agent/mcp/pin.hpp"
#include "base/json/text.hpp"
#include "server/cli/database_work.hpp"
#include "server/cli/mcp_offers.hpp"
#include "server/cli/online_work.hpp"
#include "server/cli/options.hpp"
#include "server/cli/parser/suggestion.hpp"
#include "server/cli/table.hpp"
#include "server/start/config.hpp"
#include "server/start/local_database.hpp"
#include "storage/stores/refused_tools.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

#include <ostream>
#include <sstream>

namespace postrider::cli {

namespace {

namespace json = boost::json;
namespace mcp = agent::mcp;

struct mcp_tools_arguments {
    std::string server;
};

void declare_mcp_tools(option_parser& parser, mcp_tools_arguments& args) {
    parser.add_option("SERVER", args.server, "Only this `[mcp.SERVER]`");
}

// Longer than a handshake and a list take by their own limits.
constexpr base::duration mcp_tools_patience = std::chrono::minutes{2};

std::string hints_of(mcp::tool_annotations const& hints) {
    if (hints.read_only) return "only reads";
    std::string text = hints.destructive ? "may destroy" : "changes";
    if (hints.idempotent) text += ", repeatable";
    return text;
}

json::object tool_json(std::string const& server, mcp::tool_definition const& tool) {
    json::object result{
        {"name", server + "_" + tool.name},
        {"offered_as", agent::flow::mcp_tool_name(server, tool.name)},
        {"description", tool.description},
        {"read_only", tool.annotations.read_only},
        {"destructive", tool.annotations.destructive},
        {"idempotent", tool.annotations.idempotent},
        {"open_world", tool.annotations.open_world},
        {"input_schema", tool.input_schema},
        {"digest", mcp::digest(tool)}};
    if (tool.output_schema) result["output_schema"] = *tool.output_schema;
    return result;
}

using refusals = std::vector<storage::refused_tool_row>;

// Where no database can be read, nothing is known of any: what the servers offer is shown all the same.
refusals read_refusals(context const& in) {
    refusals result;
    auto const db = open_database(in);
    if (!db) return result;
    try {
        (void)look_into(db->options, [&](storage::transaction& tx) {
            result = storage::refused_tools(tx);
        });
    } catch (storage::database_error const&) { // a schema of an earlier version
        result.clear();
    }
    return result;
}

refusals of_server(refusals refusals_of_all, std::string const& server) {
    std::erase_if(refusals_of_all, [&](auto const& row) {
        return !row.tool.starts_with(server + "_");
    });
    return refusals_of_all;
}

json::array notes_json(std::vector<mcp::tool_note> const& notes) {
    json::array result;
    for (auto const& [name, reason] : notes)
        result.push_back(json::object{{"name", name}, {"reason", reason}});
    return result;
}

json::object offer_json(
    std::string const& server, mcp_offer const& offered, refusals const& refused
) {
    if (offered.failure) return {{"server", server}, {"error", base::to_string(*offered.failure)}};
    json::array tools;
    for (auto const& tool : offered.list.tools) tools.push_back(tool_json(server, tool));
    json::array by_models;
    for (auto const& [model, name, reason, day] : refused)
        by_models.push_back(json::object{
            {"name", name}, {"model", model}, {"reason", reason}, {"refused_at", day}});
    return {
        {"server", server},
        {"revision", offered.agreed.revision},
        {"tools", std::move(tools)},
        {"dropped", notes_json(offered.list.dropped)},
        {"unchecked", notes_json(offered.list.unchecked)},
        {"refused", std::move(by_models)}};
}

// What it wrote to its standard error, each line with its name.
void print_last_words(context const& in, std::string const& server, std::string const& words) {
    std::istringstream lines(words);
    for (std::string line; std::getline(lines, line);)
        in.err << fmt::format("  {}: {}\n", server, printable(line));
}

void print_offer(
    context const& in, std::string const& server, mcp_offer const& offered, refusals const& refused
) {
    if (offered.failure) {
        in.err << fmt::format(
            "postrider: cannot ask {}: {}\n", server, printable(offered.failure->detail)
        );
        print_last_words(in, server, offered.diagnostics);
        return;
    }
    constexpr std::size_t width = 72;
    std::vector<cells> lines;
    for (auto const& tool : offered.list.tools)
        lines.push_back(
            {server + "_" + tool.name,
             hints_of(tool.annotations),
             one_line(tool.description, width)}
        );
    in.out << fmt::format(
        "{} {} {} ({})\n",
        server,
        printable(offered.agreed.server_name),
        printable(offered.agreed.server_version),
        offered.agreed.revision
    );
    in.out << table({"TOOL", "HINTS", "DESCRIPTION"}, lines);
    for (auto const& tool : offered.list.tools) {
        auto const name = server + "_" + tool.name;
        auto const offered_as = agent::flow::mcp_tool_name(server, tool.name);
        if (offered_as != name)
            in.err << fmt::format("Offered to models as {}: {}\n", offered_as, name);
    }
    for (auto const& [name, reason] : offered.list.dropped)
        in.err << fmt::format("Left out: {} {}\n", printable(name), printable(reason));
    for (auto const& [name, reason] : offered.list.unchecked)
        in.err << fmt::format("Not checked: {} {}\n", printable(name), printable(reason));
    for (auto const& [model, name, reason, day] : refused)
        in.err << fmt::format(
            "Refused by {} on {}: {}: {}\n", printable(model), day, name, printable(reason)
        );
}

int run_mcp_tools(context const& in, mcp_tools_arguments const& args) {
    auto const& servers = in.configured.values.mcp_servers;
    if (!args.server.empty() && !servers.contains(args.server)) {
        std::vector<std::string> names;
        for (auto const& [name, options] : servers) names.push_back(name);
        in.err << fmt::format(
            "postrider: there is no [mcp.{}]{}.\n",
            args.server,
            hint_and(suggestion(args.server, names), "`postrider check` shows all")
        );
        return 1;
    }
    if (servers.empty()) in.err << "No [mcp.NAME] is configured.\n";
    keep_log_quiet(in);
    mcp_servers chosen;
    for (auto const& [name, options] : servers)
        if (args.server.empty() || name == args.server) chosen.emplace(name, options);
    auto const answers = run_online([&](net::http_client& http) {
        return ask_mcp_servers(http, std::move(chosen), mcp_tools_patience);
    });
    auto const refused = servers.empty() ? refusals() : read_refusals(in);
    json::array tools;
    bool answered = true;
    for (auto const& [name, offered] : answers) {
        answered = answered && !offered.failure;
        if (in.json)
            tools.push_back(offer_json(name, offered, of_server(refused, name)));
        else
            print_offer(in, name, offered, of_server(refused, name));
    }
    if (in.json) in.out << base::json_text(json::object{{"servers", std::move(tools)}}) << '\n';
    return answered ? 0 : 1;
}

} // namespace

namespace commands {

extern constinit command const mcp_tools{
    .path = "mcp tools",
    .summary = "List what the configured servers offer",
    .example = "postrider mcp tools files",
    .prepare = with_options<declare_mcp_tools, run_mcp_tools>};

} // namespace commands

} // namespace postrider::cli
