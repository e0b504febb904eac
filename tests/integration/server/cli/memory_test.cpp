// What agents remember for long, from the command line.
#include "tests/integration/server/cli/database_commands.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

#include <algorithm>

namespace postrider::tests::memory_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
namespace json = boost::json;

class memory_command : public database_commands {
protected:
    memory_command() {
        database.execute(R"sql(
insert into postrider.lane (lane_key, bot_id, chat_id) values ('1:7:0', 1, 7);
insert into postrider.message (lane_id, job_id, conversation_id, position, role, id, sender_id, content)
values (1, 41, 9, 0, 'user', 'msg', 7, 'My dog is called Rex, remember that.');
insert into postrider.memory (user_id, chat_id, bot_id, kind, content, language, words, made_by)
values (7, 0, 1, 'note', 'The dog is called Rex.', 'en', '', 'a'), (8, 0, 1, 'fact', 'Bob plays chess.', 'en', '', 'b'),
       (0, -9, 1, 'summary', 'They planned a trip.', 'en', '', 'c');
insert into postrider.memory_source (memory_id, lane_id, job_id, position, user_id) values (1, 1, 41, 0, 7), (1, 1, 42, 0, 7))sql"
        );
    }

    json::value json_of(std::vector<std::string> args) {
        args.emplace_back("--json");
        auto const printed = run_with(args);
        EXPECT_EQ(printed.code, 0) << printed.err;
        return json::parse(printed.out);
    }
};

TEST_F(memory_command, lists_a_persons_memories_with_their_sources) {
    auto const listed = json_of({"memory", "list", "--user", "7"}).at("memories").as_array();

    ASSERT_EQ(listed.size(), 1u);
    auto const& memory = listed.front();
    EXPECT_EQ(memory.at("memory_id"), 1);
    EXPECT_EQ(memory.at("kind"), "note");
    EXPECT_EQ(memory.at("text"), "The dog is called Rex.");
    EXPECT_EQ(memory.at("user_id"), 7);
    EXPECT_TRUE(memory.at("created_at").is_string());
    ASSERT_EQ(memory.at("sources").as_array().size(), 2u);
    EXPECT_EQ(memory.at("sources").at(0).at("job_id"), 41);
    EXPECT_EQ(memory.at("sources").at(0).at("message_id"), "msg");
    EXPECT_TRUE(memory.at("sources").at(1).at("message_id").is_null()) << "it is deleted";
}

TEST_F(memory_command, lists_by_group_and_kind_and_page_by_page) {
    EXPECT_THAT(
        run_with({"memory", "list", "--chat", "-9"}).out,
        AllOf(HasSubstr("trip"), HasSubstr("group -9"), Not(HasSubstr("Rex")))
    );
    EXPECT_THAT(
        run_with({"memory", "list", "--kind", "fact"}).out,
        AllOf(HasSubstr("chess"), Not(HasSubstr("trip")))
    );
    auto const page = json_of({"memory", "list", "--limit", "2"});
    EXPECT_EQ(page.at("memories").as_array().size(), 2u);
    EXPECT_EQ(page.at("next"), "2");
    auto const rest = json_of({"memory", "list", "--limit", "2", "--cursor", "2"});
    EXPECT_EQ(rest.at("memories").at(0).at("memory_id"), 1);
    EXPECT_THAT(
        run_with({"memory", "list", "--user", "99"}).err, HasSubstr("Nothing is remembered")
    );
    EXPECT_EQ(run_with({"memory", "list", "--kind", "rumour"}).code, 2);
}

TEST_F(memory_command, shows_what_a_memory_comes_from) {
    EXPECT_THAT(
        run_with({"memory", "show", "1"}).out,
        AllOf(HasSubstr("The dog"), HasSubstr("My dog is called Rex"), HasSubstr("deleted"))
    );
    EXPECT_EQ(
        json_of({"memory", "show", "1"}).at("sources").at(0).at("text"),
        "My dog is called Rex, remember that."
    );
    EXPECT_EQ(run_with({"memory", "show", "77"}).code, 1);
}

TEST_F(memory_command, forgets_one_and_is_in_the_audit) {
    EXPECT_EQ(run_with({"memory", "forget", "1"}).code, 0);
    auto const again = run_with({"memory", "forget", "1"});

    EXPECT_EQ(again.code, 1);
    EXPECT_THAT(again.err, HasSubstr("there is no memory 1"));
    EXPECT_EQ(
        database.value(
            "select string_agg(memory_id::text, ',' order by memory_id) from postrider.memory"
        ),
        "2,3"
    );
    EXPECT_EQ(
        database.value("select subject from postrider.audit where kind = 'memory_forget'"),
        "memory:1"
    );
    EXPECT_THAT(
        database.value("select actor from postrider.audit where kind = 'memory_forget'"),
        HasSubstr("cli:")
    );
}

TEST_F(memory_command, exports_lines_of_json) {
    auto const exported = run_with({"memory", "export", "--user", "7"});

    EXPECT_EQ(exported.code, 0) << exported.err;
    EXPECT_EQ(std::ranges::count(exported.out, '\n'), 1);
    EXPECT_EQ(json::parse(exported.out).at("text"), "The dog is called Rex.");
}

TEST_F(memory_command, makes_no_vectors_without_a_server_for_them) {
    auto const refused = run_with({"memory", "reembed"});

    EXPECT_EQ(refused.code, 1);
    EXPECT_THAT(refused.err, HasSubstr("[embeddings.default]"));
    EXPECT_EQ(database.value("select count(*) from postrider.job"), "0");
}

} // namespace
} // namespace postrider::tests::memory_test
