#pragma once
// The stages of one batch on one connection (see batcher.hpp); knows neither threads nor
// transactions.
#include "storage/batcher.hpp"
#include "storage/pg/connection.hpp"

#include <functional>
#include <span>

namespace postrider::storage {

class batch {
public:
    // Asks every unit for its stage 0, or for its only one where all of them have one.
    explicit batch(std::span<unit* const> units);

    // Runs the statements, stage by stage, until no unit asks for more, and commits; db is in a
    // transaction. `before_commit` is called right before the round trip that commits.
    void commit(pg::connection& db, std::function<void()> const& before_commit);
    // The same where every statement is a transaction of its own.
    void run_each(pg::connection& db);

    // After the commit, which stands: this unit threw when it was told what its rows returned.
    bool defective(std::size_t unit) const { return units_[unit].defective; }

private:
    struct unit_state {
        storage::unit* unit;
        int stage = 0;
        std::vector<write> writes;
        std::vector<rows> returned;
        bool defective = false;
    };
    // The rows of all units for one statement, as the text of a JSON array.
    struct statement_rows {
        storage::statement const* statement;
        std::string json;
        job_range jobs;
        std::vector<std::pair<std::size_t, std::size_t>>
            targets; // (unit, its first write), ascending
    };

    bool is_last() const;
    void run_stage(pg::connection& db, pg::commit_mode mode);
    void collect();
    statement_rows& rows_for(statement const& statement);
    void distribute(statement_rows const& statement, rows found);
    void advance();
    void conclude();

    bool one_stage_ = false;
    std::vector<unit_state> units_;
    std::vector<statement_rows> groups_;
};

// {"a":1} with number 3 -> {"a":1,"i":3}. Last, because of two equal keys jsonb keeps the last.
void append_numbered(std::string& array, std::string_view row, std::size_t number);

} // namespace postrider::storage
