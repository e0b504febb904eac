// Tools, the servers of tools, and the consent to what these have changed.
#include "server/api/endpoints.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "server/views/tool_json.hpp"

#include <boost/json/array.hpp>

#include <algorithm>

namespace postrider::api {

namespace {

struct tool_query {
    std::string source;                // "own", "mcp"; "" = both
    std::string server;                // "" = every one
    storage::mcp_tool_name after = {}; // the server of a tool of ours is ""
    int limit = usual_page;
};

tool_query read_tool_query(parameters& query) {
    tool_query asked;
    asked.source = query.text("source").value_or("");
    if (!asked.source.empty() && asked.source != "own" && asked.source != "mcp")
        query.mistake("source is not own or mcp");
    asked.server = query.text("server").value_or("");
    if (auto const cursor = query.text("cursor", 2'000)) {
        auto const end = cursor->find('/');
        if (end == cursor->npos) query.mistake(std::string(wrong_cursor));
        asked.after = {cursor->substr(0, end), end == cursor->npos ? "" : cursor->substr(end + 1)};
    }
    asked.limit = read_limit(query);
    return asked;
}

// Ours come first, by name.
boost::json::array own_tools_of(
    tool_query const& query, server::config const& settings, server::tool_refusals const& refused
) {
    boost::json::array listed;
    if (query.source == "mcp" || !query.server.empty() || !query.after.server.empty())
        return listed;
    std::vector<agent::tool const*> tools(agent::tools().begin(), agent::tools().end());
    std::ranges::sort(tools, {}, &agent::tool::name);
    for (auto const* tool : tools)
        if (tool->name > query.after.tool && std::ssize(listed) < query.limit)
            listed.push_back(server::tool_json(*tool, settings.tools, refused));
    return listed;
}

std::string cursor_behind(boost::json::value const& tool) {
    auto const* server = tool.at("server").if_string();
    return (server ? std::string(*server) : "") + "/" + std::string(tool.at("tool").as_string());
}

planned list_tools(server::config const& settings, net::http_request const& request) {
    parameters query(request);
    auto const asked = read_tool_query(query);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([asked, &settings](storage::transaction& tx) {
        auto const refused = storage::refused_tools(tx);
        auto tools = own_tools_of(asked, settings, refused);
        auto const free_rows = asked.limit - static_cast<int>(tools.size());
        auto const after = asked.after.server.empty() ? storage::mcp_tool_name{} : asked.after;
        if (asked.source != "own" && free_rows > 0)
            for (auto const& tool : storage::list_mcp_tools(tx, asked.server, after, free_rows))
                tools.push_back(server::tool_json(tool, settings.tools, refused));
        boost::json::object body;
        if (std::ssize(tools) >= asked.limit) body["next"] = cursor_behind(tools.back());
        body["tools"] = std::move(tools);
        return json_answer(200, body);
    });
}

planned list_mcp_servers(installation const& installed, net::http_request const& request) {
    parameters query(request);
    auto const after = query.text("cursor").value_or("");
    auto const limit = read_limit(query);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    auto const& configured = installed.settings.mcp_servers;
    return work(
        [states = installed.servers.states(), &configured, after, limit](storage::transaction& tx) {
            auto const counts = storage::count_mcp_tools(tx);
            boost::json::array servers;
            boost::json::object body;
            for (auto const& state : states) {
                auto const options = configured.find(state.name);
                if (state.name <= after || options == configured.end()) continue;
                auto const known = counts.find(state.name);
                servers.push_back(server::mcp_server_json(
                    options->second,
                    state,
                    known == counts.end() ? storage::mcp_tool_counts{} : known->second
                ));
                if (std::ssize(servers) < limit) continue;
                body["next"] = state.name;
                break;
            }
            body["servers"] = std::move(servers);
            return json_answer(200, body);
        }
    );
}

net::http_response nothing_to_accept(
    storage::transaction& tx, std::string const& server, std::string const& tool
) {
    for (auto const& waiting : storage::waiting_mcp_tools(tx))
        if (waiting.server == server && (tool.empty() || waiting.tool == tool))
            return net::http_response::problem(
                409,
                "definition_changed",
                "the definition that waits has another digest: read it again"
            );
    return net::http_response::problem(404, "not_found", "no tool of this name waits for consent");
}

planned accept_tools(net::http_request const& request) {
    parameters query(request);
    members body(request);
    auto const server = path_text(request, "name", query);
    auto const tool = body.text("tool").value_or("");
    auto const digest = body.text("digest").value_or("");
    if (auto const wrong = mistakes_of(query, body); !wrong.empty()) return invalid(wrong);
    return work([server, tool, digest](storage::transaction& tx) {
        auto const accepted = storage::accept_mcp_tools(tx, server, tool, digest);
        if (accepted.empty()) return nothing_to_accept(tx, server, tool);
        boost::json::array tools;
        for (auto const& change : accepted)
            tools.push_back(boost::json::object{
                {"server", change.server}, {"tool", change.tool}, {"digest", change.digest}});
        return json_answer(200, {{"accepted", std::move(tools)}});
    });
}

} // namespace

std::vector<endpoint> tool_endpoints(resources const& resources) {
    if (!resources.installed) return {};
    auto const& installed = *resources.installed;
    auto tools = [&settings = installed.settings](net::http_request const& request) {
        return list_tools(settings, request);
    };
    auto servers = [installed](net::http_request const& request) {
        return list_mcp_servers(installed, request);
    };
    return {
        {"GET", "/api/v1/tools", in_a_transaction(tools)},
        {"GET", "/api/v1/mcp-servers", in_a_transaction(servers)},
        {"POST", "/api/v1/mcp-servers/{name}/accept", in_a_transaction(accept_tools)}};
}

} // namespace postrider::api
