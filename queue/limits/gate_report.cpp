#include "queue/limits/gate_report.hpp"

#include <algorithm>
#include <string_view>

namespace postrider::queue {

namespace {

// Which of two reports counts, when both are not written yet.
int weight(std::string_view event) {
    if (event == "stopped" || event == "works") return 2;
    return event == "closed_for" ? 1 : 0;
}

} // namespace

void merge(gate_report& pending, gate_report fresh) {
    if (weight(fresh.event) < weight(pending.event)) return;
    if (fresh.event == pending.event) {
        fresh.failures += pending.failures;
        if (fresh.closed_for && pending.closed_for)
            fresh.closed_for = std::max(*fresh.closed_for, *pending.closed_for);
    }
    pending = std::move(fresh);
}

boost::json::object row_for(std::string const& resource, gate_report const& report) {
    boost::json::object row{
        {"name", resource},
        {"outcome", report.event},
        {"n", report.failures},
        {"reason", report.reason}};
    if (report.closed_for) row["ms"] = report.closed_for->count();
    return row;
}

} // namespace postrider::queue
