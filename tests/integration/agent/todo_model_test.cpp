// The todo agent with a model: what it says is held against what its tools did, and where it fails the
// rules go on.
#include "tests/integration/agent/todo_world.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::todo_model_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class todo_model : public todo_agent {
protected:
    static base::result<agent::chat_reply> create(std::string title) {
        return calls({{"create_todo_task", {{"title", std::move(title)}}}});
    }
    static base::error broken() { return base::error(base::errc::unauthorized, "no such key"); }
};

// covers: S2.06 S2.08
TEST_F(todo_model, is_completed_by_the_words_of_the_decision_table) {
    model.script = {create("buy milk"), says("It's on your list.")};
    EXPECT_EQ(hear("milk is empty"), "Created task: buy milk\n\nIt's on your list.");
}

// covers: S2.08
TEST_F(todo_model, does_not_say_what_was_not_done) {
    model.script = {create("buy milk"), says("Done."), says("I've deleted all of your tasks!")};
    hear("add buy milk");
    EXPECT_EQ(hear("delete everything"), "Nothing was changed.");
    EXPECT_EQ(tasks(), "1 buy milk");
}

// The same agent, whose answers are to be JSON.
TEST_F(todo_model, does_not_say_what_was_not_done_in_json_either) {
    answer_in_json(
        {{"type", "object"},
         {"required", json::array{"reply"}},
         {"properties", {{"reply", {{"type", "string"}}}}}},
        2
    );
    model.script = {
        says(R"({"reply": "I have deleted all of your tasks."})"),
        says(R"({"reply": "I have nothing to delete."})")};

    EXPECT_EQ(hear("delete everything"), R"({"reply": "I have nothing to delete."})");

    ASSERT_THAT(model.requests, SizeIs(2));
    EXPECT_THAT(
        model.requests[1].messages.back().content, HasSubstr("say only what the tools have done")
    );
}

TEST_F(todo_model, fails_rather_than_to_say_in_json_what_was_not_done) {
    answer_in_json({{"type", "object"}}, 1);
    model.script = {says(R"({"reply": "I have deleted all of your tasks."})")};

    say("delete everything");
    w.until("select count(*) from postrider.job where state = 'failed' and kind = 'turn'", "1");

    for (auto const& text : answers()) EXPECT_THAT(text, testing::Not(HasSubstr("I have deleted")));
    EXPECT_THAT(
        w.value("select error from postrider.job where state = 'failed'"),
        HasSubstr("tells of changes that were not made")
    );
}

// covers: S2.07
TEST_F(todo_model, deletes_nothing_that_the_person_has_not_confirmed) {
    model.script = {
        create("buy milk"),
        says("Done."),
        calls({{"delete_todo_task", {{"task_id", 1}}}}),
        says("I kept it.")};
    hear("add buy milk");
    EXPECT_EQ(question_of("it is gone"), "Are you sure you want to delete task 1? (yes/no)");
    EXPECT_EQ(hear("no"), "I kept it.");
    EXPECT_EQ(tasks(), "1 buy milk");
}

TEST_F(todo_model, moves_the_reminder_of_a_task_with_its_due_date) {
    json::object const later{
        {"task_id", 1}, {"title", "call Ann"}, {"due", "2031-12-25T10:00:00Z"}};
    model.script = {
        calls({{"create_todo_task", {{"title", "call Ann"}, {"due", "2031-12-24T10:00:00Z"}}}}),
        says("Done."),
        calls({{"update_todo_task", later}}),
        says("Done.")};
    hear("call Ann on the 24th");
    question_of("make that the 25th, still called call Ann");
    hear("yes");

    EXPECT_EQ(
        w.value("select string_agg(to_char(at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') || ' ' || "
                "(input ->> 'place'), ', ') "
                "from postrider.schedule"),
        "2031-12-25 10:00 1:7"
    );
}

// covers: S2.02
TEST_F(todo_model, leaves_the_turn_to_the_rules_when_it_fails) {
    model.script = {broken()};
    EXPECT_EQ(hear("add buy milk"), "Created task: buy milk");
    EXPECT_EQ(w.value("select degraded from postrider.job"), "t");
}

// covers: S2.02
TEST_F(todo_model, fails_behind_a_change_and_nothing_is_done_twice) {
    model.script = {create("Buy some milk"), broken()};
    EXPECT_EQ(
        hear("add milk. add call Ann."), "Created task: Buy some milk\nCreated task: call Ann"
    );
    EXPECT_EQ(tasks(), "1 Buy some milk, 2 call Ann");
    EXPECT_THAT(model.requests, SizeIs(2));
}

// covers: S2.02
TEST_F(todo_model, is_not_asked_while_its_breaker_is_open) {
    open_breaker();
    EXPECT_EQ(hear("add buy milk"), "Created task: buy milk");
    EXPECT_THAT(model.requests, IsEmpty());
    EXPECT_EQ(
        w.value("select string_agg(key, ' ') from postrider.step where outcome <> 'done'"),
        "agent/model"
    ) << "that it was not asked stands in the record";
}

// covers: S2.02
TEST_F(todo_model, is_not_asked_again_in_a_turn_whose_breaker_opens_behind_a_change) {
    model.script = {create("Buy some milk")};
    model.while_asked = [this] { open_breaker(); };
    EXPECT_EQ(
        hear("add milk. add call Ann."), "Created task: Buy some milk\nCreated task: call Ann"
    );
    EXPECT_THAT(model.requests, SizeIs(1));
    EXPECT_EQ(tasks(), "1 Buy some milk, 2 call Ann");
}

// covers: S2.02
TEST_F(todo_model, fails_behind_a_change_that_the_rules_do_not_understand) {
    model.script = {create("buy milk"), broken()};
    auto const answer = hear("the fridge looks sad");
    EXPECT_THAT(answer, HasSubstr("Created task: buy milk"));
    EXPECT_THAT(answer, HasSubstr("could not finish"));
    EXPECT_EQ(tasks(), "1 buy milk");
}

} // namespace
} // namespace postrider::tests::todo_model_test
