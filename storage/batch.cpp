#include "storage/batch.hpp"

#include "base/log.hpp"
#include "storage/one_stage.hpp"

#include <algorithm>
#include <tuple>

namespace postrider::storage {

namespace {

// The units as such that fit into one stage; nothing where one of them does not.
std::vector<one_stage_unit*> with_one_stage(std::span<unit* const> units) {
    std::vector<one_stage_unit*> one_stage_units;
    for (auto* each : units) {
        auto* fitting = dynamic_cast<one_stage_unit*>(each);
        if (!fitting || !fitting->fits_one_stage()) return {};
        one_stage_units.push_back(fitting);
    }
    return one_stage_units;
}

} // namespace

void append_numbered(std::string& array, std::string_view row, std::size_t number) {
    if (!row.empty() && (row.front() != '{' || row.back() != '}'))
        throw database_error("a row of a batch is not a JSON object");
    array += array.empty() ? '[' : ',';
    if (row.size() <= 2)
        array += '{';
    else
        array.append(row.substr(0, row.size() - 1)).append(",");
    array.append("\"i\":").append(std::to_string(number)).append("}");
}

batch::batch(std::span<unit* const> units) {
    auto const fitting = with_one_stage(units);
    one_stage_ = !fitting.empty();
    units_.reserve(units.size());
    for (std::size_t n = 0; n < units.size(); ++n) {
        auto writes = one_stage_ ? fitting[n]->only_stage() : units[n]->stage(0, {});
        std::vector<rows> returned(writes.size());
        units_.push_back({units[n], 0, std::move(writes), std::move(returned)});
    }
    collect();
}

void batch::commit(pg::connection& db, std::function<void()> const& before_commit) {
    while (!groups_.empty()) {
        if (is_last()) {
            before_commit();
            run_stage(db, pg::commit_mode::together);
            return conclude();
        }
        run_stage(db, pg::commit_mode::none);
        advance();
        collect();
    }
    before_commit();
    db.commit();
}

void batch::run_each(pg::connection& db) {
    while (!groups_.empty()) {
        bool const last = is_last();
        run_stage(db, pg::commit_mode::each);
        if (last) return conclude();
        advance();
        collect();
    }
}

bool batch::is_last() const {
    return one_stage_ || std::ranges::all_of(units_, [](unit_state const& s) {
               return s.writes.empty() || s.unit->is_last(s.stage);
           });
}

void batch::run_stage(pg::connection& db, pg::commit_mode mode) {
    std::vector<pg::request> requests;
    requests.reserve(groups_.size());
    for (auto& group : groups_) {
        group.json += ']';
        requests.push_back(
            {group.statement, std::move(group.json), group.jobs.least, group.jobs.greatest}
        );
    }
    auto found = db.query_all(requests, mode);
    try {
        for (std::size_t n = 0; n < groups_.size(); ++n)
            distribute(groups_[n], std::move(found[n]));
    } catch (database_error const& e) {
        if (mode == pg::commit_mode::none) throw;
        // It is committed: to run it again would do it twice.
        base::log::error("batch.defect", {{"error", e.what()}});
        for (auto& state : units_) state.defective = true;
    }
}

// Groups the rows that the units ask for in this stage, and orders the groups.
void batch::collect() {
    groups_.clear();
    for (std::size_t number = 0; number < units_.size(); ++number) {
        auto const& writes = units_[number].writes;
        for (std::size_t position = 0; position < writes.size(); ++position) {
            auto& joined = rows_for(*writes[position].statement);
            joined.jobs = joined.json.empty() ? writes[position].jobs
                                              : joined.jobs.with(writes[position].jobs);
            append_numbered(joined.json, writes[position].row, number);
            if (joined.targets.empty() || joined.targets.back().first != number)
                joined.targets.emplace_back(number, position);
        }
    }
    std::ranges::sort(groups_, {}, [](statement_rows const& g) {
        return std::tuple(g.statement->order, g.statement->name);
    });
}

batch::statement_rows& batch::rows_for(statement const& statement) {
    for (auto& group : groups_)
        if (group.statement == &statement || group.statement->name == statement.name) return group;
    return groups_.emplace_back(statement_rows{&statement, {}, {}, {}});
}

void batch::distribute(statement_rows const& statement, rows found) {
    for (auto& line : found) {
        auto const number = static_cast<std::size_t>(line.int64(0));
        auto target = std::ranges::lower_bound(statement.targets, number, {}, [](auto const& t) {
            return t.first;
        });
        if (target == statement.targets.end() || target->first != number)
            throw database_error(
                std::string(statement.statement->name) + " returned a row for nobody"
            );
        units_[number].returned[target->second].push_back(std::move(line));
    }
}

// Tells every unit what its rows returned, and asks for its next stage.
void batch::advance() {
    for (auto& state : units_) {
        if (state.writes.empty()) continue;
        state.writes = state.unit->stage(++state.stage, state.returned);
        state.returned.assign(state.writes.size(), {});
    }
}

// The same after the commit: nothing is undone any more, so a unit that throws fails alone.
void batch::conclude() {
    for (auto& state : units_) {
        if (state.writes.empty() || state.defective) continue;
        try {
            state.defective = !state.unit->stage(++state.stage, state.returned).empty();
            if (state.defective)
                base::log::error(
                    "batch.defect", {{"error", "a unit went on after its last stage"}}
                );
        } catch (std::exception const& e) {
            state.defective = true;
            base::log::error("batch.defect", {{"error", e.what()}});
        }
    }
}

} // namespace postrider::storage
