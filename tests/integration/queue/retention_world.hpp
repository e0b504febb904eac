#pragma once
// Jobs of long ago, in partitions of long ago.
#include "storage/pg/connection.hpp"
#include "tests/support/postgres.hpp"

#include <string>

namespace postrider::tests {

// Jobs are inserted as they are: what is tested here is what becomes of rows.
class old_jobs {
public:
    old_jobs() {
        // The first partition is full, and the third is the present one.
        database.execute("insert into postrider.lane (lane_key) values ('a');"
                         "select setval('postrider.number', 4000001);"
                         "select postrider.make_partitions()");
        add_job(4000002, "completed", "1 hour");
    }

    void add_job(std::int64_t id, std::string const& state, std::string const& age) {
        auto const number = std::to_string(id);
        auto const then = "postrider.now() - interval '" + age + "'";
        bool const over = state == "completed" || state == "failed" || state == "cancelled";
        auto const end = over ? then : "null";
        auto const due = state == "waiting" ? "'infinity'" : "null";
        auto const held = state == "paused" ? then : "null";
        auto const error_class = state == "failed" ? "'invalid'" : "null";
        database.execute(
            "insert into postrider.job (job_id, lane_id, conversation_id, arrival, created_at, "
            "started_at, finished_at, run_no, due_at, paused_at, state, kind, error_class) values "
            "(" +
            number + ", 1, 1, 1, " + then + ", " + then + ", " + end + ", 1, " + due + ", " + held +
            ", '" + state + "', 'turn', " + error_class +
            ");"
            "insert into postrider.step (job_id, seq, started_at, ended_at, node_id, key, outcome, "
            "result) values (" +
            number + ", 0, " + then + ", " + then + ", 1, 'model', 'done', '\"said " + number +
            "\"');"
            "insert into postrider.effect (job_id, key, kind, class, state) values (" +
            number + ", 'reply', 'telegram.send', 'at_least_once', 'done')"
        );
    }

    // One act of prune_partitions: "watched 0", "dropped 0 kept 2", "busy 0", "" = nothing.
    std::string prune(std::string const& keep = "90 days", int most = 5000) {
        return database.value(
            "select done || ' ' || part || coalesce(' kept ' || kept, '') "
            "from postrider.prune_partitions('" +
            keep + "', " + std::to_string(most) + ")"
        );
    }

    std::string partitions(std::string const& of = "job") {
        return database.value(
            "select string_agg(name, ' ' order by substring(name from '[0-9]+')::bigint) "
            "from pg_inherits, substring(inhrelid::regclass::text from '" +
            of + "_(.*)$') name where inhparent = 'postrider." + of + "'::regclass"
        );
    }

    std::string ids(std::string const& of = "job") {
        return database.value(
            "select string_agg(job_id::text, ' ' order by job_id) from postrider." + of
        );
    }

    // A session of its own, as another process has it.
    std::unique_ptr<storage::pg::connection> session() {
        return storage::pg::connect(database.options(), storage::pg::purpose::general);
    }

    test_database database;
};

} // namespace postrider::tests
