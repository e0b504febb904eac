#include "queue/run/order_check.hpp"

#include <gmock/gmock.h>

namespace postrider::queue::order_check_test {

namespace {

std::string diff_of(order_check& held, std::string const& key) {
    try {
        held.ask(key);
    } catch (record_mismatch const& e) {
        return e.diff;
    }
    return "none";
}

// covers: E.07
TEST(order_check, lets_the_code_follow_its_record_and_then_go_on) {
    order_check held({"a", "b"});
    EXPECT_EQ(diff_of(held, "a"), "none");
    EXPECT_EQ(diff_of(held, "b"), "none");
    EXPECT_EQ(diff_of(held, "new"), "none");
    EXPECT_NO_THROW(held.end());
}

TEST(order_check, of_an_empty_record_allows_everything) {
    order_check held({});
    EXPECT_EQ(diff_of(held, "anything"), "none");
    EXPECT_NO_THROW(held.end());
}

// covers: E.07
TEST(order_check, refuses_a_new_step_in_front_of_recorded_ones) {
    order_check held({"a", "b"});
    held.ask("a");
    EXPECT_EQ(
        diff_of(held, "new"),
        "the record has [a, b]; the code asked for [a] and then asks for new instead of asking for "
        "b"
    );
}

// covers: E.07
TEST(order_check, lets_branches_have_recorded_the_last_of_their_steps_alone) {
    order_check held({"a", "tool:2", "tool:3"});
    held.ask("a");
    held.ask_together({"tool:1", "tool:2", "tool:3"});
    EXPECT_EQ(diff_of(held, "tool:1"), "none");
    EXPECT_EQ(diff_of(held, "tool:3"), "none");
    EXPECT_EQ(diff_of(held, "tool:2"), "none");
    EXPECT_NO_THROW(held.end());
}

TEST(order_check, holds_what_comes_behind_branches_to_the_record) {
    order_check held({"tool:2", "b"});
    held.ask_together({"tool:1", "tool:2"});
    EXPECT_NE(diff_of(held, "tool:1"), "none") << "b was asked for once all of them had ended";
    EXPECT_THROW(held.end(), record_mismatch);
}

TEST(order_check, does_not_wait_for_what_was_skipped) {
    order_check held({"a/one", "a/b/one", "a/c/one", "ab/one", "d/one"});
    held.skip_unasked("a/");
    EXPECT_THROW(held.end(), record_mismatch) << "ab is another scope";
    held.ask("ab/one");
    EXPECT_THROW(held.end(), record_mismatch) << "the rest of the record";
    held.ask("d/one");
    EXPECT_NO_THROW(held.end());
    EXPECT_NO_THROW(held.ask("a/c/two"));
}

// covers: E.07
TEST(order_check, lets_what_was_only_tried_be_left) {
    order_check held({"a", "model", "agent/model"}, {"model", "agent/model"});
    EXPECT_EQ(diff_of(held, "a"), "none");
    EXPECT_EQ(diff_of(held, "other"), "none");
    EXPECT_EQ(diff_of(held, "agent/rules"), "none");
    EXPECT_NO_THROW(held.end());
}

TEST(order_check, lets_what_was_only_tried_be_asked_for_in_its_place) {
    order_check held({"model", "b"}, {"model"});
    EXPECT_EQ(diff_of(held, "model"), "none");
    EXPECT_NE(diff_of(held, "other"), "none") << "b has ended";
    EXPECT_THROW(held.end(), record_mismatch);
}

TEST(order_check, refuses_an_end_before_all_of_the_record) {
    order_check held({"a", "b"});
    held.ask("a");
    EXPECT_THROW(held.end(), record_mismatch);
}

// Branches that run side by side may come to their recorded steps in another order.
TEST(order_check, does_not_mind_the_order_among_recorded_steps) {
    order_check held({"a", "b", "c"});
    for (auto const* key : {"b", "a", "c"}) EXPECT_EQ(diff_of(held, key), "none");
    EXPECT_NO_THROW(held.end());
}

TEST(order_check, lets_a_recorded_step_be_asked_for_again) {
    order_check held({"a", "b"});
    EXPECT_EQ(diff_of(held, "a"), "none");
    EXPECT_EQ(diff_of(held, "a"), "none");
}

TEST(order_check, leaves_what_undoes_out) {
    order_check held({"a", "undo:a"});
    EXPECT_EQ(diff_of(held, "a"), "none");
    EXPECT_NO_THROW(held.end());
}

// covers: E.07
TEST(order_check, holds_each_scope_to_its_own_order) {
    order_check held({"a/one", "b/one", "b/two", "a/two"});
    EXPECT_EQ(diff_of(held, "b/one"), "none");
    EXPECT_EQ(diff_of(held, "b/two"), "none");
    EXPECT_EQ(diff_of(held, "b/new"), "none") << "all of b's record was asked for";
    EXPECT_EQ(
        diff_of(held, "a/new"),
        "the record has [a/one, a/two]; the code asked for [] and then asks for a/new instead of "
        "asking for a/one"
    );
    EXPECT_THROW(held.end(), record_mismatch);
}

} // namespace

} // namespace postrider::queue::order_check_test
