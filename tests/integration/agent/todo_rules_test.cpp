// The todo agent without a model: everything by rules, every act a tool call.
#include "base/fault.hpp"
#include "tests/integration/agent/todo_world.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::todo_rules_test {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class todo_rules : public todo_agent {
protected:
    todo_rules() { use_rules(); }
};

// covers: S2.02 S2.03 S2.06 S2.14
TEST_F(todo_rules, serve_every_row_of_the_decision_table) {
    EXPECT_EQ(hear("add buy milk"), "Created task: buy milk");
    EXPECT_EQ(hear("remind me to call Ann"), "Created task: call Ann");
    EXPECT_EQ(hear("what's on my list?"), "#1 buy milk\n#2 call Ann");
    EXPECT_EQ(hear("show task 2"), "Task 2: call Ann\nStatus: open\nPriority: medium");
    EXPECT_EQ(hear("done with the milk"), "Completed task: buy milk");
    EXPECT_EQ(hear("what's on my list?"), "#1 buy milk ✅\n#2 call Ann");
    EXPECT_EQ(
        question_of("rename task 2 to call Ann back"),
        "Are you sure you want to rename task 2? (yes/no) → call Ann back"
    );
    EXPECT_EQ(hear("yes"), "Renamed task 2 to: call Ann back");
    EXPECT_EQ(
        question_of("delete task 1"), "Are you sure you want to delete task 1? (yes/no) → buy milk"
    );
    EXPECT_EQ(hear("yes"), "Deleted task: buy milk");
    EXPECT_EQ(tasks(), "2 call Ann back");
    EXPECT_EQ(w.value("select count(*) from postrider.job where degraded"), "0");
}

// covers: S2.07
TEST_F(todo_rules, delete_nothing_before_a_clear_yes) {
    hear("add buy milk");
    question_of("delete the milk");
    EXPECT_EQ(tasks(), "1 buy milk");
    EXPECT_EQ(approval("state"), "waiting");

    EXPECT_EQ(hear("no"), "Task 1 is unchanged.");

    EXPECT_EQ(tasks(), "1 buy milk");
    EXPECT_EQ(approval("state || ' ' || decided_via"), "rejected text");
}

// covers: S2.07
TEST_F(todo_rules, delete_no_task_that_is_called_otherwise_by_now) {
    hear("add buy milk");
    question_of("delete task 1");
    w.execute("update postrider.task set title = 'pay the rent'");

    EXPECT_EQ(hear("yes"), "Task 1 is called \"pay the rent\" now, so it was not deleted.");
    EXPECT_EQ(tasks(), "1 pay the rent");
}

// covers: S2.07
TEST_F(todo_rules, take_anything_else_than_a_yes_for_another_message) {
    hear("add buy milk");
    question_of("delete the milk");
    say("what's on my list?");
    until_over(turns = 3);

    EXPECT_THAT(answers(), Contains("Task 1 is unchanged: that was not a yes."));
    EXPECT_EQ(last(), "#1 buy milk");
    EXPECT_EQ(approval("state"), "withdrawn");
    EXPECT_EQ(hear("yes"), "There is nothing that waits for a yes or a no.");
    EXPECT_EQ(tasks(), "1 buy milk");
}

// covers: S2.07
TEST_F(todo_rules, ask_nobody_who_has_confirmed_it_in_the_same_message) {
    hear("add buy milk");
    EXPECT_EQ(hear("delete task 1, yes I'm sure"), "Deleted task: buy milk");
    EXPECT_EQ(w.value("select count(*) from postrider.approval"), "0");
    hear("add buy bread");
    EXPECT_EQ(hear("delete the bread, yes really, I'm sure"), "Deleted task: buy bread");
    EXPECT_EQ(w.value("select count(*) from postrider.approval"), "0");
}

// covers: S2.13
TEST_F(todo_rules, find_what_is_meant_in_the_list_last_shown) {
    for (auto const* title : {"buy milk", "buy bread", "call Ann"})
        hear(std::string("add ") + title);
    EXPECT_EQ(
        question_of("delete task 1"), "Are you sure you want to delete task 1? (yes/no) → buy milk"
    );
    hear("yes");
    EXPECT_EQ(hear("what's on my list?"), "#2 buy bread\n#3 call Ann");
    EXPECT_EQ(hear("finish the second one"), "Completed task: call Ann");
    EXPECT_EQ(
        question_of("rename it to call Ann back"),
        "Are you sure you want to rename task 3? (yes/no) → call Ann back"
    );
    EXPECT_EQ(hear("yes please"), "Renamed task 3 to: call Ann back");
}

// covers: S2.07
TEST_F(todo_rules, change_when_a_task_is_due_and_how_urgent_it_is) {
    hear("add buy milk");
    EXPECT_EQ(
        question_of("set task 1 due on 2031-12-24"),
        "Are you sure you want to change task 1? (yes/no) → due: Wed, 24 December 2031, title: "
        "\"buy milk\""
    );
    EXPECT_EQ(hear("yes"), "Changed task 1 to: buy milk (due: Wed, 24 December 2031)");
    question_of("set the milk due in 2 hours");
    clock.advance(std::chrono::minutes(10));
    EXPECT_THAT(hear("yes"), StartsWith("Changed task 1 to: buy milk (due: "))
        << "the words mean a later time by then, and nobody is asked again";
    question_of("change task 1 to high priority");
    EXPECT_EQ(hear("no"), "Task 1 is unchanged.");
    EXPECT_EQ(tasks(), "1 buy milk");
}

TEST_F(todo_rules, ask_which_one_is_meant_and_take_the_answer) {
    hear("add buy milk");
    hear("add buy bread");
    EXPECT_THAT(hear("mark buy as done"), StartsWith("Which one shall I complete?\n#1 buy milk"));
    EXPECT_EQ(tasks(), "1 buy milk, 2 buy bread");
    EXPECT_EQ(hear("the second one"), "Completed task: buy bread");
}

// covers: S2.11
TEST_F(todo_rules, do_several_things_in_their_order) {
    EXPECT_EQ(
        hear("add buy milk. add call Ann."), "Created task: buy milk\nCreated task: call Ann"
    );
    EXPECT_EQ(
        question_of("add buy tea. delete task 1."),
        "Created task: buy tea\nAre you sure you want to delete task 1? (yes/no) → buy milk"
    );
    EXPECT_EQ(tasks(), "1 buy milk, 2 call Ann, 3 buy tea") << "nothing else waits for the answer";
    EXPECT_EQ(hear("yes"), "Created task: buy tea\nDeleted task: buy milk");
}

// covers: S2.08
TEST_F(todo_rules, explain_what_was_not_done) {
    EXPECT_EQ(hear("complete task 9"), "There is no task 9.");
    EXPECT_EQ(hear("delete task 9"), "There is no task 9.");
    EXPECT_EQ(hear("what's on my list?"), "Your list is empty.");
    EXPECT_THAT(hear("colourless green ideas sleep"), HasSubstr("add buy milk"));
    EXPECT_THAT(tasks(), IsEmpty());
}

// covers: X.16
TEST_F(todo_rules, leave_sums_to_the_calculator) {
    EXPECT_EQ(hear("what is 12 * 3?"), "12 * 3 = 36");
}

// covers: S2.05 S2.15
TEST_F(todo_rules, go_on_in_another_process) {
    hear("add buy milk");
    question_of("delete task 1");
    restart();
    EXPECT_EQ(hear("yes"), "Deleted task: buy milk");
    EXPECT_EQ(w.value("select count(*) from postrider.task_call"), "2") << "each change once";
}

TEST_F(todo_rules, do_a_change_once_whose_answer_is_lost) {
    base::fault::arm("tasks.after_commit:error").value();
    EXPECT_EQ(hear("add buy milk"), "Created task: buy milk");
    EXPECT_EQ(tasks(), "1 buy milk");
}

// covers: S2.05
TEST_F(todo_rules, remind_of_a_due_date_in_its_chat_until_the_task_is_done) {
    auto const kept = [this] {
        return w.value(
            "select coalesce(string_agg(concat_ws(' ', input ->> 'text', input ->> 'place', "
            "input ->> 'chat', to_char(at at time zone 'UTC', 'YYYY-MM-DD HH24:MI')), ', ' order "
            "by name), '') "
            "from postrider.schedule where kind = 'reminder'"
        );
    };
    base::fault::arm("tasks.after_commit:error").value();
    EXPECT_THAT(
        hear("remind me to call Ann on 24 December 2031 at 10:00"),
        StartsWith("Created task: call Ann")
    );
    EXPECT_EQ(kept(), "#1 call Ann 1:7 7 2031-12-24 09:00") << "once, though it was done twice";
    hear("add buy milk");

    hear("done with call Ann");
    EXPECT_EQ(kept(), "");
}

// covers: S2.10
TEST_F(todo_rules, keep_calls_and_results_in_the_log) {
    hear("add buy milk");
    EXPECT_EQ(
        w.value("select string_agg(role, ' ' order by position) from postrider.message"),
        "user assistant tool assistant"
    );
}

} // namespace
} // namespace postrider::tests::todo_rules_test
