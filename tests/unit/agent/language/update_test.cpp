// Other due dates and priorities of tasks that there are.
#include "tests/unit/agent/language/request_text.hpp"
#include "tests/unit/agent/todo/task_shelf.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::language::update_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

struct row {
    std::string_view says;
    std::string_view means;
};

class understanding_updates : public testing::TestWithParam<row> {};

TEST_P(understanding_updates, follows_the_table) {
    EXPECT_EQ(understood(GetParam().says), GetParam().means) << GetParam().says;
}

constexpr row dues[] = {
    {"set task 3 due tomorrow", "update(#3 @2026-11-23)"},
    {"set task 3 due on friday at 9", "update(#3 @2026-11-27T09:00:00+01:00)"},
    {"set the milk due in 2 hours", "update('milk' @2026-11-22T12:00:00+01:00)"},
    {"postpone task 3 to friday", "update(#3 @2026-11-27)"},
    {"can you postpone it until tomorrow?", "update(that @2026-11-23)"},
    {"move the milk to monday at 9", "update('milk' @2026-11-23T09:00:00+01:00)"},
    {"move tasks 2 and 3 to friday", "update(#2 @2026-11-27) update(#3 @2026-11-27)"},
    {"move task 3 to friday and complete 2", "update(#3 @2026-11-27) complete(#2)"},
    {"change the due date of task 3 to friday", "update(#3 @2026-11-27)"},
    {"task 5 is due tomorrow", "update(#5 @2026-11-23)"},
    {"task 5 is due tomorrow?", "unknown()"},
    {"which tasks are due tomorrow", "list(tomorrow)"},
    {"move task 3 to yesterday", "update(#3 passed)"},
};

constexpr row priorities[] = {
    {"set task 5 to high priority", "update(#5 !high)"},
    {"change task 5 to high priority", "update(#5 !high)"},
    {"set the milk to low priority", "update('milk' !low)"},
    {"change the priority of task 3 to medium", "update(#3 !medium)"},
    {"make task 3 urgent", "update(#3 !high)"},
    {"mark the milk as important", "update('milk' !high)"},
    {"change the milk to oat milk, high priority", "update('milk' to oat milk !high)"},
    {"set task 5 to done", "complete(#5)"},
    {"mark task 5 done", "complete(#5)"},
};

// From the due date that the task has.
constexpr row shifts[] = {
    {"postpone task 3 by 2 days", "update(#3 +2d)"},
    {"postpone the gym by a week and a day", "update('gym' +8d)"},
    {"move it a week later", "update(that +7d)"},
    {"push the gym 2 days", "update('gym' +2d)"},
    {"décale le livre de quinze jours", "update('livre' +14d)"},
    {"aplaza el pan quince días", "update('pan' +14d)"},
    {"verschieb die Steuererklärung um acht Tage", "update('Steuererklärung' +7d)"},
    {"push the gym back by a month", "update('gym' +1m)"},
    {"push the gym to next monday", "update('gym' @2026-11-23)"},
    {"snooze the gym for 2 hours", "update('gym' +7200s)"},
    {"postpone the report for a week", "update('report' +7d)"},
    {"move the gym two days earlier", "update('gym' -2d)"},
    {"bring the gym forward by a day", "update('gym' -1d)"},
    {"verschieb Milch um zwei Tage", "update('Milch' +2d)"},
    {"verschieb die Milch um eine Stunde nach hinten", "update('Milch' +3600s)"},
    {"Steuererklärung um 3 Tage verschieben", "update('Steuererklärung' +3d)"},
    {"zieh die Steuererklärung um zwei Tage vor", "update('Steuererklärung' -2d)"},
    {"aplaza el pan dos días", "update('pan' +2d)"},
    {"pospón la visita a mamá dos días", "update('visita a mamá' +2d)"},
    {"adelanta el pan un día", "update('pan' -1d)"},
    {"décale le livre de deux jours", "update('livre' +2d)"},
    {"repousse la pelouse d'une semaine", "update('pelouse' +7d)"},
    {"avance le livre d'un jour", "update('livre' -1d)"},
    {"отложи цветы на два дня", "update('цветы' +2d)"},
    {"перенеси книгу на неделю", "update('книгу' +7d)"},
    {"перенеси книгу на день раньше", "update('книгу' -1d)"},
    {"перенеси книгу на пятницу", "update('книгу' @2026-11-27)"},
    {"کتاب کو دو دن آگے کر دو", "update('کتاب' +2d)"},
    {"kitab ko do din aage kar do", "update('kitab' +2d)"},
};

constexpr row no_shifts[] = {
    {"postpone the gym by a few days", "unknown()"},
    {"don't postpone the gym by two days", "unknown()"},
    {"should I postpone the gym by two days?", "unknown()"},
    {"I postponed the gym by two days", "unknown()"},
    {"the train was delayed by two hours", "unknown()"},
    {"Tom said to postpone the gym by two days", "unknown()"},
    {"ich habe die Milch um zwei Tage verschoben", "unknown()"},
    {"verschieb die Milch nicht um zwei Tage", "unknown()"},
    {"no aplaces el pan dos días", "unknown()"},
    {"ne décale pas le livre de deux jours", "unknown()"},
    {"j'ai décalé le livre de deux jours", "unknown()"},
    {"я отложил книгу на два дня", "unknown()"},
    {"не откладывай книгу на два дня", "unknown()"},
    {"کتاب کو دو دن آگے مت کرو", "unknown()"},
};

constexpr row priorities_by_title[] = {
    {"make the gym high priority", "update('gym' !high)"},
    {"set gym to high priority", "update('gym' !high)"},
    {"priority of gym: low", "update('gym' !low)"},
    {"gym: high priority", "update('gym' !high)"},
    {"gym - low priority", "update('gym' !low)"},
    {"the gym – urgent", "update('gym' !high)"},
    {"task 3: medium priority", "update(#3 !medium)"},
    {"please, gym: high priority", "update('gym' !high)"},
    {"Miete: hohe Priorität", "update('Miete' !high)"},
    {"gimnasio - baja prioridad", "update('gimnasio' !low)"},
    {"piscine : priorité haute", "update('piscine' !high)"},
    {"бассейн: низкий приоритет", "update('бассейн' !low)"},
    {"add gym: high priority", "create(gym !high)"},
    {"add gym - low priority", "create(gym !low)"},
    {"milk is urgent", "update('milk' !high)"},
    {"the report is now low priority", "update('report' !low)"},
    {"make it urgent", "update(that !high)"},
    {"Milch ist dringend", "update('Milch' !high)"},
    {"mach die Steuererklärung dringend", "update('Steuererklärung' !high)"},
    {"setz den Bericht auf hohe Priorität", "update('Bericht' !high)"},
    {"Priorität der Steuererklärung: niedrig", "update('Steuererklärung' !low)"},
    {"el pan es urgente", "update('pan' !high)"},
    {"pon el pan con prioridad alta", "update('pan' !high)"},
    {"prioridad del pan: baja", "update('pan' !low)"},
    {"rendre le livre est urgent", "update('rendre le livre' !high)"},
    {"mets le livre en priorité haute", "update('livre' !high)"},
    {"priorité du livre : basse", "update('livre' !low)"},
    {"сделай книгу срочной", "update('книгу' !high)"},
    {"приоритет книги: низкий", "update('книги' !low)"},
    {"поставь приоритет книги на высокий", "update('книги' !high)"},
    {"دودھ ضروری ہے", "update('دودھ' !high)"},
    {"doodh zaroori hai", "update('doodh' !high)"},
    {"کتاب کی ترجیح کم کر دو", "update('کتاب' !low)"},
};

constexpr row no_priorities[] = {
    {"is milk urgent?", "unknown()"},
    {"milk is urgent?", "unknown()"},
    {"it's urgent!", "unknown()"},
    {"the milk is low", "unknown()"},
    {"sleep is important", "unknown()"},
    {"my boss said the report is urgent", "unknown()"},
    {"the book isn't urgent any more", "unknown()"},
    {"don't make the gym high priority", "unknown()"},
    {"\"the report is urgent\", she said", "unknown()"},
    {"ist die Milch dringend?", "unknown()"},
    {"¿el pan es urgente?", "unknown()"},
    {"le livre n'est pas urgent", "unknown()"},
    {"это срочно", "unknown()"},
    {"add a high priority task to call Tom", "create(call Tom !high)"},
    {"add milk, urgent", "create(milk !high)"},
    {"it: urgent", "unknown()"},
    {"gym, high priority", "unknown()"},
    {"gym-high priority", "unknown()"},
    {"gym: high priority?", "unknown()"},
    {"my boss said: urgent", "unknown()"},
};

// No new tasks.
constexpr row impossible[] = {
    {"set task 2 due 29.02.2027", "unknown()"},
    {"set task 5 to blue", "unknown()"},
    {"put task 5 on hold", "unknown()"},
    {"make task 5 due 2027-02-30", "unknown()"},
    {"postpone task 3", "unknown()"},
    {"don't move task 3 to friday", "unknown()"},
    {"/NEW", "unknown()"},
};

constexpr row creations[] = {
    {"set a task to call mom", "create(call mom)"},
    {"set task: buy milk", "create(buy milk)"},
    {"make dinner high priority", "create(dinner !high)"},
    {"make cake due tomorrow", "create(cake @2026-11-23)"},
    {"remind me to move the car tomorrow", "create(move the car @2026-11-23)"},
    {"/add milk", "create(milk)"},
};

INSTANTIATE_TEST_SUITE_P(dues, understanding_updates, testing::ValuesIn(dues));
INSTANTIATE_TEST_SUITE_P(priorities, understanding_updates, testing::ValuesIn(priorities));
INSTANTIATE_TEST_SUITE_P(shifts, understanding_updates, testing::ValuesIn(shifts));
INSTANTIATE_TEST_SUITE_P(no_shifts, understanding_updates, testing::ValuesIn(no_shifts));
INSTANTIATE_TEST_SUITE_P(by_title, understanding_updates, testing::ValuesIn(priorities_by_title));
INSTANTIATE_TEST_SUITE_P(no_priorities, understanding_updates, testing::ValuesIn(no_priorities));
INSTANTIATE_TEST_SUITE_P(impossible, understanding_updates, testing::ValuesIn(impossible));
INSTANTIATE_TEST_SUITE_P(creations, understanding_updates, testing::ValuesIn(creations));

TEST(rules_turn, changes_what_a_task_is_not_called_by) {
    todo::task_shelf shelf({"buy milk", "buy bread"});
    EXPECT_EQ(
        shelf.hear("set task 1 due tomorrow"),
        "Changed task 1 to: buy milk (due: Mon, 23 November 2026)"
    );
    EXPECT_EQ(
        shelf.hear("set the bread to high priority"),
        "Changed task 2 to: buy bread (priority: high)"
    );
    EXPECT_THAT(shelf.calls, ElementsAre("update_todo_task 1", "update_todo_task 2"));
    EXPECT_EQ(shelf.tasks(), "1 buy milk, 2 buy bread");
}

TEST(rules_turn, changes_a_task_twice_in_the_order_of_the_words) {
    todo::task_shelf shelf({"buy milk"});
    EXPECT_EQ(
        shelf.hear("rename 1 to buy tea. move it to friday. move task 1 to monday."),
        "Renamed task 1 to: buy tea\n"
        "Changed task 1 to: buy tea (due: Fri, 27 November 2026)\n"
        "Changed task 1 to: buy tea (due: Mon, 23 November 2026)"
    );
    EXPECT_EQ(shelf.tasks(), "1 buy tea");
}

// covers: S2.07
TEST(rules_turn, changes_nothing_without_a_yes) {
    todo::task_shelf shelf({"buy milk"});
    shelf.consents = false;
    EXPECT_EQ(shelf.hear("move task 1 to friday"), "Task 1 is unchanged.");
    EXPECT_EQ(shelf.hear("move task 1 to friday, yes I'm sure"), "Task 1 is unchanged.")
        << "a yes in the message itself is to a title alone";
}

TEST(rules_turn, changes_no_task_that_it_does_not_find) {
    todo::task_shelf shelf({"buy milk", "buy bread"});
    EXPECT_EQ(
        shelf.hear("move the buy task to friday"),
        "Which one shall I change?\n#1 buy milk\n#2 buy bread"
    );
    EXPECT_THAT(shelf.calls, IsEmpty());
    EXPECT_EQ(
        shelf.hear("the second one"), "Changed task 2 to: buy bread (due: Fri, 27 November 2026)"
    );
    EXPECT_EQ(shelf.hear("set task 9 to high priority"), "There is no task 9.");
    EXPECT_EQ(
        shelf.hear("move task 1 to yesterday"),
        "The time that you said has passed, so task 1 is unchanged."
    );
    EXPECT_THAT(shelf.hear("set task 2 due 29.02.2027"), StartsWith("I did not understand that."));
    EXPECT_EQ(shelf.tasks(), "1 buy milk, 2 buy bread");
}

} // namespace
} // namespace postrider::agent::language::update_test
