#pragma once
// Long-term memories in a real database: a person with a chat, and calls of the tools.
#include "agent/recall/store.hpp"
#include "agent/tools/tool.hpp"
#include "storage/query.hpp"
#include "tests/integration/queue/world.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace postrider::tests {

class memories_fixture : public engine_fixture {
protected:
    memories_fixture() {
        node_ = &w.start_node({});
        lane_ = w.make_lane("1:5:0");
        said_by(user_id{5}, "Please remember this.");
    }

    // A message of the person, which the next call's turn answers.
    void said_by(user_id user, std::string_view text) {
        job_.id = job_id{base::raw(job_.id) + 100};
        job_.lane = lane_;
        w.execute(fmt::format(
            "insert into postrider.message (lane_id, job_id, conversation_id, position, role, id, "
            "sender_id, chat_id, content) "
            "values ({}, {}, 1, 0, 'user', 'm{}', {}, 5, '{}')",
            base::raw(lane_),
            base::raw(job_.id),
            base::raw(job_.id),
            base::raw(user),
            text
        ));
    }

    // Runs a call once and commits its rows, as its step does.
    base::result<std::string> run(std::string_view name, boost::json::object arguments = {}) {
        boost::json::object const settings;
        agent::tool_context context(
            {.requester = requester,
             .job = job_,
             .clock = base::system_clock(),
             .settings = settings,
             .key = std::to_string(++calls_) + "23456789abcdef0123456789",
             .web = nullptr,
             .reads = node_->quick.get(),
             .vector_of = vector_of}
        );
        if (name == "recall") {
            arguments.emplace("query", "");
            arguments.emplace("limit", 10);
        }
        auto output = w.io.run(agent::find_tool(name)->run(context, std::move(arguments)));
        if (!output) return output.error();
        commit(context.take_rows());
        if (!output->text.empty()) return output->text;
        return boost::json::serialize(output->value);
    }
    std::string answer_of(std::string_view name, boost::json::object arguments = {}) {
        auto const output = run(name, std::move(arguments));
        return output ? *output : "error: " + output.error().detail;
    }
    void remember(std::string text) {
        ASSERT_THAT(
            answer_of("remember", {{"text", std::move(text)}}), testing::HasSubstr("is remembered")
        );
    }
    void commit(std::vector<storage::write> rows) {
        if (!rows.empty())
            w.io.run(storage::query(*node_->intake, std::move(rows), std::chrono::seconds{5}))
                .value();
    }

    std::vector<std::string> found_by(agent::recall::recall_question question) {
        std::vector<std::string> texts;
        auto const rows = w.io.run(agent::recall::recall_memories(
                                       *node_->quick, std::move(question), std::chrono::seconds{5}
                                   ))
                              .value();
        for (auto const& memory : rows) texts.push_back(memory.text);
        return texts;
    }
    std::vector<std::string> found_by(std::string text, double least_score = 0) {
        agent::recall::recall_question question;
        question.owner = {bot_id{1}, user_id{5}, {}};
        question.text = std::move(text);
        question.least_score = least_score;
        return found_by(std::move(question));
    }
    std::string count(std::string const& table = "memory") {
        return w.value("select count(*) from postrider." + table);
    }

    agent::requester requester{.bot = bot_id{1}, .chat = chat_id{5}, .user = user_id{5}};
    agent::text_vectors vector_of; // of the tools' queries
    queue::job job_;
    lane_id lane_{};
    node* node_ = nullptr;

private:
    int calls_ = 0;
};

} // namespace postrider::tests
