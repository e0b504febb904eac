// What people write who have not read what the rules understand.
#include "agent/language/lexicon.hpp"
#include "tests/unit/agent/language/request_text.hpp"
#include "tests/unit/agent/todo/task_shelf.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::todo::natural_messages_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

struct row {
    std::string_view says;
    std::string_view means;
};

class natural_messages : public testing::TestWithParam<row> {};

TEST_P(natural_messages, follow_the_table) {
    EXPECT_EQ(language::understood(GetParam().says), GetParam().means) << GetParam().says;
}

constexpr row two_clauses[] = {
    {"add \"finish report\" due friday 17:00 and delete milk",
     "create(finish report @2026-11-27T17:00:00+01:00) delete('milk')"},
    {"add \"finish report\" and delete milk", "create(finish report) delete('milk')"},
    {"add \"tea\" due tomorrow and complete the milk", "create(tea @2026-11-23) complete('milk')"},
    {"add buy tea tomorrow and delete milk", "create(buy tea @2026-11-23) delete('milk')"},
    {"add salt and pepper", "create(salt and pepper)"},
};

constexpr row typos[] = {
    {"pls ad a task: water teh plants evry friday",
     "create(water teh plants evry friday recurring)"},
    {"ad a task: buy milk", "create(buy milk)"},
    {"add call Ann on teusday", "create(call Ann @2026-11-24)"},
};

constexpr row changes_of_dates[] = {
    {"change the rent to 2 December", "update('rent' @2026-12-02)"},
    {"change task 3 to friday", "update(#3 @2026-11-27)"},
    {"move the rent to the 5th", "update('rent' @2026-12-05)"},
    {"push the rent back to next monday", "update('rent' @2026-11-23)"},
    {"change the rent to pay the landlord", "update('rent' to pay the landlord)"},
    {"rename 3 to friday", "update(#3 to friday)"},
    {"verschieb Milch auf nächsten Montag", "update('Milch' @2026-11-23)"},
    {"verschiebe die Miete auf den 2. Dezember", "update('Miete' @2026-12-02)"},
    {"ändere die Miete auf 2. Dezember", "update('Miete' @2026-12-02)"},
    {"cambia el alquiler al 2 de diciembre", "update('alquiler' @2026-12-02)"},
    {"pospón el alquiler al lunes", "update('alquiler' @2026-11-23)"},
    {"reporte le loyer à lundi", "update('loyer' @2026-11-23)"},
    {"перенеси молоко на понедельник", "update('молоко' @2026-11-23)"},
};

constexpr row told[] = {
    {"I bought the milk", "complete('buy milk')"},
    {"I've paid the rent", "complete('pay rent')"},
    {"I just called Ann", "complete('call Ann')"},
    {"I didn't buy the milk", "unknown()"},
    {"I bought 3", "unknown()"},
    {"ich habe die Milch gekauft", "complete('Milch kaufen')"},
    {"he comprado la leche", "complete('comprar leche')"},
    {"j'ai acheté le lait", "complete('acheter lait')"},
    {"я купил молоко", "complete('купить молоко')"},
};

constexpr row needs[] = {
    {"I need to call the dentist tomorrow at 3pm",
     "create(call the dentist @2026-11-23T15:00:00+01:00)"},
    {"I have to pay the rent on the 1st", "create(pay the rent @2026-12-01)"},
    {"ich muss morgen um 15 Uhr den Zahnarzt anrufen",
     "create(den Zahnarzt anrufen @2026-11-23T15:00:00+01:00)"},
    {"tengo que llamar al dentista mañana a las 9",
     "create(llamar al dentista @2026-11-23T09:00:00+01:00)"},
    {"je dois appeler le dentiste demain à 9h",
     "create(appeler le dentiste @2026-11-23T09:00:00+01:00)"},
    {"мне нужно позвонить врачу завтра в 9", "create(позвонить врачу @2026-11-23T09:00:00+01:00)"},
    {"I need to think", "unknown()"},
    {"I need to delete task 3", "delete(#3)"},
};

constexpr row questions[] = {
    {"was steht heute an?", "list(today)"},
    {"was steht heute noch an?", "list(today)"},
    {"was steht morgen an?", "list(tomorrow)"},
    {"was muss ich heute machen?", "list(today)"},
    {"was steht noch an?", "list()"},
    {"zeig mir alle offenen aufgaben", "list(open)"},
    {"zeig mir meine offenen Aufgaben", "list(open)"},
    {"zeig mir alle meine erledigten Aufgaben", "list(completed)"},
    {"zeig mir alle Aufgaben", "list()"},
};

INSTANTIATE_TEST_SUITE_P(two_clauses, natural_messages, testing::ValuesIn(two_clauses));
INSTANTIATE_TEST_SUITE_P(typos, natural_messages, testing::ValuesIn(typos));
INSTANTIATE_TEST_SUITE_P(dates, natural_messages, testing::ValuesIn(changes_of_dates));
INSTANTIATE_TEST_SUITE_P(told, natural_messages, testing::ValuesIn(told));
INSTANTIATE_TEST_SUITE_P(needs, natural_messages, testing::ValuesIn(needs));
INSTANTIATE_TEST_SUITE_P(questions, natural_messages, testing::ValuesIn(questions));

TEST(rules_turn, completes_what_a_person_says_that_they_did) {
    task_shelf shelf({"Buy milk", "Freeze milk"});
    EXPECT_EQ(shelf.hear("I bought the milk"), "Completed task: Buy milk");
}

TEST(rules_turn, completes_no_other_task_about_the_same_object) {
    task_shelf shelf({"Freeze milk"});
    EXPECT_EQ(shelf.hear("I bought the milk"), "Which one shall I complete?\n#1 Freeze milk");
    EXPECT_THAT(shelf.calls, IsEmpty());
}

TEST(rules_turn, says_nothing_false_of_a_list_that_it_does_not_see_any_more) {
    task_shelf shelf({"buy milk"});
    EXPECT_EQ(
        shelf.hear("delete the first one"),
        "I do not know which list you mean. Say: what's on my list?"
    );
}

struct spoken {
    std::string_view says;
    std::string_view reads;
};

// covers: S2.06
TEST(rules_turn, answers_in_the_language_of_the_message) {
    for (auto const& [says, reads] : std::vector<spoken>{
             {"neue Aufgabe Brot kaufen", "Aufgabe erstellt: Brot kaufen"},
             {"lösche Aufgabe 1", "Aufgabe gelöscht: milk"},
             {"hak Aufgabe 1 ab", "Aufgabe erledigt: milk"},
             {"zeig Aufgabe 1", "Aufgabe 1: milk\nStatus: offen\nPriorität: mittel"},
             {"lösche Aufgabe 7", "Es gibt keine Aufgabe 7."},
             {"was kostet das?", "Das habe ich nicht verstanden."},
             {"añade comprar pan", "Tarea creada: comprar pan"},
             {"elimina la tarea 1", "Tarea eliminada: milk"},
             {"ajoute acheter du pain", "Tâche créée : acheter du pain"},
             {"supprime la tâche 1", "Tâche supprimée : milk"},
             {"добавь купить хлеб", "Задача создана: купить хлеб"},
             {"удали задачу 1", "Задача удалена: milk"},
             {"نیا کام دودھ لانا", "کام بنا دیا: دودھ لانا"},
             {"add buy bread", "Created task: buy bread"},
         }) {
        task_shelf shelf({"milk"});
        EXPECT_THAT(shelf.hear(std::string(says)), HasSubstr(reads)) << says;
    }
}

TEST(replies, write_a_time_as_people_do) {
    constexpr std::string_view due = "2026-12-24T18:00:00+01:00";
    EXPECT_EQ(due_text(due, replies_in("en")), "Thu, 24 December 2026, 18:00");
    EXPECT_EQ(due_text("2026-12-24", replies_in("en")), "Thu, 24 December 2026");
    EXPECT_EQ(due_text(due, replies_in("de")), "Do., 24. Dezember 2026, 18:00 Uhr");
    EXPECT_EQ(due_text(due, replies_in("es")), "jue, 24 de diciembre de 2026, 18:00");
    EXPECT_EQ(due_text(due, replies_in("fr")), "jeu. 24 décembre 2026 à 18:00");
    EXPECT_EQ(due_text(due, replies_in("ru")), "чт, 24 декабря 2026, 18:00");
    EXPECT_EQ(due_text("soon", replies_in("en")), "soon");
    for (auto const& language : language::lexicons())
        EXPECT_THAT(due_text(due, language.replies), Not(HasSubstr("2026-12"))) << language.code;
}

} // namespace
} // namespace postrider::agent::todo::natural_messages_test
