#include "agent/flow/start/enqueue_execution.hpp"

#include "storage/stores/lanes.hpp"

namespace postrider::agent::flow {

namespace {

constexpr storage::statement tell_nodes{"flows.tell", "select pg_notify('postrider', $1)"};

} // namespace

storage::lane_manner manner_of(settings const& how) {
    storage::lane_manner made;
    if (!how.mailbox.empty()) made.mailbox = how.mailbox;
    made.debounce = how.debounce.value_or(made.debounce);
    return made;
}

queue::enqueued enqueue_execution(
    storage::transaction& tx,
    std::string_view kind,
    execution_input const& input,
    settings const& how,
    std::string_view lane_key
) {
    auto const lane = storage::ensure_lane(tx, lane_key, manner_of(how));
    queue::new_job wanted{lane, std::string(kind), to_json(input), {}};
    wanted.deadline = how.timeout;
    auto const made = queue::enqueue(tx, wanted);
    if (queue::needs_claim(made)) tx.query(tell_nodes, {"wake"});
    if (made.interrupts) tx.query(tell_nodes, {"asked"});
    return made;
}

} // namespace postrider::agent::flow
