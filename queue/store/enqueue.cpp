#include "queue/store/enqueue.hpp"

#include "queue/store/statements.hpp"

namespace postrider::queue {

base::json_row row_of(new_job const& job, lane_id lane) {
    base::json_row row{
        {"lane_id", base::raw(lane)},
        {"kind", job.kind},
        {"input", job.input},
    };
    if (job.lease_to) row.add({"node_id", base::raw(*job.lease_to)});
    if (job.deadline) row.add({"deadline", job.deadline->count()});
    if (job.priority != new_job{}.priority) row.add({"urgency", job.priority});
    if (job.version != new_job{}.version) row.add({"version", job.version});
    return row;
}

enqueued read_enqueued(storage::row const& returned) {
    return {
        returned.id<job_id>(1),
        returned.id<lane_id>(2),
        returned.id<conversation_id>(3),
        returned.int64(4),
        returned.id<lane_epoch>(5),
        returned.boolean(6),
        returned.boolean(7),
        mailbox_from_string(returned.text(8)).value_or(mailbox::queue),
        returned.boolean(9),
    };
}

enqueued enqueue(storage::transaction& tx, new_job const& job) {
    auto row = row_of(job, job.lane);
    row.add({"i", 0});
    row.add({"lane_may_go", true});
    auto returned = tx.query(sql::enqueue_turns, {"[" + std::move(row).text() + "]"});
    if (returned.empty() || returned.front().null(1))
        throw storage::database_error("enqueue: no such lane");
    return read_enqueued(returned.front());
}

queue::job leased_job(new_job const& job, enqueued const& enqueued) {
    queue::job leased;
    leased.id = enqueued.id;
    leased.lane = enqueued.lane;
    leased.conversation = enqueued.conversation;
    leased.arrival = enqueued.arrival;
    leased.run_no = 1;
    leased.version = job.version;
    leased.time_left = job.deadline;
    leased.kind = job.kind;
    leased.input = job.input;
    return leased;
}

} // namespace postrider::queue
