#pragma once
// The stages of one batch on one connection (see batcher.hpp); knows neither threads nor
// transactions.
#include "storage/batcher.hpp"
#include "storage/pg/connection.hpp"

#include <span>

namespace postrider::storage {

class batch {
public:
    // Asks every unit for its stage 0.
    explicit batch(std::span<unit* const> units);

    // True when the batch is exactly one statement: all that the units ask for, now and later.
    bool one_statement() const;

    // Runs the statements, stage by stage, until no unit asks for more.
    void run(pg::connection& db);

private:
    struct progress {
        unit* what;
        int stage = 0;
        std::vector<write> writes;
        std::vector<rows> returned;
    };
    // The rows of all units for one statement, as the text of a JSON array.
    struct group {
        statement const* what;
        std::string json;
        std::vector<std::pair<std::size_t, std::size_t>>
            targets; // (unit, its first write), ascending
    };

    void collect();
    group& group_for(statement const& what);
    void distribute(group const& from, rows found);
    void advance();

    std::vector<progress> units_;
    std::vector<group> groups_;
    bool all_one_stage_ = true;
};

// {"a":1} with number 3 -> {"a":1,"i":3}. Last, because of two equal keys jsonb keeps the last.
void append_numbered(std::string& array, std::string_view row, std::size_t number);

} // namespace postrider::storage
