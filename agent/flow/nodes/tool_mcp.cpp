#include "agent/flow/node_type.hpp"
#include "agent/flow/parts/mcp_tool.hpp"
#include "agent/flow/parts/model_step.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/flow/parts/tools.hpp"
#include "agent/mcp/pin.hpp"
#include "base/json/json.hpp"
#include "base/json/ordered.hpp"
#include "base/log.hpp"
#include "net/digest.hpp"
#include "storage/stores/mcp_tools.hpp"
#include "storage/stores/tool_catalogs.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>

#include <algorithm>
#include <map>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

using namespace std::chrono_literals;

constexpr base::duration pins_deadline = 10s;    // of a server's pins
constexpr base::duration kept_deadline = 2s;     // whether a list is there already
constexpr base::duration catalog_deadline = 10s; // of a list that an earlier run was told of

// A server that does not answer now is not waited for again in this turn. Each is waited for by itself,
// so that none takes the others' time.
base::retry_policy listing_tries(mcp::servers const* servers) {
    auto const time_limit =
        pins_deadline + kept_deadline + (servers ? servers->patience() : base::duration{0}) + 5s;
    return {.limit = 0, .timeout = std::chrono::ceil<std::chrono::milliseconds>(time_limit)};
}

std::vector<std::string> tool_names_in(json::object const& parameters, std::string_view member) {
    std::vector<std::string> names;
    for (auto const& name : parameters.at(member).as_array()) names.emplace_back(name.as_string());
    return names;
}

bool has(std::vector<std::string> const& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

// What a server says of its tools now, compared with what was agreed to.
struct listing {
    json::object answer;               // as it is recorded
    json::array tools;                 // its catalog
    std::vector<storage::write> notes; // for the commit that records the answer
};

bool is_agreed(
    std::string const& server,
    mcp::tool_definition const& tool,
    storage::mcp_pin const* pin,
    std::vector<storage::write>& notes
) {
    auto const digest = mcp::digest(tool);
    bool const is_unchanged = !pin || pin->digest == digest;
    bool const is_known = pin && pin->waiting == (is_unchanged ? std::string() : digest);
    if (is_known) return is_unchanged;
    notes.push_back(storage::note_mcp_tool(server, tool.name, digest, json::value(to_json(tool))));
    if (!is_unchanged)
        base::log::warn("mcp.tool_changed", {{"server", server}, {"tool", tool.name}});
    return is_unchanged;
}

base::awaitable<base::result<listing>> list_tools_of(
    node_services const& services, std::string server
) {
    if (!services.servers)
        co_return base::error(base::errc::not_found, "no servers are configured here");
    auto const listed = co_await services.servers->list_tools(server);
    if (!listed) co_return listed.error();
    auto const pins = co_await storage::read_mcp_pins(services.reads, server, pins_deadline);
    if (!pins) co_return pins.error();
    json::array left_out;
    listing current;
    for (auto const& tool : **listed) {
        auto const pin = pins->find(tool.name);
        auto const* const agreed = pin == pins->end() ? nullptr : &pin->second;
        if (is_agreed(server, tool, agreed, current.notes))
            current.tools.push_back(to_json(tool));
        else
            left_out.push_back(json::value(tool.name));
    }
    json::value const tools(current.tools);
    auto const digest = net::sha256_hex(base::ordered_json(tools));
    auto const stored = co_await storage::keeps_tool_catalog(services.reads, digest, kept_deadline);
    if (!stored || !*stored) current.notes.push_back(storage::keep_tool_catalog(digest, tools));
    current.answer = {{"catalog", digest}, {"left_out", std::move(left_out)}};
    co_return current;
}

base::awaitable<void> list_into(
    listing& result, node_services const& services, std::string server
) {
    auto listed = co_await list_tools_of(services, std::move(server));
    if (listed)
        result = std::move(*listed);
    else
        result = {
            .answer = {{"error", base::to_string(listed.error().code)}}, .tools = {}, .notes = {}};
}

using listings = std::map<std::string, listing>; // by server

// At once: the slowest one is waited for, not their sum.
base::awaitable<void> ask_all(listings& by_server, node_services const& services) {
    namespace asio = base::asio;
    auto const executor = co_await asio::this_coro::executor;
    std::vector<decltype(asio::co_spawn(executor, base::awaitable<void>(), asio::deferred))> asking;
    for (auto& [server, slot] : by_server)
        asking.push_back(asio::co_spawn(executor, list_into(slot, services, server), asio::deferred)
        );
    auto [order, thrown] = co_await asio::experimental::make_parallel_group(std::move(asking))
                               .async_wait(asio::experimental::wait_for_all(), asio::use_awaitable);
    for (auto const& failure : thrown)
        if (failure) std::rethrow_exception(failure);
}

// By server {"catalog": the digest of its tools}, which every turn has alike, with the names of what was
// "left_out" since it changed; of one that failed {"error": its class}: the agent goes on without it.
base::awaitable<queue::step_value> list_all(
    listings& by_server, node_services const& services, std::vector<std::string> servers
) {
    by_server.clear();
    for (auto& server : servers) by_server.emplace(std::move(server), listing());
    co_await ask_all(by_server, services);
    json::object answers;
    for (auto& [server, listed] : by_server) answers[server] = std::move(listed.answer);
    co_return json::value(std::move(answers));
}

// {"tools": […]} in the form of the protocol; nothing of a server that failed. Of this run's listings, or
// as it was kept. Records of earlier versions hold the tools themselves.
base::awaitable<base::result<json::object>> page_of(
    node_services const& services, json::object const& answer, listing const* current
) {
    json::object page;
    if (current && !answer.contains("error")) {
        page["tools"] = current->tools;
        co_return page;
    }
    auto const* digest = answer.if_contains("catalog");
    if (!digest) co_return answer;
    std::string const name(digest->as_string());
    auto stored = co_await storage::read_tool_catalog(services.reads, name, catalog_deadline);
    if (!stored && base::retryable(stored.error().code))
        throw queue::not_here{stored.error().detail};
    if (!stored) co_return stored.error();
    if (!*stored)
        co_return base::error(
            base::errc::not_found, "the list of tools " + name + " is not kept any more"
        );
    page["tools"] = std::move(**stored);
    co_return page;
}

// In an earlier run: by any of the agent's models, or by the rules.
bool was_answered(queue::workflow const& steps) {
    for (int node = 1; node <= bounds::most_models; ++node)
        for (int entry = 1; entry <= bounds::most_models; ++entry)
            if (steps.recorded(model_step(node, entry))) return true;
    return steps.recorded(rules_step);
}

base::awaitable<base::result<tool_part>> make_mcp_tools(part_run& run) {
    auto* const servers = run.services.servers;
    auto server_names = tool_names_in(run.parameters, "servers");
    tool_part part;
    // What the servers told an earlier run of the job is what it has, whichever are configured by now.
    bool const was_recorded = run.steps.recorded(run.step);
    if (!was_recorded && was_answered(run.steps)) {
        // An earlier run had no server to ask, and its model was offered nothing of them.
        part.lasting = false;
        co_return part;
    }
    for (auto const& name : server_names)
        if (!was_recorded && servers && !servers->find(name))
            co_return base::error(
                base::errc::not_found, "no server is configured as [mcp." + name + "]"
            );
    if (server_names.empty() && servers) server_names = servers->names();
    // Where none is configured, none will be.
    part.lasting = !was_recorded && servers && servers->names().empty();
    if (server_names.empty() && !was_recorded) co_return part;

    listings by_server;
    auto list_tools_of = [&] { return list_all(by_server, run.services, server_names); };
    auto const tries = listing_tries(servers);
    auto const listed = co_await run.steps.try_step(run.step, tries, list_tools_of);
    if (!listed) co_return listed.error();
    for (auto& [server, listing] : by_server)
        for (auto& note : listing.notes) run.steps.add(std::move(note));
    auto const allowed = tool_names_in(run.parameters, "tools");
    auto is_chosen = [&](std::string const& name) { return allowed.empty() || has(allowed, name); };
    for (auto const& [server, answer] : listed->as_object()) {
        listing const* current = nullptr;
        if (auto const entry = by_server.find(std::string(server)); entry != by_server.end())
            current = &entry->second;
        for (auto const& tool : base::json_reader{answer}["left_out"].items_or_none())
            if (is_chosen(mcp_tool_name(server, tool.string_or("")))) part.whole = false;
        auto page_json = co_await page_of(run.services, answer.as_object(), current);
        if (!page_json) co_return page_json.error();
        auto page = mcp::read_tool_page(json::value(std::move(*page_json)));
        if (!page) { // it failed
            part.whole = false;
            continue;
        }
        for (auto const& tool : page->tools) {
            auto offered = offer_mcp_tool(servers, std::string(server), tool);
            if (is_chosen(offered.spec.name)) part.tools.push_back(std::move(offered));
        }
    }
    co_return part;
}

} // namespace

behaviour tool_mcp_behaviour() {
    auto behaviour = part_of(ai_tool, make_mcp_tools);
    // The server says which of its tools have a high risk.
    behaviour.needs_approval = [](json::object const&) { return true; };
    return behaviour;
}

} // namespace postrider::agent::flow
