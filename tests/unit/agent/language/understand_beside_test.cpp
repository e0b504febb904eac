// Requests that stand beside something else: what takes them back, what imposes a condition, and
// where one ends and the next begins.
#include "tests/unit/agent/language/request_text.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::language::understand_beside_test {
namespace {

struct row {
    std::string_view says;
    std::string_view means;
};

class understanding_beside : public testing::TestWithParam<row> {};

TEST_P(understanding_beside, follows_the_table) {
    EXPECT_EQ(understood(GetParam().says), GetParam().means) << GetParam().says;
}

constexpr row corrections[] = {
    {"add buy cake, no, add buy pie", "create(buy pie)"},
    {"add buy cake. No, add buy pie.", "create(buy pie)"},
    {"add buy cake, no, that's wrong", "unknown()"},
    {"add buy cake, no, thanks", "unknown()"},
    {"delete 2, no, delete 3", "delete(#3)"},
    {"add milk, eggs and bread. No, add tea", "create(tea)"},
    {"what's on my list? no, add tea", "list() create(tea)"},
    {"no, add tea", "create(tea)"},
    {"Complete 3. Thanks! No, complete 4.", "complete(#4)"},
    {"Finish it. I did it. No, finish 3.", "complete(#3)"},
    {"complete 3 and add milk, no, add bread", "complete(#3) create(bread)"},
    {"Mom answered, no, finish the homework", "unknown()"},
    {"The client replied, no, add the logo", "unknown()"},
    {"Did he call? No, add call Bob", "create(call Bob)"},
    {"füge Kuchen hinzu, nein, füge Brot hinzu", "create(Brot)"},
    {"ajoute du pain, non, ajoute du lait", "create(du lait)"},
    {"añade pan, no, añade leche", "create(leche)"},
    {"добавь хлеб, нет, добавь молоко", "create(молоко)"},
};

constexpr row divided[] = {
    {"add milk, eggs, bread, then list", "create(milk) create(eggs) create(bread) list()"},
    {"add milk, then list", "create(milk) list()"},
    {"add milk, eggs, bread and delete 3", "create(milk) create(eggs) create(bread) delete(#3)"},
    {"add tea and remove the milk", "create(tea) delete('milk')"},
    {"add tea and finish the milk", "create(tea and finish the milk)"},
    {"add clean the garage and remove the boxes", "create(clean the garage and remove the boxes)"},
    {"add milk, eggs, tea and delete the bread",
     "create(milk) create(eggs) create(tea) delete('bread')"},
    {"add milk, but don't add eggs", "create(milk)"},
    {"add milk, don't add eggs", "create(milk)"},
    {"don't add eggs, add milk", "create(milk)"},
    {"don't add milk, add milk", "unknown()"},
    {"add call Bob, don't forget the keys", "create(call Bob, don't forget the keys)"},
    {"remind me to make tea, don't put sugar", "create(make tea, don't put sugar)"},
    {"don't add Milk, add the milk", "unknown()"},
    {"add milk, but don't add the milk", "create(milk, but don't add the milk)"},
    {"add upload and delete endpoints", "create(upload and delete endpoints)"},
    {"add call the bank, number 5551234", "create(call the bank, number 5551234)"},
};

constexpr row provisos[] = {
    {"add milk if it's not there yet", "create(milk unless listed)"},
    {"add buy milk unless it's already there", "create(buy milk unless listed)"},
    {"add if not there", "create(if not there)"},
    {"remind me to buy a charger if it's not there", "create(buy a charger if it's not there)"},
    {"füge Milch hinzu, falls noch nicht da", "unknown()"},
    {"ajoute du lait s'il n'y est pas déjà", "create(du lait unless listed)"},
    {"añade leche si no está en la lista", "create(leche unless listed)"},
    {"добавь молоко, если ещё нет", "create(молоко unless listed)"},
    {"добавь молоко, если нет", "create(молоко, если нет)"},
};

// What is completed stays so: nothing that may take it back is passed over.
constexpr row withdrawals[] = {
    {"complete task 1. I mean task 2", "unknown()"},
    {"complete task 1. Oops, I meant task 2", "unknown()"},
    {"complete task 1. Make that 2.", "unknown()"},
    {"complete task 1. Hmm, leave it open.", "unknown()"},
    {"complete task 1. Strike that.", "unknown()"},
    {"milk is done. Finally!", "unknown()"},
    {"complete task 1. Thanks! Now task 2", "unknown()"},
    {"complete the correction of the dreams", "complete('correction of the dreams')"},
    {"add tea. Undo.", "unknown()"},
    {"add tea. Correction: coffee", "unknown()"},
    {"Erledige Aufgabe 1. Ich meine Aufgabe 2.", "unknown()"},
    {"Termine la tâche 1. Je veux dire la 2.", "unknown()"},
    {"Completa la tarea 1. Digo, la 2.", "unknown()"},
    {"Заверши задачу 1. То есть 2.", "unknown()"},
    {"complete task 1. Thanks!", "complete(#1) thanks()"},
    {"add tea. I mean coffee.", "unknown()"},
    {"add tea. Strike that.", "unknown()"},
    {"add bread. We need it.", "create(bread)"},
    {"add cake, I mean pie", "unknown()"},
    {"add bread but not today", "unknown()"},
    {"add eggs, but only if bread is on the list", "unknown()"},
    {"Ajoute du lait mais pas d'œufs", "unknown()"},
};

// What is confirmed is done at once, but not where the yes or the rest may be an objection.
constexpr row objections[] = {
    {"delete 41. sure. Oh, keep it", "delete(#41)"},
    {"delete 43. yes. keep task 43", "delete(#43)"},
    {"delete 43, yes I'm sure. keep task 43", "delete(#43)"},
    {"rename 3 to \"oat milk\", I'm sure. Let it stay so", "update(#3 to oat milk)"},
    {"delete 41. let us keep it. sure.", "delete(#41)"},
    {"delete 41. Let us keep it. Delete 42. Yes, I'm sure.", "delete(#41) delete(#42 confirmed)"},
    {"The shop is shut. Delete 41. Yes, I'm sure.", "delete(#41 confirmed)"},
    {"delete 41, yes I'm sure. Thanks!", "delete(#41 confirmed) thanks()"},
    {"lösche 41. Ja. Ach, behalte sie", "delete(#41)"},
};

constexpr row amounts[] = {
    {"complete 5 tasks", "unknown()"},
    {"complete the three tasks", "unknown()"},
    {"delete 2 tasks", "unknown()"},
    {"Erledige 2 Aufgaben", "unknown()"},
    {"Termine 2 tâches", "unknown()"},
    {"Заверши 2 задачи", "unknown()"},
    {"complete the second task", "complete(place 2)"},
    {"complete tasks 2 and 3", "complete(#2) complete(#3)"},
    {"complete 1%", "complete('1%')"},
    {"complete 3+", "complete('3+')"},
    {"complete ²", "complete('²')"},
    {"complete task 1 -> 2", "complete('1 -> 2')"},
    {"add the task number 2", "create()"},
    {"lose task 1", "unknown()"},
    {"ticks 1", "unknown()"},
    {"add eggs, please, and thanks!", "create(eggs) thanks()"},
    {"add bread and that's it", "create(bread)"},
    {"add:\n- milk\n- eggs", "create(milk) create(eggs)"},
};

INSTANTIATE_TEST_SUITE_P(corrections, understanding_beside, testing::ValuesIn(corrections));
INSTANTIATE_TEST_SUITE_P(divided, understanding_beside, testing::ValuesIn(divided));
INSTANTIATE_TEST_SUITE_P(provisos, understanding_beside, testing::ValuesIn(provisos));
INSTANTIATE_TEST_SUITE_P(withdrawals, understanding_beside, testing::ValuesIn(withdrawals));
INSTANTIATE_TEST_SUITE_P(objections, understanding_beside, testing::ValuesIn(objections));
INSTANTIATE_TEST_SUITE_P(amounts, understanding_beside, testing::ValuesIn(amounts));

} // namespace
} // namespace postrider::agent::language::understand_beside_test
