#pragma once
// An agent in a group, whose archive and model answer what a test says; and the job that summarises.
#include "agent/flow/nodes/compaction_job.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/flow/run/group_compactor.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"
#include "tests/unit/agent/flow/group_rows.hpp"

#include <boost/json/parse.hpp>

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
        note_jobs(w.record.writes);
        return outcome;
    }
    void note_jobs(std::vector<storage::write> const& writes) {
        for (auto const& write : writes) {
            if (write.row.empty()) continue;
            auto const row = json::parse(write.row);
            auto const* kind = row.is_object() ? row.get_object().if_contains("kind") : nullptr;
            if (kind && *kind == json::value(flow::compaction_kind))
                jobs.push_back(row.at("input"));
        }
    }
    // Runs the last of those jobs, against the record of its runs.
    queue::outcome compact(fake_record& record, int dies_at_commit = 0) {
        auto services = assistant_services(w.table, w.chat, w.clock, w.random, {.model = &w.model});
        auto const kind = flow::make_compactions(services);
        queue::job own;
        own.id = job_id{1'000};
        own.input = jobs.back();
        fake_workflow steps{own, record};
        steps.dies_at_commit = dies_at_commit;
        queue::workflow handle{steps};
        auto outcome = w.io.run(kind.run(handle));
        steps.finish(outcome);
        return outcome;
    }
};

inline agent::chat_reply silence(std::int64_t tokens) {
    auto reply = says("");
    reply.usage.input = tokens;
    return reply;
}

} // namespace postrider::tests::group_memory
