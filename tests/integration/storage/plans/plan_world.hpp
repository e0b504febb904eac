#pragma once
// A database whose tables are as large as one asks, and a look at what a statement reads of it.
#include "storage/pg/connection.hpp"
#include "tests/integration/storage/plans/samples.hpp"
#include "tests/support/postgres.hpp"

#include <map>
#include <memory>
#include <set>
#include <string>

namespace postrider::tests {

// What one execution read.
struct footprint {
    // Of tables that grow: those that were read from end to end, and how many rows or entries of
    // indexes were read.
    std::set<std::string> read_whole;
    std::map<std::string, std::int64_t> read;
    // Partitions that were searched, by their table.
    std::map<std::string, std::set<std::string>> searched;
    std::string error; // why it could not be executed
};

class plan_world {
public:
    // With a running and a parked job in the newest partition but two, as always.
    explicit plan_world(int partitions);

    // As it is after a long time: jobs in all partitions, most of them over, and all that goes with
    // them. Without statistics.
    void fill(int rows_per_partition) const;
    // So many jobs more wait for an event in that partition, each on a lane of its own.
    void park(int jobs) const;
    void analyze() const { database_.execute("vacuum analyze"); }

    // Both kinds of session that the product has, new ones; "" leaves them as they are.
    void connect(std::string const& plan_cache_mode);

    // Executes it as the program does, so often that Postgres has settled for a plan, and takes it
    // back.
    footprint execute(source_statement const& statement);

private:
    struct count {
        std::int64_t whole = 0;
        std::int64_t searches = 0;
        std::int64_t read = 0;
    };
    using counts = std::map<std::string, count>;

    counts scans_of(storage::pg::connection& session) const;
    std::vector<std::string> types_of(source_statement const& statement);
    static void run(
        storage::pg::connection& session,
        source_statement const& statement,
        std::vector<storage::param> const& parameters
    );
    footprint look(
        storage::pg::connection& session,
        source_statement const& statement,
        std::vector<storage::param> const& parameters
    );

    test_database database_;
    sample_rows rows_;
    std::unique_ptr<storage::pg::connection> batches_;
    std::unique_ptr<storage::pg::connection> general_;
    int executions_ = 1;
};

} // namespace postrider::tests
