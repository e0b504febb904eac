// Agents that have tools, and models that take none.
#include "agent/flow/parts/asked_models.hpp"
#include "agent/flow/parts/models.hpp"
#include "agent/flow/parts/tools.hpp"
#include "agent/flow/validate/inspection.hpp"

#include <fmt/format.h>

namespace postrider::agent::flow {

namespace {

// A node that the model hangs on, and that has tools, too; null: none.
node const* host_with_tools(inspection const& in, std::size_t model) {
    for (auto const& connection : in.flow.connections) {
        if (connection.type != ai_tool.name || in.flow.nodes[connection.from].disabled) continue;
        auto const& host = in.flow.nodes[connection.to];
        auto const& hosts = in.hosts_of[model];
        if (!host.disabled && std::ranges::find(hosts, connection.to) != hosts.end()) return &host;
    }
    return nullptr;
}

void check_tools_of(inspection& in, std::size_t at) {
    auto const& node = in.flow.nodes[at];
    auto const* model = in.type_of[at] ? std::get_if<part>(&in.type_of[at]->behaviour) : nullptr;
    if (node.disabled || !model || model->kind != &ai_model) return;
    auto const* host = host_with_tools(in, at);
    if (!host) return;
    for (auto const& asked : asked_models(node)) {
        auto const name = in.context.toolless_model(asked.entry, asked.name);
        if (name.empty()) continue;
        in.add(
            node,
            {.code = "model_without_tools",
             .path = node.path + asked.path,
             .message = fmt::format(
                 "the model {} takes no tools, but {} has some", name, in_quotes(host->name)
             ),
             .hint = "choose a model that takes tools: without them it answers by its words alone",
             .severity = severity::warning}
        );
    }
}

} // namespace

void check_models(inspection& in) {
    if (!in.context.toolless_model || in.unread.nodes || in.unread.connections) return;
    for (std::size_t at = 0; at < in.flow.nodes.size(); ++at) check_tools_of(in, at);
}

} // namespace postrider::agent::flow
