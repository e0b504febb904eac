#pragma once
// A database of its own, and a scheduler that makes a pass only when told.
#include "queue/node/scheduler.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"

#include <memory>

namespace postrider::tests {

class schedules_world {
public:
    // Everything that is due now, on a connection of the scheduler's own.
    queue::scheduler_pass pass() { return io.run(scheduler_->run_due()).value(); }

    queue::scheduler& scheduler() { return *scheduler_; }
    storage::database& db() { return *db_; }

    std::string value(std::string const& sql) const { return database.value(sql); }
    void execute(std::string const& sql) const { database.execute(sql); }

    test_database database;
    loop io;
    int admitted = 0; // calls

private:
    std::unique_ptr<storage::database> db_ =
        storage::open_database(io.executor(), database.options());
    std::unique_ptr<queue::scheduler> scheduler_ = std::make_unique<queue::scheduler>(
        io.executor(), *db_, base::system_clock(), [this] { ++admitted; }
    );
};

} // namespace postrider::tests
