#pragma once
// A flow that checks a group's messages for spam, and what it needs around it, in memory.
#include "agent/spam/normal_text.hpp"
#include "agent/spam/recent_messages.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::tests {

inline constexpr std::string_view advertisement =
    "🔥🔥🔥 Набираю людей в команду! Удaлённый зaрaбoтoк от 1000$ в неделю, пишите в лс";
inline constexpr std::string_view greeting = "hello all, how are you today?";

inline std::string guarding(boost::json::object parameters = {}, bool has_model = false) {
    flow_builder guard("guard");
    guard.trigger("In", "manual").node("Check", "spam.check", std::move(parameters));
    if (has_model) guard.part("Model", "model");
    return guard.text();
}

// A message of user 7 in the group -100, with other members.
inline boost::json::object group_item(
    std::string_view text, boost::json::object const& changes = {}
) {
    boost::json::object item{
        {"event", "message"},
        {"bot", 1},
        {"chat", -100},
        {"user", 7},
        {"message", 50},
        {"text", text},
        {"sender", boost::json::object{{"kind", "member"}, {"user", 7}, {"name", "Eve"}}}};
    for (auto const& [name, value] : changes) item[name] = value;
    return item;
}

inline boost::json::object of_sender(boost::json::object sender) {
    return {{"sender", std::move(sender)}};
}

inline agent::chat_member administrator(std::int64_t user) {
    agent::chat_member member;
    member.user = user_id{user};
    member.standing = agent::member_standing::administrator;
    return member;
}

struct guard_world : flow_world {
    explicit guard_world(boost::json::object parameters = {}, bool has_model = false)
        : flow_world(guarding(std::move(parameters), has_model)) {
        table.others = [this](storage::write const& question) { return answer(question); };
        adjust = [](agent::flow::node_services& services) {
            services.is_owner = [](bot_id, user_id user) { return user == user_id{99}; };
        };
    }

    std::optional<storage::rows> answer(storage::write const& question) {
        if (question.statement->name == "read_archive") archive_page = question.row;
        auto const other = answers.find(question.statement->name);
        if (other != answers.end()) return other->second;
        auto const name = question.statement->name;
        if (name == "read_archive" || name == "spam.opinion" || name == "spam.registration")
            return storage::rows(); // nothing is kept
        if (name != "spam.standing") return std::nullopt;
        ++looks;
        storage::rows rows;
        for (auto const& [author, text] : recent) {
            auto const normal = agent::spam::normalize(text);
            auto const wording = static_cast<std::int64_t>(agent::spam::wording_of(normal));
            rows.push_back(storage::row{
                {"0",
                 approved_by,
                 std::nullopt,
                 std::nullopt,
                 std::to_string(author),
                 std::to_string(wording),
                 std::to_string(normal.characters),
                 std::to_string(now()),
                 reactions,
                 of_album()}});
        }
        std::optional<std::string> const none;
        if (rows.empty())
            rows.push_back(storage::row{
                {"0", approved_by, none, none, none, none, none, none, reactions, of_album()}});
        return rows;
    }
    std::string of_album() const { return is_album_caught ? "t" : "f"; }
    std::int64_t now() const {
        return std::chrono::floor<std::chrono::seconds>(clock.now()).time_since_epoch().count();
    }

    queue::outcome check_all(boost::json::array items, bool silent = false) {
        agent::flow::execution_input input;
        input.flow = "guard";
        input.version = 1;
        input.silent = silent;
        input.pinned = {{"In", std::move(items)}};
        return run(std::move(input));
    }
    // The verdict on one item.
    boost::json::object check(boost::json::object item) {
        auto const outcome = check_all({std::move(item)});
        EXPECT_EQ(outcome.state, queue::job_state::completed) << outcome.error.detail;
        return outcome.output.at("items").at(0).at("verdict").as_object();
    }
    std::vector<std::string> written() const {
        std::vector<std::string> names;
        for (auto const& write : record.writes)
            if (write.statement->name.starts_with("spam."))
                names.emplace_back(write.statement->name);
        return names;
    }
    boost::json::object written_by(std::string_view name) const {
        for (auto const& write : record.writes)
            if (write.statement->name == name) return boost::json::parse(write.row).as_object();
        return {};
    }

    std::optional<std::string> approved_by;
    std::optional<std::string> reactions; // of the author: Unix seconds, with blanks between
    bool is_album_caught = false;         // another part of the message's album
    std::map<std::string, storage::rows, std::less<>> answers; // of other statements, by name
    std::vector<std::pair<std::int64_t, std::string>> recent;  // by author, a moment ago
    int looks = 0;
    std::string archive_page; // that was asked for last
};

inline bool is_spam(boost::json::object const& verdict) {
    return verdict.at("spam").as_bool();
}

inline std::string reason_of(boost::json::object const& verdict) {
    return std::string(verdict.at("reason").as_string());
}

} // namespace postrider::tests
