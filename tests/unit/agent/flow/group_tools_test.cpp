// The tools of an agent in a group: its archive, its members and reactions, of this chat alone.
#include "base/json/json.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

namespace postrider::tests::group_tools_test {
namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

struct group_tools : testing::Test {
    flow_world w{flow_builder("claudir")
                     .trigger("In", "telegram.message")
                     .agent("Claudir", {{"prompt", "{{ $json.text }}"}, {"speaks", "tools"}})
                     .part("Info", "tool.get_user_info")
                     .part("Archive", "tool.read_messages")
                     .part("React", "tool.react")
                     .text()};
    std::vector<json::object> asked; // of the archive

    group_tools() {
        w.adjust = [](flow::node_services& services) {
            services.is_owner = [](bot_id bot, user_id user) {
                return bot == bot_id{1} && user == user_id{7};
            };
            services.timezone_of = [](bot_id) { return std::string("Europe/Berlin"); };
        };
        w.table.others = [this](storage::write const& question) -> std::optional<storage::rows> {
            auto const name = question.statement->name;
            if (name != "read_archive" && name != "find_author") return std::nullopt;
            asked.push_back(json::parse(question.row).as_object());
            return archive;
        };
    }

    // What the model reads of its call.
    std::string call(std::string tool, json::object arguments, bool silent = false) {
        w.model.script = {calls({{std::move(tool), std::move(arguments)}}), says("")};
        flow::execution_input input;
        input.heard =
            flow::heard_message{{bot_id{1}, chat_id{-100}}, user_id{7}, telegram_message_id{50}};
        input.silent = silent;
        EXPECT_EQ(w.run(std::move(input)).state, queue::job_state::completed);
        return w.model.requests.at(1).messages.back().content;
    }

    storage::rows archive;
};

// covers: S4.09
TEST_F(group_tools, tell_who_a_member_is) {
    agent::chat_member alex{user_id{7}, "Alex Doe", agent::member_standing::administrator};
    alex.username = "alex";
    alex.first_name = "Alex";
    alex.last_name = "Doe";
    w.chat.members = {{user_id{7}, alex}};

    auto const answer = call("get_user_info", {{"user_id", 7}});

    EXPECT_THAT(answer, HasSubstr(R"("username":"alex","first_name":"Alex","last_name":"Doe")"));
    EXPECT_THAT(answer, HasSubstr(R"("is_owner":true,"standing":"administrator")"));
}

TEST_F(group_tools, know_from_the_archive_who_has_left) {
    archive = {storage::row{
        {"0",
         "12",
         "f",
         "8",
         std::nullopt,
         "Eve X",
         "",
         std::nullopt,
         "1000000",
         "f",
         "f",
         R"({"username": "eve", "first_name": "Eve"})"}}};

    auto const answer = call("get_user_info", {{"user_id", 8}});

    EXPECT_THAT(answer, HasSubstr(R"("username":"eve","first_name":"Eve","is_owner":false)"));
    EXPECT_EQ(asked.at(0).at("user_id"), 8);
    EXPECT_EQ(asked.at(0).at("chat_id"), -100);
}

TEST_F(group_tools, say_that_nobody_has_an_id) {
    EXPECT_THAT(call("get_user_info", {{"user_id", 9}}), HasSubstr("nobody of this chat"));
}

// covers: S4.09
TEST_F(group_tools, read_the_messages_of_this_chat) {
    archive = {
        storage::row{
            {"0",
             "12",
             "f",
             "8",
             std::nullopt,
             "Eve X",
             "hello",
             "11",
             "1795228800000000",
             "t",
             "f",
             R"({"username": "eve", "media": "photo"})"}},
        storage::row{
            {"0",
             "13",
             "t",
             std::nullopt,
             std::nullopt,
             std::nullopt,
             "hm good point",
             std::nullopt,
             "1795228860000000",
             "f",
             "f",
             std::nullopt}},
        storage::row{
            {"0",
             "14",
             "f",
             "9",
             std::nullopt,
             "Bob",
             "",
             std::nullopt,
             "1795228920000000",
             "f",
             "t",
             std::nullopt}}};

    auto const answer = call(
        "read_messages", {{"last_n", 10}, {"from_timestamp", "2026-11-20 10:00"}, {"limit", 20}}
    );

    EXPECT_THAT(answer, HasSubstr(R"({"id":12,"user":8,"name":"eve","time":"2026-11-21T)"));
    EXPECT_THAT(answer, HasSubstr(R"("reply_to":11,"media":"photo","edited":true,"text":"hello")"));
    EXPECT_THAT(answer, HasSubstr(R"({"id":13,"from":"you")"));
    EXPECT_THAT(answer, HasSubstr(R"("deleted":true})"));
    auto const& page = asked.at(0);
    EXPECT_EQ(page.at("most"), 10);
    EXPECT_EQ(page.at("chat_id"), -100);
    EXPECT_EQ(page.at("bot_id"), 1);
    EXPECT_EQ(page.at("from_us"), 1'795'165'200'000'000) << "10:00 in Berlin";
    EXPECT_FALSE(page.contains("before_us"));
}

// covers: S4.11
TEST_F(group_tools, know_a_chat_that_writes_by_its_own_number) {
    archive = {storage::row{
        {"0",
         "12",
         "f",
         "136817688",
         "-1007",
         "Fern News",
         "hello",
         std::nullopt,
         "1795228800000000",
         "f",
         "f",
         R"({"username": "Channel_Bot", "chat_username": "fern_news"})"}}};

    EXPECT_THAT(
        call("read_messages", {}), HasSubstr(R"({"id":12,"user":-1007,"name":"fern_news",)")
    );
}

TEST_F(group_tools, read_fifty_messages_unless_they_are_told_otherwise) {
    EXPECT_THAT(call("read_messages", {}), HasSubstr("no such messages"));
    EXPECT_EQ(asked.at(0).at("most"), 50);
}

TEST_F(group_tools, refuse_a_time_that_is_none_and_any_other_chat) {
    EXPECT_THAT(
        call("read_messages", {{"to_timestamp", "yesterday"}}), HasSubstr("2026-01-10 10:00")
    );
    EXPECT_THAT(asked, IsEmpty());
}

TEST_F(group_tools, name_no_chat) {
    EXPECT_THAT(call("read_messages", {{"chat", -200}}), HasSubstr("chat"));
    EXPECT_THAT(asked, IsEmpty());
}

TEST_F(group_tools, react_to_a_message) {
    EXPECT_THAT(call("react", {{"message_id", 44}, {"emoji", "🔥"}}), HasSubstr("Reacted"));
    EXPECT_THAT(w.chat.reactions, ElementsAre(Pair(telegram_message_id{44}, "🔥")));
}

TEST_F(group_tools, react_to_nothing_in_a_silent_execution) {
    EXPECT_THAT(call("react", {{"message_id", 44}, {"emoji", "🔥"}}, true), HasSubstr("Not done"));
    EXPECT_THAT(w.chat.reactions, IsEmpty());
}

} // namespace
} // namespace postrider::tests::group_tools_test
