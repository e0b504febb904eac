// `mcp accept`: an owner's consent to what a server says of its tools by now.
#include "base/json.hpp"
#include "base/json_text.hpp"
#include "server/cli/database_work.hpp"
#include "server/cli/options.hpp"
#include "server/cli/table.hpp"
#include "storage/stores/mcp_tools.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

namespace {

namespace json = boost::json;

constexpr std::size_t shown_of_digest = 12;

struct arguments {
    std::string server;
    std::string tool;
    std::string digest;
};

void declare(CLI::App& parser, arguments& args) {
    parser.add_option("SERVER", args.server, "Of this `[mcp.SERVER]`; none = show what waits")
        ->check(some_text());
    parser.add_option("TOOL", args.tool, "Only this tool of it")->check(some_text());
    parser.add_option("--digest", args.digest, "Only what was shown with this digest")
        ->check(some_text());
}

json::object to_json(storage::waiting_mcp_tool const& tool) {
    return {
        {"server", tool.server},
        {"tool", tool.tool},
        {"digest", tool.digest},
        {"agreed", tool.agreed},
        {"offered", tool.offered}};
}

std::string description_of(json::value const& definition) {
    return one_line(base::json_reader{definition}["description"].string_or(""), 60);
}

std::string to_text(std::vector<storage::waiting_mcp_tool> const& tools) {
    std::vector<cells> lines;
    for (auto const& tool : tools)
        lines.push_back(
            {tool.server,
             tool.tool,
             tool.digest.substr(0, shown_of_digest),
             description_of(tool.agreed),
             description_of(tool.offered)}
        );
    return table({"server", "tool", "digest", "was", "is"}, lines);
}

int run(context const& in, arguments const& args) {
    std::vector<storage::waiting_mcp_tool> tools;
    bool const shows = args.server.empty();
    int const code = in_database(in, "read the tools", [&](storage::transaction& tx) {
        tools = shows ? storage::waiting_mcp_tools(tx)
                      : storage::accept_mcp_tools(tx, args.server, args.tool, args.digest);
    });
    if (code != 0) return code;
    if (in.json) {
        json::array all;
        for (auto const& tool : tools) all.push_back(to_json(tool));
        in.out << base::json_text(json::object{{shows ? "waiting" : "accepted", std::move(all)}})
               << '\n';
        return 0;
    }
    if (tools.empty()) {
        in.err << (shows ? "No tool waits for consent.\n" : "Nothing of that waits for consent.\n");
        return shows ? 0 : 1;
    }
    in.out << to_text(tools);
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
    .prepare = with_options<declare, run>};

} // namespace commands

} // namespace postrider::cli
