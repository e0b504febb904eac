#include "server/start/shipped_flows.hpp"

#include "agent/flow/library/lifecycle.hpp"
#include "base/log.hpp"

#include <array>
#include <string>

namespace postrider::server {

void ship_flows(storage::transaction& tx, chatbot_config const& chatbot) {
    using storage::shipping;
    auto const group_bot = chatbot_flow(chatbot);
    struct shipped {
        std::string_view name;
        std::string_view document;
        shipping manner;
    };
    std::array const flows{
        shipped{"assistant", assistant_flow(), shipping::newer},
        shipped{"todo", todo_flow(), shipping::newer},
        shipped{"claudir", group_bot, shipping::as_configured}};
    auto const types = agent::flow::builtin_types();
    for (auto const& [name, document, manner] : flows) {
        auto const outcome = agent::flow::ship(tx, document, types, manner);
        if (outcome == storage::shipped_outcome::unchanged) continue;
        base::log::info("flows.shipped", {{"flow", name}, {"outcome", to_string(outcome)}});
    }
}

} // namespace postrider::server
