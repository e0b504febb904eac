#include "agent/flow/run/untrusted_results.hpp"

#include "agent/flow/approvals/request.hpp"
#include "agent/flow/parts/mcp_tool.hpp"
#include "agent/flow/run/tool_runner.hpp"
#include "agent/loop/decide.hpp"
#include "agent/loop/untrusted_text.hpp"

#include <algorithm>
#include <map>

namespace postrider::agent::flow {

namespace {

// Compared whole: a server that says the same, word for word, says no more than that.
bool is_own_notice(
    std::string const& text,
    tool_call const& call,
    offered_tools const& tools,
    std::chrono::milliseconds approval_timeout
) {
    using approvals::verdict;
    if (text == limit_reached || text == in_doubt) return true;
    for (auto const refusal : {verdict::rejected, verdict::expired, verdict::withdrawn})
        if (text == approvals::refusal_text(refusal, approval_timeout)) return true;
    auto const checked = tools.check(call);
    return !checked && text == cut_to(checked.error().detail, usual_result_limit);
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

bool mark_results(
    std::vector<chat_message>& messages,
    offered_tools const& tools,
    std::chrono::milliseconds approval_timeout
) {
    bool marked = false;
    // Ids may come again in a later round: the last call before a result is its own.
    std::map<std::string_view, tool_call const*> asked;
    for (auto& message : messages) {
        for (auto const& call : message.calls) asked[call.id] = &call;
        if (message.role != role::tool) continue;
        auto const found = asked.find(message.call_id);
        auto const* call = found == asked.end() ? nullptr : found->second;
        auto const* offered = call ? tools.find(call->name) : nullptr;
        if (offered && !offered->returns_untrusted) continue;
        if (message.is_error && call &&
            is_own_notice(message.content, *call, tools, approval_timeout))
            continue;
        auto const source = call ? std::string_view(call->name) : std::string_view("tool");
        message.content = mark_untrusted(message.content, source);
        marked = true;
    }
    return marked;
}

} // namespace postrider::agent::flow
