#include "queue/store/enqueue_turn.hpp"

#include "queue/store/statements.hpp"

namespace postrider::queue {

storage::write enqueue_turn(new_job const& job, lane_id lane, turn_rows rows, absent_lane absent) {
    auto row = row_of(job, lane);
    if (rows.update) {
        row.add({"bot_id", base::raw(rows.update->bot)});
        row.add({"update_id", base::raw(rows.update->update)});
    }
    if (absent == absent_lane::fails_statement) row.add({"lane_must_exist", true});
    if (rows.message) storage::add_said(row, *rows.message);
    return {&sql::enqueue_turns, std::move(row).text()};
}

std::optional<enqueued> read_turn(storage::row const& returned) {
    if (returned.null(1)) return std::nullopt;
    return read_enqueued(returned);
}

} // namespace postrider::queue
