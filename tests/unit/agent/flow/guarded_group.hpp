#pragma once
// A group with a flow that acts on each message of Eve as on spam.
#include "base/json/json.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::tests::guarded {

namespace flow = agent::flow;
namespace json = boost::json;

inline constexpr chat_id group{-100};
inline constexpr chat_id admins{-200};

inline std::string acting(json::object parameters) {
    return flow_builder("guard")
        .trigger("In", "telegram.group")
        .node(
            "Judge",
            "set",
            {{"fields",
              {{"verdict",
                {{"spam", true}, {"points", 130}, {"threshold", 100}, {"reason", "Spam: links"}}}}}}
        )
        .node("Act", "spam.act", std::move(parameters))
        .text();
}

// A message of Eve, user 7, in the group.
inline flow::execution_input caught_input(
    agent::group_message message = {}, agent::group_event event = agent::group_event::message
) {
    message.sender.user = user_id{7};
    message.sender.name = "Eve";
    message.text = "earn money";
    flow::execution_input input;
    input.flow = "guard";
    input.version = 1;
    input.heard = flow::heard_message{{bot_id{1}, group}, user_id{7}, telegram_message_id{50}};
    input.heard->seen = event_json(event, message);
    return input;
}

// Its database answers what it is told.
struct guarded_group : flow_world {
    explicit guarded_group(json::object parameters) : flow_world(acting(std::move(parameters))) {
        table.others = [this](storage::write const& question) { return answer(question); };
    }

    std::optional<storage::rows> answer(storage::write const& question) {
        if (question.statement->name == "catch_record") looked_for = question.row;
        if (question.statement->name == "catch_record")
            return storage::rows{storage::row{
                {"0",
                 std::to_string(strikes),
                 is_caught ? "t" : "f",
                 is_of_album ? "t" : "f",
                 is_told ? "t" : "f",
                 is_banned ? "t" : "f"}}};
        bool const is_of_parts = question.statement->name == "album_parts";
        if (!is_of_parts && question.statement->name != "author_messages") return std::nullopt;
        storage::rows numbers;
        for (auto const number : is_of_parts ? parts : written)
            numbers.push_back(storage::row{{"0", std::to_string(number)}});
        return numbers;
    }

    // Of the statement's rows, as they were committed.
    std::vector<json::value> rows(std::string_view statement) const {
        std::vector<json::value> all;
        for (auto const& write : record.writes)
            if (write.statement->name == statement)
                all.push_back(base::parse_json(write.row).value());
        return all;
    }

    json::value caught_item() const {
        return passed_on.at("Act").at("main").at(0).json.at("catch");
    }

    template<class Act>
    std::vector<Act> acts() const {
        std::vector<Act> all;
        for (auto const& [place, act] : chat.moderated)
            if (auto const* of_kind = std::get_if<Act>(&act)) all.push_back(*of_kind);
        return all;
    }

    int strikes = 0;
    std::string looked_for;
    bool is_caught = false;
    bool is_of_album = false;
    bool is_told = false;
    bool is_banned = false;
    std::vector<std::int64_t> written; // by the author
    std::vector<std::int64_t> parts;   // of the message's album
};

} // namespace postrider::tests::guarded
