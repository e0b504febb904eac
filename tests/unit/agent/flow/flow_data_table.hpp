#pragma once
// The data tables of flows in memory, as the commits of a flow_world leave them.
#include "base/json/json.hpp"
#include "base/json/text.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <map>
#include <tuple>

namespace postrider::tests {

class flow_data_table {
public:
    explicit flow_data_table(flow_world& world) : world_(world) {
        world.table.others = [this](storage::write const& question) { return answer(question); };
    }

    // By flow, table and key.
    using place = std::tuple<std::string, std::string, std::string>;
    std::map<place, boost::json::value> rows() const {
        std::map<place, boost::json::value> stored;
        for (auto const& write : world_.record.writes) {
            auto const row = base::parse_json(write.row).value();
            if (write.statement->name == "put_flow_data") stored[place_of(row)] = row.at("value");
            if (write.statement->name == "delete_flow_data") stored.erase(place_of(row));
        }
        for (auto const& [place, value] : others) stored[place] = value;
        return stored;
    }

    std::map<place, boost::json::value> others = {}; // that other executions wrote
    std::int64_t more_rows = 0;                      // that are counted only
    int reads = 0;

private:
    static place place_of(boost::json::value const& row) {
        return place_of(row, std::string(row.at("key").as_string()));
    }
    // Of one of the keys that were asked for.
    static place place_of(boost::json::value const& asked, boost::json::value const& key) {
        return {
            std::string(asked.at("flow").as_string()),
            std::string(key.at("name").as_string()),
            std::string(key.at("key").as_string())};
    }
    static place place_of(boost::json::value const& row, std::string key) {
        return {
            std::string(row.at("flow").as_string()),
            std::string(row.at("name").as_string()),
            std::move(key)};
    }

    std::optional<storage::rows> answer(storage::write const& question) {
        auto const name = question.statement->name;
        auto const asked = base::parse_json(question.row).value();
        storage::rows answer;
        if (name == "measure_flow_data") {
            auto count = static_cast<std::int64_t>(rows().size()) + more_rows;
            for (auto const& key : asked.at("keys").as_array())
                count -= static_cast<std::int64_t>(rows().count(place_of(asked, key)));
            answer.emplace_back(storage::row{{"0", std::to_string(count), "0"}});
            return answer;
        }
        if (name != "read_flow_data" && name != "list_flow_data") return std::nullopt;
        ++reads;
        if (name == "read_flow_data") {
            for (auto const& key : asked.at("keys").as_array()) {
                auto const stored = rows();
                auto const row = stored.find(place_of(asked, key));
                if (row == stored.end()) continue;
                auto const number = std::to_string(key.at("place").to_number<int>());
                answer.emplace_back(storage::row{{"0", number, "0", base::json_text(row->second)}});
            }
            return answer;
        }
        for (auto const& [place, value] : rows()) {
            auto const& key = std::get<2>(place);
            if (place_of(asked, key) != place) continue;
            answer.emplace_back(storage::row{
                {"0", key, base::json_text(value), "2026-11-21T08:53:00Z"}});
        }
        return answer;
    }

    flow_world& world_;
};

} // namespace postrider::tests
