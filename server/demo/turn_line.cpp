#include "server/demo/turn_line.hpp"

#include "agent/flow/execution_input.hpp"
#include "base/json/json.hpp"
#include "storage/transact.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

#include <memory>
#include <optional>

namespace postrider::server {

namespace {

using namespace std::chrono_literals;

// A chat goes on without the line.
constexpr auto longest_read = 2s;

void append_part(std::string& line, std::string_view part) {
    if (!line.empty()) line += " · ";
    line += part;
}

// What an agent notes of itself when it ends.
void add_agent(std::string& line, base::json_reader const& node) {
    if (!node["iterations"]) return;
    for (auto const& tool : node["tools_used"].items_or_none())
        append_part(line, tool.string_or(""));
    append_part(line, node["answered_by"].string_or("model"));
}

// A message that answered a waiting turn's question has no steps: that turn has them.
std::optional<queue::job_details> read_turn(storage::transaction& tx, job_id message) {
    auto turn = queue::read_job_details(tx, message);
    if (!turn) return turn;
    job_id const asker{base::json_reader{turn->output}["routed_to"].int64_or(0)};
    return asker == job_id{} ? turn : queue::read_job_details(tx, asker);
}

} // namespace

std::string turn_line(queue::job_details const& turn) {
    std::string line;
    base::json_reader const output{turn.output};
    if (auto const* nodes = output["nodes"].raw(); nodes && nodes->is_object())
        for (auto const& node : nodes->get_object())
            add_agent(line, base::json_reader{node.value()});
    if (turn.job.state != "completed") append_part(line, turn.job.state);
    append_part(line, base::to_text(turn.job.took));
    return fmt::format("{} — postrider jobs show {}", line, turn.job.id);
}

base::awaitable<std::string> newest_turn_line(storage::database& db, chat_id chat) {
    auto read = [chat](storage::transaction& tx) -> std::optional<queue::job_details> {
        queue::job_filter turns;
        turns.kind = agent::flow::turn_kind;
        turns.lane_text = ":" + base::to_string(chat) + ":";
        auto const newest = queue::matching_jobs(tx, turns, std::nullopt, 1);
        if (newest.empty()) return std::nullopt;
        return read_turn(tx, newest.front());
    };
    auto const turn = co_await storage::transact(db, "turn.newest", std::move(read), longest_read);
    if (!turn || !*turn || (*turn)->job.state == "running") co_return std::string{};
    co_return turn_line(**turn);
}

} // namespace postrider::server
