#include "storage/batch.hpp"

#include <tuple>

namespace postrider::storage {

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
    units_.reserve(units.size());
    for (auto* one : units) {
        auto writes = one->stage(0, {});
        std::vector<rows> returned(writes.size());
        units_.push_back({one, 0, std::move(writes), std::move(returned)});
        all_one_stage_ = all_one_stage_ && one->one_stage();
    }
    collect();
}

bool batch::one_statement() const {
    return all_one_stage_ && groups_.size() == 1;
}

void batch::run(pg::connection& db) {
    while (!groups_.empty()) {
        for (auto& one : groups_) {
            one.json += ']';
            distribute(one, db.query(*one.what, {std::move(one.json)}));
        }
        advance();
        collect();
    }
}

// Groups the rows that the units ask for in this stage, and orders the groups.
void batch::collect() {
    groups_.clear();
    for (std::size_t number = 0; number < units_.size(); ++number) {
        auto const& writes = units_[number].writes;
        for (std::size_t position = 0; position < writes.size(); ++position) {
            auto& joined = group_for(*writes[position].what);
            append_numbered(joined.json, writes[position].row, number);
            if (joined.targets.empty() || joined.targets.back().first != number)
                joined.targets.emplace_back(number, position);
        }
    }
    std::ranges::sort(groups_, {}, [](group const& g) {
        return std::tuple(g.what->order, g.what->name);
    });
}

batch::group& batch::group_for(statement const& what) {
    for (auto& one : groups_)
        if (one.what == &what || one.what->name == what.name) return one;
    return groups_.emplace_back(group{&what, {}, {}});
}

void batch::distribute(group const& from, rows found) {
    for (auto& line : found) {
        auto const number = static_cast<std::size_t>(line.int64(0));
        auto target = std::ranges::lower_bound(from.targets, number, {}, [](auto const& t) {
            return t.first;
        });
        if (target == from.targets.end() || target->first != number)
            throw database_error(std::string(from.what->name) + " returned a row for nobody");
        units_[number].returned[target->second].push_back(std::move(line));
    }
}

// Tells every unit what its rows returned, and asks for its next stage.
void batch::advance() {
    for (auto& one : units_) {
        if (one.writes.empty()) continue;
        one.writes = one.what->stage(++one.stage, one.returned);
        if (!one.writes.empty() && one.what->one_stage())
            throw database_error("a unit of one stage asked for a second");
        one.returned.assign(one.writes.size(), {});
    }
}

} // namespace postrider::storage
