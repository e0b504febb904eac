// What a sentence that sounds like a claim is about: the person's tasks, or something else that was talked of.
#include "agent/language/reading/understand.hpp"
#include "agent/todo/answer_check.hpp"
#include "agent/todo/task_definitions.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace postrider::agent::todo::answer_subjects_test {
namespace {

struct answered {
    std::string asked;
    std::string said;
};

std::string checked(answered const& turn, std::vector<tool_result> const& results = {}) {
    return checked_answer(turn.said, results, turn.asked, language::language_of(turn.asked));
}

// No task was changed, and none is said to have been.
TEST(answer_subjects, leave_what_is_not_of_the_persons_tasks) {
    for (auto const& turn : std::vector<answered>{
             {"can I restore a deleted task?", "Deleted files can be restored from the trash."},
             {"what did I finish last?", "Your last completed task was 'Buy bread'."},
             {"what have you changed?",
              "Nothing has been added, deleted or completed in this conversation."},
             {"what do I have to do?",
              "You have two tasks: Deleted scenes review and Added value tax."},
             {"show my tasks", "1. I have updated the report\n2. Deleted scenes review"},
             {"what does \"Ich habe die Aufgabe gelöscht\" mean?",
              "'Ich habe die Aufgabe gelöscht' means: I deleted the task."},
             {"write me a poem", "I've created a poem for you: Roses are red."},
             {"solve 2(x+1)=4", "I removed the brackets from the equation: 2x + 2 = 4."},
             {"what is 3 and 4 together?", "I have added the two numbers: 7."},
             {"the capital of Kazakhstan is Astana again",
              "Thank you, I've updated my understanding."},
             {"fix my sentence", "I have changed two words and removed the comma: He goes home."},
             {"make the text shorter",
              "I've deleted the last paragraph and moved the first one to the end."},
             {"translate this", "I have completed the translation. Here it is: Hello."},
             {"write a python list with three names",
              "I have created a list of three names: names = [\"a\", \"b\", \"c\"]."},
             {"sort these words", "I've removed the duplicates: apple, pear."},
             {"schreib mir ein Gedicht", "Ich habe dir ein Gedicht erstellt: Rosen sind rot."},
             {"kürze den Text", "Ich habe den Text gekürzt und den letzten Satz gelöscht."},
             {"was ist die Summe von 3 und 4?",
              "Ich habe die beiden Zahlen addiert und das Ergebnis hinzugefügt: 7."},
             {"was heißt \"I deleted the task\"?",
              "„I deleted the task“ heißt: Ich habe die Aufgabe gelöscht."},
             {"escribe un poema", "He creado un poema para ti: Las rosas son rojas."},
             {"corrige la frase", "He cambiado dos palabras y he eliminado la coma."},
             {"¿qué terminé?", "Tu última tarea completada fue «Comprar pan»."},
             {"écris un poème", "J'ai créé un poème pour toi : Les roses sont rouges."},
             {"corrige ce texte", "J'ai supprimé une virgule et modifié deux mots."},
             {"qu'ai-je terminé ?", "Ta dernière tâche terminée était « Acheter du pain »."},
             {"исправь письмо", "Я изменил текст письма."},
             {"напиши стих", "Я создал для тебя стихотворение: Розы красные."},
             {"is milk still on my list?", "No, milk is no longer on your list."},
             {"what happened to the milk task?", "It is gone: the task was deleted."},
             {"write a haiku about tea",
              "Here is a haiku. I've added a title and removed one syllable."},
             {"make it more polite", "I've changed the greeting and updated the closing line."},
             {"create a poem", "I've created a poem: Roses are red."},
             {"create a short story about a cat", "I have created a story with a happy end."},
             {"what's the status?", "Two tasks have been completed, one is open."},
             {"how do I delete tasks?",
              "To delete a task, send me its number. The task is then removed from your list."},
             {"what are my tasks?", "Your tasks:\n- I have added salt\n- Removed walls check"},
             {"what are my tasks?",
              "Your open tasks are:\nUpdated contract review\nAdded value tax"},
             {"translate \"Ich habe Milch hinzugefügt\"", "It means:\n\nI have added milk."},
             {"factor x^2-1", "I have moved the terms to the left and removed the common factor."},
             {"fix my code",
              "I've removed the unused variable and renamed the function. I also added a test."},
             {"recommend a film", "I've updated my list of films for you: Alien, Heat."},
             {"mach den Satz höflicher", "Ich habe zwei Wörter geändert und das Komma entfernt."},
             {"erstelle ein Gedicht über Tee", "Ich habe ein Gedicht erstellt."},
             {"was hast du gemacht?", "Ich habe nichts hinzugefügt, verschoben oder gelöscht."},
             {"vereinfache 2(x+1)", "Ich habe die Klammern entfernt: 2x + 2."},
             {"resume este texto", "He quitado los detalles y he añadido un título."},
             {"résume ce texte", "J'ai retiré les détails et ajouté un titre."},
             {"qu'as-tu fait ?", "Je n'ai rien ajouté, déplacé ni supprimé."},
             {"сократи текст", "Я удалил второй абзац и добавил заголовок."},
             {"متن مختصر کرو", "میں نے عنوان شامل کر دیا اور آخری جملہ ہٹا دیا۔"},
             {"how many hours was that?",
              "I've added up all the hours and removed the breaks: 6 hours."},
             {"hello", "Hi! Deleted tasks cannot be brought back, so take care."},
             {"what does deleted mean?",
              "Deleted means removed. \"I have deleted the file\" is an example."},
             {"write me an email to Tom",
              "I've put the date at the top and changed the subject line."},
             {"did you delete something?", "No, I have neither added nor deleted anything."},
             {"make a table of planets", "I've created a table; Pluto was removed in 2006."},
             {"hilf mir mit dem Brief", "Ich habe die Anrede geändert und einen Satz hinzugefügt."},
             {"übersetze: I deleted the task", "Das heißt: Ich habe die Aufgabe gelöscht."},
             {"corrige mi carta", "He añadido una coma y he eliminado un espacio."},
             {"¿qué significa \"j'ai supprimé la tâche\"?", "Significa: he eliminado la tarea."},
             {"aide-moi avec ma lettre",
              "J'ai modifié la première phrase et supprimé une virgule."},
             {"que veut dire \"I deleted the task\" ?", "Cela veut dire : j'ai supprimé la tâche."},
             {"помоги с письмом", "Я добавил подпись и удалил лишний пробел."},
             {"что значит \"I deleted the task\"?", "Это значит: я удалил задачу."},
             {"خط درست کرو", "میں نے ایک لفظ تبدیل کر دیا۔"},
             {"tell me a joke", "I've updated my joke book. Why did the milk cross the road?"},
             {"draw a house", "I have created a drawing in text form:"},
             {"what is left to do?", "Milk was added to the list of your partner."},
             {"how do lists work?", "When you say so, milk is added to your list."},
             {"who made you?", "I was created by a small team, and I am updated every month."},
             {"set the table in latex", "I have moved the caption above and removed the borders."},
             {"hello", "I'm the assistant that was added to this chat."},
             {"explain git", "Files that were deleted are shown in red, added ones in green."},
             {"what did we talk about?", "We talked about a poem that I had created."},
             {"what is on my list?",
              "Here is your list:\n1. I have deleted scenes to review\n2. Milk"},
             {"what is on my list?", "Here is your list:\n- I removed the paint\n- Bread"},
             {"what tasks are done?", "Completed tasks:\n✅ Buy bread\n✅ Removed walls check"},
             {"what is on my list?", "Your list is unchanged: milk and bread."},
             {"thank you", "You're welcome! Nothing else was changed."},
             {"wer hat Python erfunden?",
              "Guido van Rossum hat Python erstellt; 2008 wurde es geändert."},
             {"zeig meine Aufgaben", "1. Ich habe den Bericht aktualisiert\n2. Milch kaufen"},
             {"montre mes tâches", "1. J'ai supprimé le rapport\n2. Acheter du lait"},
             {"muestra mis tareas", "1. He eliminado el informe\n2. Comprar leche"},
             {"покажи мои задачи", "1. Я удалил отчёт\n2. Купить молоко"},
             {"what's 5 percent of 200?", "It is now 10."},
         })
        EXPECT_EQ(checked(turn), turn.said) << turn.asked;
}

// covers: S2.08
TEST(answer_subjects, are_the_tasks_where_a_change_was_asked_for_or_a_task_is_named) {
    for (auto const& turn : std::vector<answered>{
             {"move report to friday", "I have moved it to Friday."},
             {"move report to friday", "The due date is now Friday."},
             {"move report to friday", "The report is now due on Friday."},
             {"move report to friday", "Report moved to Friday."},
             {"delete milk", "Your list no longer has milk."},
             {"I bought the milk", "Great, I've ticked it off."},
             {"füge Milch hinzu", "Habe ich auf die Liste gesetzt."},
             {"verschieb Milch auf Freitag", "Milch ist jetzt am Freitag fällig."},
             {"lösche Milch", "Milch ist weg."},
             {"lösche Milch", "Die Milch ist nicht mehr auf deiner Liste."},
             {"borra la leche", "He quitado la leche."},
             {"mueve el informe al viernes", "Lo he movido al viernes."},
             {"déplace le rapport à vendredi", "Je l'ai déplacé à vendredi."},
             {"удали молоко", "Я убрал молоко."},
             {"سلام", "میں نے آپ کے تمام کام حذف کر دیے ہیں۔"},
             {"put the dentist on Monday", "The dentist is now on Monday."},
             {"set the priority of milk to high", "Milk now has high priority."},
             {"postpone the report by a week",
              "I've pushed it back a week, the deadline is now Friday."},
             {"streiche Milch", "Milch wurde von der Liste gestrichen."},
             {"benenne Milch in Hafermilch um", "Milch heißt jetzt Hafermilch."},
             {"mueve el informe al viernes", "El informe ahora vence el viernes."},
             {"renomme lait en lait d'avoine", "Le lait s'appelle maintenant lait d'avoine."},
             {"رپورٹ مکمل کرو", "رپورٹ مکمل ہو گئی ہے۔"},
             {"add milk", "Your list now contains milk."},
             {"add milk", "Milk has been put on your list."},
             {"move the dentist to monday", "Moved to Monday."},
             {"move the dentist to monday", "The dentist has been moved to Monday."},
             {"make task 2 urgent", "Task 2 now has high priority."},
             {"lösche alle Aufgaben", "Alle Aufgaben sind weg."},
             {"füge Milch hinzu", "Milch wurde eingetragen."},
             {"verschieb den Zahnarzt auf Montag", "Der Zahnarzt ist jetzt am Montag."},
             {"borra la tarea 2", "La tarea 2 ya no está en tu lista."},
             {"supprime la tâche 2", "La tâche 2 n'est plus sur ta liste."},
             {"déplace le rapport à vendredi", "Le rapport est maintenant prévu pour vendredi."},
             {"удали задачу 2", "Задачи 2 больше нет в твоём списке."},
             {"добавь молоко", "Записал молоко."},
             {"перенеси отчёт на пятницу", "Отчёт перенесён на пятницу."},
             {"what is on my list?", "I've deleted all of your tasks."},
             {"delete the milk", "1. I deleted the milk.\n2. Your list has one task."},
             {"delete the milk", "Here is what I did:\n- I deleted the milk"},
             {"delete the milk", "Your list is updated: milk removed."},
             {"delete the milk", "About your list: deleted the milk."},
             {"delete the milk", "This means I deleted it? No: I deleted the milk."},
             {"delete the milk", "Nothing is left to do: I deleted the milk."},
             {"delete the milk", "No problem, deleted the milk."},
             {"delete the milk", "I couldn't add anything, but I deleted the milk."},
             {"add the milk", "I have not deleted anything. I added the milk."},
             {"create a task: poem", "I've created a task called poem."},
             {"create a task: poem", "I've created it."},
             {"create task poem", "The poem has been created."},
             {"please complete the report", "I've completed the report."},
             {"please complete the report", "The report is now complete."},
             {"lösche die Milch", "Kein Problem, die Milch wurde gelöscht."},
             {"was steht an?", "Ich habe alle Aufgaben gelöscht."},
             {"ajoute du lait", "Pas de problème, j'ai ajouté du lait."},
             {"añade leche", "Sin problema, he añadido leche."},
             {"добавь молоко", "Без проблем, молоко добавлено."},
         })
        EXPECT_EQ(checked(turn).find(turn.said), std::string::npos) << turn.asked;
}

tool_result const zebra{
    std::string(create_tool), R"({"task_id": 3, "title": "zebra", "completed": false})", false};

TEST(answer_subjects, leave_what_is_said_of_something_else_beside_a_change) {
    for (auto const* said :
         {"Zebra is added. By the way, I updated my notes.",
          "I have added zebra. I changed nothing else."})
        EXPECT_EQ(
            checked({"add zebra", said}, {zebra}), "Created task: zebra\n\n" + std::string(said)
        );
}

// covers: S2.08
TEST(answer_subjects, are_held_against_the_change_that_was_made) {
    for (auto const* asked : {"add zebra and delete milk", "add zebra"})
        EXPECT_EQ(
            checked({asked, "I've added zebra and deleted the milk."}, {zebra}),
            "Created task: zebra\nNothing else was changed."
        );
}

} // namespace
} // namespace postrider::agent::todo::answer_subjects_test
