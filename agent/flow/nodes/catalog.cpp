#include "agent/flow/catalog.hpp"

#include "agent/flow/nodes/models.hpp"
#include "agent/flow/nodes/tools.hpp"

namespace postrider::agent::flow {

// NAME.cpp of this folder defines `node_type describe_NAME()`.
#define POSTRIDER_ADD(name)                                                                        \
    {                                                                                              \
        extern node_type describe_##name();                                                        \
        types.add(describe_##name());                                                              \
    }

catalog builtin_types() {
    catalog types;
    POSTRIDER_ADD(agent)
    POSTRIDER_ADD(call_flow)
    POSTRIDER_ADD(chat)
    POSTRIDER_ADD(http_respond)
    POSTRIDER_ADD(if)
    POSTRIDER_ADD(manual)
    POSTRIDER_ADD(memory_buffer)
    POSTRIDER_ADD(memory_clear)
    POSTRIDER_ADD(memory_conversation)
    POSTRIDER_ADD(memory_window)
    POSTRIDER_ADD(schedule)
    POSTRIDER_ADD(set)
    POSTRIDER_ADD(stop)
    POSTRIDER_ADD(switch)
    POSTRIDER_ADD(telegram_ask)
    POSTRIDER_ADD(telegram_delete)
    POSTRIDER_ADD(telegram_edit)
    POSTRIDER_ADD(telegram_message)
    POSTRIDER_ADD(telegram_react)
    POSTRIDER_ADD(telegram_send)
    POSTRIDER_ADD(tool_ask_user)
    POSTRIDER_ADD(tool_flow)
    POSTRIDER_ADD(tool_mcp)
    POSTRIDER_ADD(tool_todo)
    POSTRIDER_ADD(wait)
    POSTRIDER_ADD(webhook)
    for (auto& type : describe_models()) types.add(std::move(type));
    for (auto& type : describe_tools()) types.add(std::move(type));
    return types;
}

#undef POSTRIDER_ADD

} // namespace postrider::agent::flow
