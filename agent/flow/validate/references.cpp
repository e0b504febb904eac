#include "agent/flow/validate/references.hpp"

#include "agent/flow/parts/mcp_tool.hpp"
#include "agent/knowledge/collections.hpp"
#include "base/ascii.hpp"
#include "base/sort_by.hpp"
#include "base/texts.hpp"
#include "base/time_zone.hpp"
#include "storage/stores/bots.hpp"
#include "storage/stores/flows.hpp"
#include "storage/stores/mcp_tools.hpp"
#include "storage/stores/sessions.hpp"

#include <algorithm>
#include <array>

namespace postrider::agent::flow {

namespace {

bool contains_text(std::string const& within, std::string const& text) {
    return base::to_lower(within).find(text) != std::string::npos;
}

// Of all options, those of the page.
std::vector<option> page_of(std::vector<option> options, option_query const& query) {
    auto const search = base::to_lower(query.search);
    std::erase_if(options, [&](option const& entry) {
        return entry.name <= query.after ||
               !(contains_text(entry.name, search) || contains_text(entry.title, search));
    });
    base::stable_sort_by(options, [](option const& entry) { return std::string_view(entry.name); });
    if (std::ssize(options) > query.limit) options.resize(static_cast<std::size_t>(query.limit));
    return options;
}

std::vector<option> page_of(std::vector<std::string> const& names, option_query const& query) {
    std::vector<option> options;
    options.reserve(names.size());
    for (auto const& name : names) options.push_back({name});
    return page_of(std::move(options), query);
}

std::vector<option> bot_options(
    storage::transaction& tx, validation_context const& context, option_query const& query
) {
    auto const& configured = context.names_of("bot");
    return page_of(configured.empty() ? storage::bot_names(tx) : configured, query);
}

std::vector<option> collection_options(
    storage::transaction& tx, validation_context const&, option_query const& query
) {
    std::vector<option> options;
    for (auto& row : knowledge::collection_options(tx, query.search, query.after, query.limit))
        options.push_back({std::move(row.name), std::move(row.description)});
    return options;
}

std::vector<option> credential_options(
    storage::transaction&, validation_context const& context, option_query const& query
) {
    return page_of(context.names_of("credential"), query);
}

std::vector<option> flow_options(
    storage::transaction& tx, validation_context const&, option_query const& query
) {
    std::vector<std::string> names;
    for (auto& row : storage::list_published(tx)) names.push_back(std::move(row.name));
    return page_of(names, query);
}

std::vector<option> mcp_server_options(
    storage::transaction&, validation_context const& context, option_query const& query
) {
    return page_of(context.names_of("mcp_server"), query);
}

// As models know them.
std::vector<option> mcp_tool_options(
    storage::transaction& tx, validation_context const&, option_query const& query
) {
    std::vector<option> options;
    for (auto const& row : storage::known_mcp_tools(tx))
        options.push_back({mcp_tool_name(row.server, row.tool), row.server + ": " + row.tool});
    return page_of(std::move(options), query);
}

std::vector<option> model_options(
    storage::transaction&, validation_context const& context, option_query const& query
) {
    std::vector<option> options;
    for (auto const& name : context.names_of("model")) {
        auto const providers = context.providers.find(name);
        options.push_back({name});
        if (providers != context.providers.end())
            options.back().title = base::joined(providers->second, ", ");
    }
    return page_of(std::move(options), query);
}

std::vector<option> secret_options(
    storage::transaction&, validation_context const& context, option_query const& query
) {
    return page_of(context.names_of("secret"), query);
}

std::vector<option> session_options(
    storage::transaction& tx, validation_context const&, option_query const& query
) {
    std::vector<option> options;
    for (auto& name : storage::session_names(tx, query.search, query.after, query.limit))
        options.push_back({std::move(name)});
    return options;
}

std::vector<option> time_zone_options(
    storage::transaction&, validation_context const&, option_query const& query
) {
    return page_of(base::time_zone_names(), query);
}

constexpr std::array<reference, 10> all_references{{
    {.name = "bot",
     .noun = "bot",
     .plural = "bots",
     .first = "Add [bots.NAME] to the configuration.",
     .unknown = "the configuration has no `[bots.NAME]` of that name",
     .options = bot_options},
    {.name = "collection",
     .noun = "collection",
     .plural = "collections",
     .first = "Add one on the page Knowledge, or with `postrider knowledge create NAME`.",
     .options = collection_options},
    {.name = "credential",
     .noun = "credential",
     .plural = "credentials",
     .first = "Add [credentials.NAME] to the configuration.",
     .unknown = "the configuration has no `[credentials.NAME]` of that name",
     .options = credential_options},
    {.name = "flow",
     .noun = "flow",
     .plural = "published flows",
     .first = "Publish one first.",
     .unknown = "there is no flow of that name",
     .includes_flow_itself = true,
     .options = flow_options},
    {.name = "mcp_server",
     .noun = "MCP server",
     .plural = "MCP servers",
     .first = "Add [mcp.NAME] to the configuration.",
     .unknown = "the configuration has no `[mcp.NAME]` of that name",
     .options = mcp_server_options},
    {.name = "mcp_tool",
     .noun = "MCP tool",
     .plural = "MCP tools",
     .first = "Add a server as [mcp.NAME] to the configuration. Its tools are listed once it has "
              "answered.",
     .options = mcp_tool_options},
    {.name = "model",
     .noun = "model",
     .plural = "models",
     .first = "Add [models.NAME] to the configuration.",
     .unknown = "the configuration has no `[models.NAME]` of that name",
     .options = model_options},
    {.name = "secret",
     .noun = "secret",
     .plural = "secrets",
     .first = "Add [secrets.NAME] to the configuration, or set POSTRIDER_SECRET_NAME.",
     .unknown = "the configuration has no secret of that name",
     .options = secret_options},
    {.name = "session",
     .noun = "session",
     .plural = "sessions",
     .first = "Type a name. A session begins with its first message.",
     .options = session_options},
    {.name = "timezone",
     .noun = "time zone",
     .plural = "time zones",
     .first = "Install the package tzdata on the server.",
     .options = time_zone_options},
}};

} // namespace

std::span<reference const> references() noexcept {
    return all_references;
}

} // namespace postrider::agent::flow
