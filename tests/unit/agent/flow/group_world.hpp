#pragma once
// An agent in a group, whose archive and model answer what a test says; and the job that summarises.
#include "agent/flow/nodes/compaction_job.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/flow/run/group_compactor.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"
#include "tests/unit/agent/flow/group_rows.hpp"

#include <boost/json/parse.hpp>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace postrider::tests::group_memory {

namespace flow = agent::flow;
namespace json = boost::json;

struct group_world {
    flow_world w;
    storage::rows archive{turn_row(100)};
    std::vector<json::object> asked; // of the archive
    std::vector<json::value> jobs;   // inputs of those that are to summarise

    explicit group_world(json::object memory = {{"compaction_threshold_tokens", 1000}})
        : w(flow_builder("claudir")
                .trigger("In", "telegram.group")
                .agent(
                    "Claudir",
                    {{"prompt", "Decide."}, {"speaks", "tools"}, {"images", json::array{}}}
                )
                .part("Memory", "memory.group", std::move(memory))
                .connect("Model", "Memory")
                .part("Send", "tool.send_message")
                .text()) {
        w.table.others = [this](storage::write const& question) -> std::optional<storage::rows> {
            if (question.statement->name != "read_group_context") return std::nullopt;
            asked.push_back(json::parse(question.row).as_object());
            return archive;
        };
    }

    queue::outcome arrive(base::result<agent::chat_reply> reply = says("")) {
        w.record = {};
        w.model.script = {std::move(reply), says("")}; // the second one behind a tool
        flow::execution_input input;
        input.flow = "claudir";
        input.heard =
            flow::heard_message{{bot_id{1}, chat_id{-100}}, user_id{7}, telegram_message_id{50}};
        input.heard->seen = {{"event", "message"}};
        auto outcome = w.run(std::move(input));
        std::ranges::move(
            jobs_in(w.record.writes, flow::compaction_kind), std::back_inserter(jobs)
        );
        return outcome;
    }
    // Runs the last of those jobs, against the record of its runs.
    queue::outcome compact(fake_record& record, int dies_at_commit = 0) {
        auto services = assistant_services(w.table, w.chat, w.clock, w.random, {.model = &w.model});
        return w.run_job(flow::make_compactions(services), jobs.back(), record, dies_at_commit);
    }
};

inline agent::chat_reply silent_answer(std::int64_t tokens) {
    auto reply = says("");
    reply.usage.input = tokens;
    return reply;
}

} // namespace postrider::tests::group_memory
