#include "server/views/document_waits.hpp"

namespace postrider::server {

namespace {

constexpr storage::statement any_live_node{
    "documents.server_runs",
    "select exists (select from postrider.node n where n.beat_at > postrider.now() - interval '8 "
    "s')"};

constexpr storage::statement reason_of_wait{"documents.waiting_reason", R"(
select case when j.state = 'paused' then 'it is paused' else coalesce(j.wait_reason, '') end
from postrider.job j where j.job_id = $1::bigint and j.state in ('waiting', 'retryable', 'paused'))"};

} // namespace

bool some_server_runs(storage::transaction& tx) {
    return tx.query(any_live_node).front().boolean(0);
}

std::string waiting_reason(storage::transaction& tx, job_id job) {
    auto const rows = tx.query(reason_of_wait, {job});
    return rows.empty() ? std::string() : rows.front().text(0);
}

} // namespace postrider::server
