#include "server/cli/kinds.hpp"

#include "agent/flow/start/execution_input.hpp"

#include <array>

namespace postrider::cli {

std::span<std::string const> known_kinds() {
    static std::array const kinds{
        std::string(agent::flow::turn_kind), std::string(agent::flow::flow_kind)};
    return kinds;
}

} // namespace postrider::cli
