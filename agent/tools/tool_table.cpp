#include "agent/tools/tool.hpp"

#include <array>

namespace postrider::agent {

// NAME.cpp of this folder defines the value.
extern tool const calculator_tool;
extern tool const cancel_reminder_tool;
extern tool const current_time_tool;
extern tool const forget_tool;
extern tool const get_user_info_tool;
extern tool const http_request_tool;
extern tool const list_reminders_tool;
extern tool const react_tool;
extern tool const read_messages_tool;
extern tool const recall_tool;
extern tool const remember_tool;
extern tool const remind_tool;
extern tool const schedule_tool;
extern tool const send_message_tool;
extern tool const set_timezone_tool;
extern tool const web_search_tool;

std::span<tool const* const> tools() noexcept {
    static constexpr std::array table{
        &calculator_tool,
        &cancel_reminder_tool,
        &current_time_tool,
        &forget_tool,
        &get_user_info_tool,
        &http_request_tool,
        &list_reminders_tool,
        &react_tool,
        &read_messages_tool,
        &recall_tool,
        &remember_tool,
        &remind_tool,
        &schedule_tool,
        &send_message_tool,
        &set_timezone_tool,
        &web_search_tool,
    };
    return table;
}

} // namespace postrider::agent
