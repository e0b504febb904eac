#include "agent/flow/run/untrusted_results.hpp"

#include "agent/flow/approvals/request.hpp"
#include "agent/flow/parts/mcp_tool.hpp"
#include "agent/loop/untrusted_text.hpp"
#include "agent/tools/call_refusal.hpp"

#include <algorithm>
#include <map>

namespace postrider::agent::flow {

namespace {

// A server's own failure may have a reason, but none of these.
bool is_own_notice(chat_message const& result) {
    if (!result.is_error) return false;
    auto const& reason = result.error_reason;
    return reason == call_refusal::limit || reason == call_refusal::unfit ||
           reason == call_refusal::in_doubt || verdict_of(reason);
}

} // namespace

bool offers_untrusted(offered_tools const& tools) {
    return std::ranges::any_of(tools.specs(), [&tools](tool_spec const& offered) {
        return tools.find(offered.name)->returns_untrusted;
    });
}

tool_names described_by_others(offered_tools const& tools) {
    tool_names names;
    for (auto const& offered : tools.specs())
        if (!mcp_server_of(*tools.find(offered.name)).empty()) names.insert(offered.name);
    return names;
}

bool mark_results(std::vector<chat_message>& messages, offered_tools const& tools) {
    bool marked = false;
    // Ids may come again in a later round: the last call before a result is its own.
    std::map<std::string_view, tool_call const*> calls_by_id;
    for (auto& message : messages) {
        for (auto const& call : message.calls) calls_by_id[call.id] = &call;
        if (message.role != role::tool) continue;
        auto const entry = calls_by_id.find(message.call_id);
        auto const* call = entry == calls_by_id.end() ? nullptr : entry->second;
        auto const* offered = call ? tools.find(call->name) : nullptr;
        if (offered && !offered->returns_untrusted) continue;
        if (call && is_own_notice(message)) continue;
        auto const source = call ? std::string_view(call->name) : std::string_view("tool");
        message.content = mark_untrusted(message.content, source);
        marked = true;
    }
    return marked;
}

} // namespace postrider::agent::flow
