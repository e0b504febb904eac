// `mcp accept`: an owner's consent to what a server says of its tools by now.
#include "base/json/text.hpp"
#include "server/cli/database_work.hpp"
#include "server/cli/options.hpp"
#include "server/cli/parser/suggestion.hpp"
#include "server/cli/table.hpp"
#include "server/start/config.hpp"
#include "storage/stores/mcp_tools.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace postrider::cli {

namespace {

namespace json = boost::json;

constexpr std::size_t shown_of_digest = 12;

struct mcp_accept_arguments {
    std::string server;
    std::string tool;
    std::string digest;
};

void declare_mcp_accept(option_parser& parser, mcp_accept_arguments& args) {
    parser.add_option("SERVER", args.server, "Of this `[mcp.SERVER]`; none = show what waits")
        ->check(some_text());
    parser.add_option("TOOL", args.tool, "Only this tool of it")->check(some_text());
    parser.add_option("--digest", args.digest, "Only what was shown with this digest")
        ->check(some_text());
}

json::object waiting_json(storage::waiting_mcp_tool const& tool) {
    return {
        {"server", tool.server},
        {"tool", tool.tool},
        {"digest", tool.digest},
        {"agreed", tool.agreed},
        {"offered", tool.offered}};
}

std::string shown(json::value const* member) {
    if (!member) return "(nothing)";
    auto const* text = member->if_string();
    return printable(text ? std::string(*text) : base::json_text(*member));
}

// Whole, however long: a short form could hide what is agreed to.
std::string differences(json::object const& was, json::object const& is) {
    std::string text;
    auto const compare = [&](std::string_view name) {
        auto const* before = was.if_contains(name);
        auto const* now = is.if_contains(name);
        if (before && now && *before == *now) return;
        text += fmt::format("  {}\n    was  {}\n    is   {}\n", name, shown(before), shown(now));
    };
    for (auto const& [name, value] : was) compare(name);
    for (auto const& [name, value] : is)
        if (!was.contains(name)) compare(name);
    return text;
}

std::string waiting_text(std::vector<storage::waiting_mcp_tool> const& tools) {
    std::string text;
    for (auto const& tool : tools)
        text += fmt::format(
            "{} {}  digest {}\n{}",
            printable(tool.server),
            printable(tool.tool),
            tool.digest.substr(0, shown_of_digest),
            differences(tool.agreed.as_object(), tool.offered.as_object())
        );
    return text;
}

// What was named waits, in another text than was looked at.
bool is_another_text(
    mcp_accept_arguments const& args, std::vector<storage::waiting_mcp_tool> const& waiting
) {
    return !args.digest.empty() && std::ranges::any_of(waiting, [&](auto const& tool) {
        return tool.server == args.server && (args.tool.empty() || tool.tool == args.tool);
    });
}

// Of what was named and does not wait: the server, or a tool of it, that was probably meant.
std::string hint_for(
    context const& in,
    mcp_accept_arguments const& args,
    std::vector<storage::waiting_mcp_tool> const& waiting
) {
    std::vector<std::string> servers;
    std::vector<std::string> tools;
    for (auto const& [name, server] : in.configured.values.mcp_servers) servers.push_back(name);
    for (auto const& tool : waiting) {
        servers.push_back(tool.server);
        if (tool.server == args.server) tools.push_back(tool.tool);
    }
    auto const hint = suggestion(args.server, servers);
    return hint.empty() && !args.tool.empty() ? suggestion(args.tool, tools) : hint;
}

int run_mcp_accept(context const& in, mcp_accept_arguments const& args) {
    std::vector<storage::waiting_mcp_tool> tools;
    std::string hint;
    bool other_digest = false;
    bool const shows = args.server.empty();
    int const code = in_database(in, "read the tools", [&](storage::transaction& tx) {
        tools = shows ? storage::waiting_mcp_tools(tx)
                      : storage::accept_mcp_tools(tx, args.server, args.tool, args.digest);
        hint.clear();
        if (shows || !tools.empty()) return;
        auto const waiting = storage::waiting_mcp_tools(tx);
        other_digest = is_another_text(args, waiting);
        hint = hint_for(in, args, waiting);
    });
    if (code != 0) return code;
    if (in.json) {
        json::array all;
        for (auto const& tool : tools) all.push_back(waiting_json(tool));
        in.out << base::json_text(json::object{{shows ? "waiting" : "accepted", std::move(all)}})
               << '\n';
        return 0;
    }
    if (other_digest) {
        in.err << "The waiting change has another digest; `postrider mcp accept` shows it.\n";
        return 1;
    }
    if (tools.empty()) {
        in.err << (shows ? "No tool" : "Nothing of that") << " waits for consent"
               << (hint.empty() ? "." : printable(hint)) << '\n';
        return shows ? 0 : 1;
    }
    in.out << waiting_text(tools);
    in.err
        << (shows ? "Agree to what is shown: postrider mcp accept SERVER TOOL --digest DIGEST; to "
                    "whatever a server says by then: postrider mcp accept SERVER\n"
                  : "Accepted; agents have them from the next turn on.\n");
    return 0;
}

} // namespace

namespace commands {

extern constinit command const mcp_accept{
    .path = "mcp accept",
    .summary = "Agree to definitions of tools that a server has changed; alone: show them",
    .example = "postrider mcp accept files read_file --digest 3fa9c1d2e4b5",
    .prepare = with_options<declare_mcp_accept, run_mcp_accept>};

} // namespace commands

} // namespace postrider::cli
