#pragma once
// Two sessions of one database, of which one waits for what the other has locked.
#include "base/clock.hpp"
#include "storage/pg/connection.hpp"
#include "storage/pg/failure.hpp"
#include "tests/support/postgres.hpp"

#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <stdexcept>
#include <thread>

namespace postrider::tests {

class two_sessions : public ::testing::Test {
protected:
    void wait_until_somebody_waits() {
        auto const end = base::system_clock().steady() + std::chrono::seconds{10};
        while (database.value("select count(*) > 0 from pg_stat_activity where wait_event_type = "
                              "'Lock' and datname = current_database()") != "t") {
            if (base::system_clock().steady() > end) throw std::runtime_error("nobody waits");
            std::this_thread::yield();
        }
    }

    // No error: it succeeded.
    static base::errc failure_of(std::future<void>& work) {
        try {
            work.get();
        } catch (storage::pg::failure const& e) {
            return e.error.code;
        }
        return {};
    }

    std::unique_ptr<storage::pg::connection> connect() {
        return storage::pg::connect(database.options(), storage::pg::purpose::general);
    }

    test_database database;
    std::unique_ptr<storage::pg::connection> first = connect();
    std::unique_ptr<storage::pg::connection> second = connect();
};

} // namespace postrider::tests
