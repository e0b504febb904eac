#include "agent/tools/tool.hpp"

#include <array>

namespace postrider::agent {

// NAME.cpp of this folder defines the value.
extern tool const calculator_tool;
extern tool const current_time_tool;
extern tool const http_request_tool;
extern tool const web_search_tool;

std::span<tool const* const> tools() noexcept {
    static constexpr std::array table{
        &calculator_tool,
        &current_time_tool,
        &http_request_tool,
        &web_search_tool,
    };
    return table;
}

} // namespace postrider::agent
