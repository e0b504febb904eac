#pragma once
// A group whose administrator commands about spam, in memory.
#include "base/json/json.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace postrider::tests::commanding {

inline constexpr chat_id group{-100};
inline constexpr chat_id admins{-200};
inline constexpr user_id ada{5}; // who commands
inline constexpr user_id eve{7};

inline std::string obeying(boost::json::object parameters) {
    return flow_builder("guard")
        .trigger("In", "telegram.group")
        .node("Obey", "spam.command", std::move(parameters))
        .text();
}

// Ada replies to Eve's message 50 by message 60.
struct obedient_group : flow_world {
    explicit obedient_group(boost::json::object parameters = {})
        : flow_world(obeying(std::move(parameters))) {
        table.others = [this](storage::write const& question) { return answer(question); };
        make_admin(agent::member_standing::administrator, true);
    }

    void make_admin(agent::member_standing standing, bool may_restrict) {
        agent::chat_member member;
        member.user = ada;
        member.standing = standing;
        member.may_restrict = may_restrict;
        chat.administrators = {member};
    }

    std::optional<storage::rows> answer(storage::write const& question) {
        auto const name = question.statement->name;
        if (name == "catch_record") looked_for = question.row;
        if (!is_archived && (name == "spoken_message" || name == "forwarded_message"))
            return storage::rows{};
        if (name == "forwarded_message") return storage::rows{storage::row{{"0", "-100", "50"}}};
        if (name == "spoken_message")
            return storage::rows{storage::row{
                {"0",
                 "-100",
                 "50",
                 "7",
                 std::nullopt,
                 "Eve",
                 is_wordless && question.row.find("50") != std::string::npos ? "" : "earn money",
                 "f",
                 album,
                 is_own_voice ? "t" : "f"}}};
        if (name == "album_parts")
            return storage::rows{
                storage::row{{"0", std::optional<std::string>("49")}},
                storage::row{{"0", std::optional<std::string>("50")}}};
        if (name == "read_catch")
            return is_caught ? storage::rows{storage::row{
                                   {"0",
                                    "-100",
                                    "50",
                                    "7",
                                    "1",
                                    std::nullopt,
                                    "Eve",
                                    "",
                                    "dry_run",
                                    "0",
                                    R"({"points": 130, "threshold": 100, "reason": "Spam"})",
                                    "earn money",
                                    "filter",
                                    std::nullopt,
                                    "-200",
                                    "900"}}}
                             : storage::rows{};
        if (name == "catch_record")
            return storage::rows{storage::row{{"0", std::to_string(strikes), "f", "f", "f", "f"}}};
        if (name == "report_state")
            return storage::rows{
                storage::row{{"0", is_approved ? "t" : "f", "f", std::to_string(reports)}}};
        if (name == "read_archive" || name == "author_messages") return storage::rows{};
        return std::nullopt;
    }

    queue::outcome say(std::string text, chat_id where = group) {
        agent::group_message message;
        message.sender.user = ada;
        message.sender.name = "Ada";
        message.text = std::move(text);
        if (forward)
            message.forward = *forward;
        else
            message.reply =
                agent::inside_reply{telegram_message_id{50}, eve, "Eve", "earn", is_of_bot};
        agent::flow::execution_input input;
        input.flow = "guard";
        input.version = 1;
        input.heard = agent::flow::heard_message{{bot_id{1}, where}, ada, telegram_message_id{60}};
        input.heard->seen = event_json(agent::group_event::message, message);
        auto outcome = run(input);
        EXPECT_EQ(outcome.state, queue::job_state::completed) << outcome.error.detail;
        // What answers a message in a chat ends without items.
        boost::json::array ended;
        for (auto const& [port, passed] : passed_on.at("Obey"))
            for (auto const& item : passed) ended.push_back(item.json.get());
        outcome.output.as_object()["items"] = std::move(ended);
        return outcome;
    }

    std::vector<boost::json::value> rows(std::string_view statement) const {
        std::vector<boost::json::value> all;
        for (auto const& write : record.writes)
            if (write.statement->name == statement)
                all.push_back(base::parse_json(write.row).value());
        return all;
    }
    std::vector<std::string> operations() const {
        std::vector<std::string> all;
        for (auto const& [place, act] : chat.moderated)
            all.emplace_back(to_json(act).at("operation").as_string());
        return all;
    }

    std::string looked_for; // of the record of the author
    bool is_archived = true;
    bool is_own_voice = false;
    bool is_of_bot = false;   // what is replied to
    bool is_wordless = false; // likewise; another part of its album has words
    std::string album;
    bool is_caught = false;
    bool is_approved = false;
    int strikes = 0;
    int reports = 0;
    std::optional<storage::message_forward> forward;
};

inline std::string word_of(queue::outcome const& outcome) {
    return std::string(outcome.output.at("items").at(0).at("command").at("word").as_string());
}

} // namespace postrider::tests::commanding
