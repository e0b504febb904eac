#pragma once
// The rows of messages in a real database: two lanes, and a person who edits what they said.
#include "storage/query.hpp"
#include "storage/stores/message_edits.hpp"
#include "storage/stores/messages.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace postrider::tests {

// Its writes in one stage; keeps what came back.
class messages : public testing::Test {
protected:
    messages() {
        storage::batcher_options options;
        options.name = "writes";
        writes_ = storage::make_batcher(io_.executor(), database_.options(), options);
        options.name = "reads";
        options.read_only = true;
        reads_ = storage::make_batcher(io_.executor(), database_.options(), options);
        database_.execute(
            "insert into postrider.lane (lane_id, conversation_id, bot_id, chat_id, lane_key) "
            "overriding system value values (1, 10, 1, 7, 'a'), (2, 11, 1, 8, 'b')"
        );
    }
    ~messages() override {
        writes_->close();
        reads_->close();
    }

    std::vector<storage::rows> commit(std::vector<storage::write> writes) {
        return io_.run(storage::query(*writes_, std::move(writes), std::chrono::seconds{5}))
            .value();
    }

    storage::message_row row(
        int job, std::int64_t position, std::string role, std::string content
    ) {
        storage::message_row message;
        message.lane = lane_id{1};
        message.conversation = conversation_id{10};
        message.job = job_id{job};
        message.position = position;
        message.id = std::to_string(job) + "-" + std::to_string(position);
        message.role = std::move(role);
        message.content = std::move(content);
        return message;
    }

    void add(storage::message_row const& message) { commit({storage::add_message(message)}); }

    std::vector<std::string> history(int job, int limit, int conversation = 10) {
        auto read = io_.run(storage::read_history(
                                *reads_,
                                lane_id{1},
                                conversation_id{conversation},
                                job_id{job},
                                limit,
                                std::chrono::seconds{5}
                            ))
                        .value();
        std::vector<std::string> contents;
        for (auto const& message : read.messages) contents.push_back(message.content);
        return contents;
    }

    // A lane with a turn that is not over and whose question is message 50.
    void live_turn(int job, std::string state = "available") {
        database_.execute(
            "update postrider.lane_run set ready_at = postrider.now(), arrivals = 1, head = " +
            std::to_string(job) +
            ";"
            "insert into postrider.job (job_id, lane_id, conversation_id, arrival, state, kind, "
            "input, run_no, started_at) values (" +
            std::to_string(job) + ", 1, 10, 1, '" + state +
            "', 'turn', '{\"bot\": 1, \"chat\": 7}', 1, postrider.now())"
        );
        auto asked = row(job, 0, "user", "old text");
        asked.telegram_message = telegram_message_id{50};
        add(asked);
    }

    // What edit_message answered: "none", "replaced" or "kept".
    std::string edit(std::string text, int message = 50, int chat = 7) {
        auto returned = commit(
            {storage::lock_edited_lanes("a", chat_id{chat}, telegram_message_id{message}),
             storage::edit_message(
                 "a", bot_id{1}, chat_id{chat}, telegram_message_id{message}, text
             )}
        );
        if (returned.at(1).empty()) return "none";
        return returned[1].at(0).boolean(1) ? "replaced" : "kept";
    }

    std::string content(int job) {
        return database_.value(
            "select content from postrider.message where job_id = " + std::to_string(job)
        );
    }
    std::string edits() { return database_.value("select edits from postrider.busy_lane"); }

    loop io_;
    test_database database_;
    std::unique_ptr<storage::batcher> writes_;
    std::unique_ptr<storage::batcher> reads_;
};

} // namespace postrider::tests
