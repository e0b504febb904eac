#include "agent/flow/start/enqueue_execution.hpp"

#include "storage/stores/lanes.hpp"

namespace postrider::agent::flow {

namespace {

constexpr storage::statement tell_nodes{"flows.tell", "select pg_notify('postrider', $1)"};

} // namespace

storage::lane_manner manner_of(settings const& settings) {
    storage::lane_manner manner;
    if (!settings.mailbox.empty()) manner.mailbox = settings.mailbox;
    manner.debounce = settings.debounce.value_or(manner.debounce);
    return manner;
}

queue::enqueued enqueue_execution(
    storage::transaction& tx,
    std::string_view kind,
    execution_input const& input,
    settings const& settings,
    std::string_view lane_key
) {
    auto const lane = storage::ensure_lane(tx, lane_key, manner_of(settings));
    queue::new_job job{lane, std::string(kind), to_json(input), {}};
    job.deadline = settings.timeout;
    auto const enqueued = queue::enqueue(tx, job);
    if (queue::needs_claim(enqueued)) tx.query(tell_nodes, {"wake"});
    if (enqueued.interrupts) tx.query(tell_nodes, {"asked"});
    return enqueued;
}

} // namespace postrider::agent::flow
