#include "agent/todo/resolve.hpp"
#include "base/ids.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace postrider::agent::todo::resolve_test {
namespace {

using kind = task_reference::kind;
using reason = no_task::reason;

std::vector<task> const tasks{
    {task_id{1}, "Buy milk"},
    {task_id{2}, "Call the dentist"},
    {task_id{3}, "Buy oat milk for Ann"},
    {task_id{4}, "Quarterly report 2026"},
    {task_id{5}, "Позвонить маме"},
    {task_id{6}, "Report"},
};

constexpr std::array shown{task_id{4}, task_id{2}, task_id{1}};

// "1", "which 1 3", or the reason's number.
std::string found(task_reference const& reference, conversation_view const& view) {
    auto const result = resolve(reference, view);
    if (auto const* single = std::get_if<task>(&result)) return base::to_string(single->id);
    if (auto const* several = std::get_if<which_task>(&result)) {
        std::string text = "which";
        for (auto const& candidate : several->candidates)
            text += " " + base::to_string(candidate.id);
        return text;
    }
    return "none " + std::to_string(int(std::get<no_task>(result).because));
}

std::string none(reason because) {
    return "none " + std::to_string(int(because));
}

std::string titled(std::string title, bool exact = false) {
    return found(
        {.by = kind::title, .title = std::move(title), .exact = exact}, {tasks, shown, {}}
    );
}

TEST(resolve, places_are_those_of_the_list_last_shown) {
    conversation_view const view{tasks, shown, task_id{3}};

    EXPECT_EQ(found({kind::id, 4}, view), "4");
    EXPECT_EQ(found({kind::position, 2}, view), "2");
    EXPECT_EQ(found({kind::position, 3}, view), "1");
    EXPECT_EQ(found({kind::from_end, 1}, view), "1");
    EXPECT_EQ(found({kind::mentioned}, view), "3");
}

TEST(resolve, says_why_there_is_none) {
    conversation_view const view{tasks, shown, {}};
    conversation_view const fresh{tasks, {}, {}};

    EXPECT_EQ(found({kind::id, 9}, view), none(reason::unknown_id));
    EXPECT_EQ(found({kind::position, 4}, view), none(reason::not_in_list));
    EXPECT_EQ(found({kind::position, 1}, fresh), none(reason::no_list));
    EXPECT_EQ(found({kind::mentioned}, view), none(reason::nothing_mentioned));
    EXPECT_EQ(found({kind::all}, view), none(reason::all_of_them));
    EXPECT_EQ(found({}, view), none(reason::not_said));
    EXPECT_EQ(titled("bicycle"), none(reason::no_title));
}

TEST(resolve, finds_titles_as_people_name_them) {
    EXPECT_EQ(titled("buy milk"), "1");
    EXPECT_EQ(titled("dentist"), "2");
    EXPECT_EQ(titled("dentst"), "2");
    EXPECT_EQ(titled("oat milk"), "3");
    EXPECT_EQ(titled("ПОЗВОНИТЬ"), "5");
    EXPECT_EQ(titled("the report"), "6") << "it is the whole title";
    EXPECT_EQ(titled("quarterly"), "4");
}

TEST(resolve, asks_when_several_fit) {
    EXPECT_EQ(titled("milk"), "which 1 3");
}

TEST(resolve, asks_when_a_title_only_comes_near) {
    EXPECT_EQ(titled("dentist on monday"), "which 2");
    EXPECT_EQ(titled("report 2025"), "which 4 6") << "a number is exact";
    EXPECT_EQ(titled("позвонить папе"), "which 5") << "half of a short word is no slip";
    EXPECT_EQ(titled("позвонить маму"), "5");
}

TEST(resolve, a_quoted_title_is_exact) {
    EXPECT_EQ(titled("Buy milk", true), "1");
    EXPECT_EQ(titled("milk", true), none(reason::no_title));
}

} // namespace
} // namespace postrider::agent::todo::resolve_test
