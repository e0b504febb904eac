#include "queue/admin/job_values.hpp"

namespace postrider::queue {

namespace {

constexpr storage::statement recorded_value{"recorded_value", R"sql(
select case $2
         when 'input' then (select input from postrider.job where job_id = $1::bigint)
         when 'output' then (select output from postrider.job where job_id = $1::bigint)
         when 'step' then (select result from postrider.step where job_id = $1::bigint and key = $3 and outcome = 'done')
         when 'request' then (select request from postrider.effect where job_id = $1::bigint and key = $3)
         when 'result' then (select result from postrider.effect where job_id = $1::bigint and key = $3)
       end::text)sql"};

} // namespace

std::optional<std::string> read_recorded_value(
    storage::transaction& tx, job_id job, std::string_view value, std::string_view key
) {
    return tx.query(recorded_value, {job, value, key}).at(0).optional_text(0);
}

} // namespace postrider::queue
