#include "agent/flow/run/silence_report.hpp"

#include "agent/flow/parts/services.hpp"
#include "agent/speech/owner_notice.hpp"
#include "net/digest.hpp"

#include <fmt/format.h>

namespace postrider::agent::flow {

// The error names the budget and the day on which it opens again.
void report_silence(node_run& run, base::error const& empty_budget) {
    if (run.started_by().silent) return;
    auto const& flow = run.started_by().flow;
    owner_notice notice;
    notice.key =
        fmt::format("silence:{}:{}", flow, net::sha256_hex(empty_budget.detail).substr(0, 16));
    notice.chats = run.services().approvers;
    notice.text = fmt::format(
        "The agent {} of the flow {} is silent: {}", run.node().name, flow, empty_budget.detail
    );
    for (auto& row : tell_owners(notice)) run.steps().add(std::move(row));
}

} // namespace postrider::agent::flow
