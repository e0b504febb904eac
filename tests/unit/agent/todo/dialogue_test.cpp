// What was shown, mentioned or asked in a group belongs to the person that it was an answer to.
#include "agent/language/lexicon.hpp"
#include "agent/todo/dialogue.hpp"
#include "agent/todo/task_definitions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::todo::dialogue_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr user_id ann{1};
constexpr user_id bob{2};

chat_message said(user_id by, std::string text) {
    return {.role = role::user, .content = std::move(text), .speaker = by};
}

chat_message answered(std::string text) {
    return {.role = role::assistant, .content = std::move(text)};
}

chat_message asked(std::vector<task_id> offered) {
    auto message = answered("");
    message.left_open =
        to_json(left_open{.asks = intent::kind::remove, .offered = std::move(offered)});
    return message;
}

// A list of two tasks, as the tool tells it to this person.
std::vector<chat_message> listed_for(user_id person, int first) {
    tool_call const call{"call_" + std::to_string(first), std::string(list_tool), {}, {}};
    auto const task = [](int id) {
        return "{\"task_id\": " + std::to_string(id) + ", \"title\": \"t\"}";
    };
    auto list = "{\"tasks\": [" + task(first) + ", " + task(first + 1) + "], \"total\": 2}";
    chat_message result{.role = role::tool, .content = std::move(list), .call_id = call.id};
    return {
        said(person, "my list"),
        {.role = role::assistant, .calls = {call}},
        std::move(result),
        answered("#1 t")};
}

std::vector<chat_message> joined(std::vector<std::vector<chat_message>> parts) {
    std::vector<chat_message> all;
    for (auto& part : parts) std::ranges::move(part, std::back_inserter(all));
    return all;
}

// covers: S2.04
TEST(dialogue, keeps_each_person_the_list_that_they_were_shown) {
    auto const earlier = joined({listed_for(ann, 3), listed_for(bob, 7)});
    EXPECT_THAT(read_dialogue(earlier, ann).shown, ElementsAre(task_id{3}, task_id{4}));
    EXPECT_THAT(read_dialogue(earlier, bob).shown, ElementsAre(task_id{7}, task_id{8}));
    EXPECT_THAT(read_dialogue(earlier, user_id{9}).shown, IsEmpty());
}

TEST(dialogue, leaves_a_question_open_while_others_talk) {
    std::vector<chat_message> earlier{
        said(ann, "delete the milk"),
        asked({task_id{3}, task_id{4}}),
        said(bob, "hello"),
        answered("Hello!")};
    auto const known = read_dialogue(earlier, ann);
    ASSERT_TRUE(known.question);
    EXPECT_EQ(known.question->message, "delete the milk");
    EXPECT_FALSE(read_dialogue(earlier, bob).question);
}

TEST(dialogue, is_one_persons_where_nobody_is_told_apart) {
    auto const earlier = listed_for(user_id{}, 3);
    EXPECT_THAT(read_dialogue(earlier, ann).shown, ElementsAre(task_id{3}, task_id{4}));
}

TEST(dialogue, reads_a_question_by_what_it_asks) {
    std::vector<chat_message> const earlier{said(ann, "x"), asked({task_id{3}})};
    auto const known = read_dialogue(earlier, ann);
    ASSERT_TRUE(known.question);
    EXPECT_EQ(known.question->action, intent::kind::remove);
    EXPECT_EQ(known.question->offered, 1u);
    EXPECT_THAT(known.shown, ElementsAre(task_id{3}));
}

TEST(dialogue, reads_no_question_from_words) {
    for (auto const& language : language::lexicons()) {
        std::vector<chat_message> const earlier{
            said(ann, "x"), answered(std::string(language.replies.which_remove) + "\n#3 buy milk")};
        auto const known = read_dialogue(earlier, ann);
        EXPECT_FALSE(known.question) << language.code;
        EXPECT_THAT(known.shown, IsEmpty()) << language.code;
    }
}

// A model would take the place in somebody else's list for a number of this person's tasks.
// covers: S2.04
TEST(dialogue, shows_a_model_no_tasks_of_others) {
    auto const talk = std::vector<chat_message>{said(bob, "hello"), answered("Hello!")};
    auto const earlier = joined({listed_for(ann, 3), talk, listed_for(bob, 7), {said(ann, "hi")}});
    auto const kept = without_tasks_of_others(earlier, ann);
    ASSERT_EQ(kept.size(), 7u);
    EXPECT_EQ(kept[3].content, "#1 t");
    EXPECT_EQ(kept[4].content, "hello");
    EXPECT_EQ(kept[6].content, "hi");
    EXPECT_EQ(without_tasks_of_others(earlier, bob).size(), 7u);
    EXPECT_EQ(without_tasks_of_others(earlier, user_id{}).size(), earlier.size());
}

} // namespace
} // namespace postrider::agent::todo::dialogue_test
