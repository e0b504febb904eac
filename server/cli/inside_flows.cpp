// The published flows.
#include "agent/flow/library/failing_flows.hpp"
#include "server/cli/inside.hpp"

#include <fmt/format.h>

namespace postrider::cli {

findings look_at_flows(storage::transaction& tx, agent::flow::validator const& by) {
    findings all;
    for (auto const& flow : agent::flow::failing_flows(tx, by)) {
        auto const more = flow.errors.size() - 1;
        all.push_back(
            {"flow " + flow.name,
             verdict::warn,
             "it is published and does not fit any more: " + to_text(flow.errors.front()) +
                 (more > 0 ? fmt::format(", and {} more", more) : ""),
             fmt::format("postrider flows export {} | postrider flows validate -", flow.name)}
        );
    }
    return all;
}

} // namespace postrider::cli
