#include "tests/integration/storage/plans/samples.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <map>
#include <regex>
#include <set>

namespace postrider::tests {

namespace {

namespace json = boost::json;

// Columns whose constraints take few texts; the statement's own word goes before the column's.
std::map<std::string, std::string> const& words() {
    static std::map<std::string, std::string> const all{
        {"state", "completed"},
        {"park_jobs.state", "waiting"},
        {"record_catches.action", "delete"},
        {"train_samples.kind", "spam"},
        {"train_samples.origin", "command"},
        {"hold_jobs.state", "available"},
        {"plan_effects.state", "started"},
        {"change_effects.state", "done"},
        {"outcome", "done"},
        {"class", "pure"},
        {"role", "user"},
        {"origin", "person"},
        {"delivery", "sent"},
        {"disposition", "job"},
        {"takes", "queue"},
        {"report_bucket.outcome", "ok"},
        {"type", "message"},
        {"sha256", std::string(64, '0')},
        {"digest", std::string(64, '0')},
        {"priority", "low"},
        {"put_flow_file.content", "AAAA"},
        {"add_memory.kind", "note"},
        {"conversation.moment.known", "1:1:"},
        {"conversation.changed_messages.until", "1:1:"},
        {"conversation.changed_messages.since", "1:1:"},
        {"conversation.ended_turns.until", "1:1:"},
        {"conversation.ended_turns.since", "1:1:"},
        {"conversation.ended_turn.moment", "1:1:"},
    };
    return all;
}

// Columns that stay null.
bool left_out(std::string const& statement, std::string const& column) {
    static std::vector<std::string> const all{
        "record_attempts.error_class",
        "record_attempts.error",
        "add_updates.reason",
        "add_updates.raw",
        "add_reminder.at_us",
        "keep_memory_vector.memory_id",
        "wake_bucket.after",
        "fence_or_fail.edits",
        "fence_or_fail.head"};
    return std::ranges::find(all, statement + "." + column) != all.end();
}

json::value number_for(std::string const& column, sample_rows const& rows) {
    static std::vector<std::string> const jobs{"job_id", "head", "after", "but_for"};
    if (std::ranges::find(jobs, column) != jobs.end()) return rows.job;
    if (column == "lane_id") return rows.lane;
    if (column == "node_id") return rows.node;
    if (column == "epoch") return rows.epoch;
    if (column == "conversation_id") return rows.conversation;
    return 1;
}

json::value value_for(
    std::string const& statement,
    std::string const& column,
    std::string const& type,
    sample_rows const& rows
) {
    if (column == "older") return json::array{rows.epoch};
    if (column == "keys")
        return json::array{json::object{{"place", 0}, {"name", "n"}, {"key", "k"}}};
    if (column == "digests") return json::array{json::string(64, '0')};
    static std::set<std::string> const lists{"choices", "people", "sources", "words"};
    if (lists.contains(column)) return json::array{};
    if (statement == "add_memory" && column == "chat_id") return 0; // a person's
    if (type == "jsonb" || type == "json")
        return column == "lanes" ? json::value(json::array{rows.lane})
                                 : json::value(json::object{});
    if (type == "boolean") return true;
    if (type == "uuid") return "00000000-0000-0000-0000-000000000001";
    if (type == "bytea") return "\\x00";
    if (type == "bigint[]") return json::array{1, 2};
    if (type == "timestamptz") return "2026-01-01T00:00:00Z";
    if (type != "text") return number_for(column, rows);
    for (auto const& name : {statement + "." + column, column})
        if (auto const word = words().find(name); word != words().end())
            return word->second.c_str();
    return rows.lane_key.c_str();
}

// A row with every column that the statement takes out of its JSON.
std::string batch_for(source_statement const& statement, sample_rows const& rows) {
    static std::regex const recordset(R"(json_to_recordset\(\$1::json\)\s*as \w+\(([^)]*)\))");
    static std::regex const column(R"((\w+) ([a-z0-9]+(?:\[\])?))");
    json::object row{{"i", 0}};
    for (std::sregex_iterator at(statement.sql.begin(), statement.sql.end(), recordset), end;
         at != end;
         ++at) {
        auto const columns = (*at)[1].str();
        for (std::sregex_iterator of(columns.begin(), columns.end(), column); of != end; ++of)
            if ((*of)[1] != "i" && !left_out(statement.name, (*of)[1]))
                row[(*of)[1].str()] = value_for(statement.name, (*of)[1], (*of)[2], rows);
    }
    return json::serialize(json::array{row});
}

// Where the values that types have do not do.
std::vector<storage::param> const* values_for(source_statement const& statement) {
    static std::map<std::string, std::vector<storage::param>> const all{
        {"admit_timers", {"250", "-infinity", "0"}},
        {"attention.budgets",
         {R"([{"scope": "user", "calls": 1, "tokens": 1, "cost_micro": 1}])", "50"}},
        {"batch_hurry", {"100"}},
        {"budgets.reserve",
         {"987654321",
          "run",
          "1",
          R"([{"scope": "user", "subject": "7", "calls": 9, "tokens": 9, "cost_micro": 9}])",
          "1",
          "1",
          "60"}},
        {"collections.change", {"docs", "", "[]", "allowed"}},
        {"collections.create", {"docs", "", "[]", "allowed"}},
        {"console.add_link", {"1", "owner", std::string(64, '0'), "900"}},
        {"console.add_session", {"1", "owner", std::string(64, '0'), "60", "600"}},
        {"console.leave", {std::string(64, '0')}},
        {"console.use_link", {std::string(64, '0')}},
        {"conversation.add", {"00000000-0000-0000-0000-000000000001", "987654321", "1", ""}},
        {"conversation.list", {"1", "9223372036854775807", "50"}},
        {"due_schedules", {"50", "-infinity", ""}},
        {"flows.tell", {"wake"}},
        {"knowledge.flows_not_there", {R"(["support"])"}},
        {"migrations.store", {"987654321", "name", "digest", "false"}},
        {"run_schedule", {"hourly", "{}", "0"}},
        {"schema.sources", {"1"}},
        {"spam.strike", {"1", "1", "3600"}},
        {"spam.train", {"0", "spam", "text", "{1}", "command", "user:1", "1"}},
        {"tokens.insert", {"1", "user", "name", std::string(64, '0'), std::nullopt}},
        {"usage.keep_calendar", {"Europe/Berlin"}},
        {"write_schedule",
         {"daily",
          "turn",
          "{}",
          "lane",
          "@daily",
          std::nullopt,
          "UTC",
          "once",
          "queue",
          std::nullopt,
          "false"}},
    };
    auto const found = all.find(statement.name);
    return found == all.end() ? nullptr : &found->second;
}

// A statement that passes over lanes which a node leases is asked about the parked one.
sample_rows rows_for(source_statement const& statement, sample_rows const& rows) {
    if (statement.name != "look_for_events") return rows;
    auto parked = rows;
    parked.job = rows.parked_job;
    parked.lane = rows.parked_lane;
    parked.epoch = rows.parked_epoch;
    return parked;
}

std::string value_of(std::string const& type, sample_rows const& rows) {
    if (type == "bigint") return std::to_string(rows.job);
    if (type == "bigint[]") return "{" + std::to_string(rows.job) + "}";
    if (type == "integer" || type == "smallint") return "5";
    if (type == "double precision" || type == "numeric") return "864000";
    if (type == "boolean") return "true";
    if (type == "text[]") return "{}";
    if (type == "timestamp with time zone") return "2026-01-01T00:00:00Z";
    if (type == "uuid") return "00000000-0000-0000-0000-000000000001";
    if (type == "json" || type == "jsonb") return "{}";
    if (type == "bytea") return "\\x00";
    if (type == "pg_snapshot") return "1:1:";
    return rows.lane_key;
}

} // namespace

bool is_of_a_batch(source_statement const& statement) {
    return statement.sql.find("json_to_recordset($1::json)") != statement.sql.npos;
}

std::vector<storage::param> parameters_for(
    source_statement const& statement,
    std::vector<std::string> const& types,
    sample_rows const& known
) {
    auto const rows = rows_for(statement, known);
    std::vector<storage::param> all;
    if (is_of_a_batch(statement)) {
        all.push_back(batch_for(statement, rows));
        if (types.size() == 3) all.insert(all.end(), {rows.job, rows.job});
        return all;
    }
    if (auto const* values = values_for(statement)) return *values;
    for (auto const& type : types) all.push_back(value_of(type, rows));
    return all;
}

} // namespace postrider::tests
