// Which sentences claim that this turn changed a task, and which are true of something else.
#include "agent/language/reading/understand.hpp"
#include "agent/todo/answer_check.hpp"
#include "agent/todo/task_definitions.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::todo::answer_claims_test {
namespace {

std::string checked(
    std::string said, std::vector<tool_result> const& results, std::string_view asked = {}
) {
    return checked_answer(std::move(said), results, asked, language::language_of(asked));
}

void expect_kept(std::string const& said, std::vector<tool_result> const& results = {}) {
    EXPECT_EQ(checked(said, results), said);
}

void expect_replaced(std::string const& said, std::vector<tool_result> const& results = {}) {
    EXPECT_EQ(checked(said, results).find(said), std::string::npos) << said;
}

tool_result list_of(std::string_view title, bool is_done = false) {
    auto text = R"({"tasks": [{"task_id": 3, "title": ")" + std::string(title) +
                R"(", "completed": )" + (is_done ? "true" : "false") + R"(}], "total": 1})";
    return {std::string(list_tool), std::move(text), false};
}

tool_result const other_tool{"calendar__add_event", "ok", false};

// No task was changed, and none is said to have been.
TEST(answer_claims, leave_what_is_true_of_the_world) {
    for (auto const* said : {
             "Python was created by Guido van Rossum.",
             "The Eiffel Tower was completed in 1889.",
             "Pluto was removed from the list of planets in 2006.",
             "Pluto is no longer on the list of planets.",
             "Salt is added to lower the freezing point.",
             "The law was last updated in 2019.",
             "Updated in 2019.",
             "Yes, it was removed this morning.",
             "Guido van Rossum created the Python language.",
             "He created the language in 1991.",
             "NASA changed the name of the mission.",
             "The company has completed the merger.",
             "Deleted files are kept for 30 days.",
             "I see that the law was also updated.",
             "I know you deleted the file.",
             "I found the updated law.",
             "I was created by a small company, and I am updated every month.",
             "The file got deleted.",
             "Die Firma ist in Frankfurt notiert.",
             "Das Gesetz wurde 2019 geändert.",
             "Guido hat die Sprache erstellt.",
             "Salz wird hinzugefügt, um den Gefrierpunkt zu senken.",
             "Ich weiß, dass der Turm 1889 abgeschlossen wurde.",
             "Pluton a été retiré de la liste des planètes.",
             "Guido van Rossum a créé Python.",
             "J'ai été créé par une petite société.",
             "La tour Eiffel a été terminée en 1889.",
             "Python fue creado por Guido van Rossum.",
             "Plutón fue eliminado de la lista de planetas.",
             "Guido ha creado el lenguaje Python.",
             "Гвидо ван Россум создал Python.",
             "Компания была создана в 1991 году.",
             "Статья была удалена из энциклопедии.",
             "گائیڈو نے پائتھن بنا دیا۔",
             "پلوٹو کو سیاروں کی فہرست سے ہٹا دیا گیا۔",
             "1889 میں ایفل ٹاور مکمل کر دیا گیا۔",
         })
        expect_kept(said);
}

TEST(answer_claims, leave_what_holds_of_tasks_in_general_or_was_done_by_others) {
    for (auto const* said : {
             "When a task is deleted, it is gone for good.",
             "If you delete a task, the task is removed from your list.",
             "A task is gone once it is deleted.",
             "Completed tasks are marked with a tick.",
             "The task is deleted when you say yes.",
             "Tasks that are deleted cannot be restored.",
             "Here are your updated tasks.",
             "Your tasks are kept until they are deleted.",
             "Your next task is to review deleted files.",
             "The task was created by Anna.",
             "The task was renamed this morning.",
             "Wenn eine Aufgabe gelöscht wurde, ist die Aufgabe endgültig entfernt.",
             "Die Aufgabe wird erst gelöscht, sobald du zustimmst.",
             "Ich sehe keinen Grund, weil Anna die Aufgabe gelöscht hat.",
             "Quand une tâche est supprimée, la tâche est effacée pour toujours.",
             "La tâche a été ajoutée par Anne.",
             "Ta prochaine tâche est de relire le contrat modifié.",
             "Cuando se ha eliminado una tarea, la tarea queda borrada.",
             "La tarea fue creada por Ana.",
             "Если задача удалена, задача удалена навсегда.",
             "Анна удалила задачу.",
             "جب کام حذف کر دیا گیا تو کام واپس نہیں آتا۔",
             "آمنہ نے کام حذف کر دیا۔",
         })
        expect_kept(said);
}

// covers: S2.08
TEST(answer_claims, are_found_without_a_receipt) {
    for (auto const* said : {
             "I deleted the milk task.",
             "Done, I've added it.",
             "I've added it to your calendar.",
             "We have just removed both.",
             "Deleted!",
             "Sure, just deleted it.",
             "Went ahead and removed it.",
             "Milk removed.",
             "Added milk to your list.",
             "The milk task was deleted.",
             "Task 3 has been marked as done.",
             "#3 was removed.",
             "As you asked, the task has been renamed.",
             "I see that the task was deleted.",
             "Milk is now on your list.",
             "All of your tasks are gone now.",
             "Erledigt, die Aufgabe wurde gelöscht.",
             "Ich habe sie gelöscht.",
             "Milch gelöscht.",
             "Die Aufgabe Milch ist jetzt abgehakt.",
             "Milch wurde zu deiner Liste hinzugefügt.",
             "C'est fait, la tâche a été supprimée.",
             "J'ai ajouté le lait.",
             "Je l'ai supprimée.",
             "Toutes les tâches ont été supprimées.",
             "Listo, la tarea ha sido eliminada.",
             "He añadido la leche.",
             "La tarea fue eliminada.",
             "Sí, la tarea ha sido completada.",
             "Готово, задача удалена.",
             "Я добавил молоко.",
             "Удалил молоко.",
             "Задача была удалена.",
             "Молоко удалено.",
             "میں نے دودھ شامل کر دیا۔",
             "ہو گیا، کام حذف کر دیا گیا۔",
             "کام مکمل کر دیا۔",
         })
        expect_replaced(said);
}

// What another tool did may be what is told.
TEST(answer_claims, leave_what_another_tool_did) {
    for (auto const* said : {
             "I've added it to your calendar.",
             "I've added both to your calendar.",
             "I've added milk to your shopping list.",
             "I've removed the item from your cart.",
             "Both were added to the list.",
             "Added to your calendar.",
             "I've created issue #12.",
             "Ich habe es in deine Einkaufsliste eingetragen und sie aktualisiert.",
             "Ich habe es zu deiner Liste hinzugefügt.",
             "Je l'ai ajouté à ta liste.",
             "La he añadido a tu lista de la compra.",
             "Я добавил её в список покупок.",
             "میں نے اسے فہرست میں شامل کر دیا۔",
         })
        expect_kept(said, {other_tool});
    expect_kept("I've added Buy Milk to your calendar.", {list_of("buy milk"), other_tool});
}

// covers: S2.08
TEST(answer_claims, of_tasks_are_found_beside_another_tool) {
    for (auto const* said : {
             "I've deleted your task.",
             "The task was deleted.",
             "I've added milk to your todos.",
             "Die Aufgabe wurde gelöscht.",
             "J'ai supprimé la tâche.",
             "He eliminado la tarea.",
             "Я удалил задачу.",
             "میں نے کام حذف کر دیا۔",
         })
        expect_replaced(said, {other_tool});
    expect_replaced("I've deleted Buy Milk.", {list_of("buy milk"), other_tool});
    expect_replaced("I've deleted #3.", {list_of("buy milk"), other_tool});
}

TEST(answer_claims, leave_titles_however_they_are_written) {
    expect_kept("Next up is to ask why it was removed.", {list_of("Ask why it was removed")});
    expect_kept("Then I've deleted: the cafe, at last.", {list_of("I've deleted the Café")});
    expect_kept("Als Nächstes: ICH HABE ES GELOSCHT.", {list_of("ich habe es gelöscht")});
    expect_kept("Дальше ещё раз: Я удалил всё.", {list_of("я удалил все")});
}

// covers: S2.08
TEST(answer_claims, are_found_of_a_title_that_the_turn_has_shown) {
    expect_replaced("Buy Milk was deleted.", {list_of("buy milk")});
    expect_replaced("Buy milk was completed.", {list_of("buy milk")});
    expect_replaced("Cafe was removed.", {list_of("Café")});
    expect_replaced("“Buy milk” was deleted.", {list_of("buy milk")});
}

// That a task is done may be what the turn has read.
TEST(answer_claims, leave_that_a_task_is_done_which_was_shown_so) {
    for (auto const* said :
         {"Buy milk is marked as done.",
          "Task 3 was completed.",
          "Die Aufgabe 3 ist abgeschlossen.",
          "La tâche est terminée.",
          "Задача выполнена."}) {
        expect_kept(said, {list_of("buy milk", true)});
        expect_replaced(said, {list_of("buy milk", false)});
    }
    expect_replaced("I completed task 3.", {list_of("buy milk", true)});
}

// covers: S2.08
TEST(answer_claims, need_not_name_the_task_that_the_person_asked_to_change) {
    for (auto const* said : {"Yes, it was removed.", "It's gone.", "The milk has been deleted."})
        EXPECT_EQ(checked(said, {}, "delete the milk"), "Nothing was changed.") << said;
    EXPECT_EQ(
        checked("Python was created by Guido.", {}, "delete the milk"),
        "Python was created by Guido.\n\nNothing was changed."
    );
}

} // namespace
} // namespace postrider::agent::todo::answer_claims_test
