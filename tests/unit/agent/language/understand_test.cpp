// The author's own table of what is understood.
#include "tests/unit/agent/language/request_text.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::language::understand_test {
namespace {

struct row {
    std::string_view says;
    std::string_view means;
};

class understanding : public testing::TestWithParam<row> {};

TEST_P(understanding, follows_the_table) {
    EXPECT_EQ(understood(GetParam().says), GetParam().means) << GetParam().says;
}

constexpr row phrases[] = {
    {"put \"buy stamps\" down please", "create(buy stamps)"},
    {"jot this down: renew passport", "create(renew passport)"},
    {"remember: pay electricity bill", "create(pay electricity bill)"},
    {"could you create a task for me to email Sam tomorrow at 3pm",
     "create(email Sam @2026-11-23T15:00:00+01:00)"},
    {"plan changed", "unknown()"},
    {"Füge Eier zur Liste hinzu", "create(Eier)"},
    {"Füge bitte Eier und Brot zur Einkaufsliste hinzu", "create(Eier und Brot)"},
    {"add", "create()"},
    {"rename the first one: walk dog", "update(place 1 to walk dog)"},
    {"edit 3: buy tea", "update(#3 to buy tea)"},
    {"replace milk with soy milk", "update('milk' to soy milk)"},
    {"delete 3 and don't ask", "delete(#3 confirmed)"},
    {"delete 2 3 4", "delete(#2) delete(#3) delete(#4)"},
    {"task 3", "unknown()"},
    {"number 4 done", "complete(#4)"},
    {"finish", "complete()"},
    {"show me my tasks sorted by date", "list()"},
    {"which tasks are high priority", "list(high)"},
    {"tasks for this week", "list(this_week)"},
    {"show todo", "list()"},
};

constexpr row ranges[] = {
    {"complete tasks 1-3", "complete(#1) complete(#2) complete(#3)"},
    {"complete 2 to 4", "complete(#2) complete(#3) complete(#4)"},
    {"delete tasks 3–4 please", "delete(#3) delete(#4)"},
    {"delete tasks 1-3, yes I'm sure",
     "delete(#1 confirmed) delete(#2 confirmed) delete(#3 confirmed)"},
    {"erledige Aufgabe 2 bis 5", "complete('2 bis 5')"},
    {"закончи задачу 2 до 5", "complete('2 до 5')"},
    {"finish task 3 until 5", "unknown()"},
    {"finish 10 000", "complete('10 000')"},
    {"complete 3 (4)", "complete('3 (4)')"},
    {"complete 2 - 4", "complete(#2) complete(#3) complete(#4)"},
    {"rename 2 to 5", "update(#2 to 5)"},
    {"complete tasks 3-1", "complete('3-1')"},
    {"finish everything except the book", "complete(all)"},
    {"delete all tasks but the first", "delete(all)"},
    {"lösche alles außer Milch", "delete(all)"},
    {"rename task 12 to", "update(#12 to)"},
};

constexpr row creates[] = {
    {"add buy milk", "create(buy milk)"},
    {"Add Buy Milk!", "create(Buy Milk)"},
    {"remind me to call Ann", "create(call Ann)"},
    {"Remind me to call Ann tomorrow at 9", "create(call Ann @2026-11-23T09:00:00+01:00)"},
    {"remind me tomorrow at 9 to call Ann", "create(call Ann @2026-11-23T09:00:00+01:00)"},
    {"please add eggs and bread to my list", "create(eggs and bread)"},
    {"could you please add a task to water the plants?", "create(water the plants)"},
    {"new task: pay the rent", "create(pay the rent)"},
    {"add task \"delete 3 and 4\"", "create(delete 3 and 4)"},
    {"add \"finish 2\" to my list", "create(finish 2)"},
    {"put dentist on my todo list", "create(dentist)"},
    {"don't forget to feed the cat", "create(feed the cat)"},
    {"add pay rent by friday", "create(pay rent @2026-11-27)"},
    {"add file taxes on 24 December", "create(file taxes @2026-12-24)"},
    {"add file taxes due 2026-12-24 18:00", "create(file taxes @2026-12-24T18:00:00+01:00)"},
    {"remind me in 2 hours to stretch", "create(stretch @2026-11-22T12:00:00+01:00)"},
    {"remind me to stretch in half an hour", "create(stretch @2026-11-22T10:30:00+01:00)"},
    {"remind me to jog next Friday at 7am", "create(jog @2026-11-27T07:00:00+01:00)"},
    {"remind me to call mom tonight", "create(call mom @2026-11-22T20:00:00+01:00)"},
    {"add standup every Monday at 9", "create(standup every Monday at 9 recurring)"},
    {"remind me to sleep today at 8am", "create(sleep passed)"},
    {"add call the bank, high priority", "create(call the bank !high)"},
    {"add urgent: fix the roof", "create(fix the roof !high)"},
    {"remnid me to buy soap", "create(buy soap)"},
    {"remind me to buy milk and call mom", "create(buy milk and call mom)"},
    {"remind me to call Dr. Smith", "create(call Dr. Smith)"},
    {"add a task", "create()"},
    {"add milk (2%)", "create(milk (2%))"},
    {"add sure thing", "create(sure thing)"},
    {"add sure fire plan", "create(sure fire plan)"},
    {"make sure the door is locked", "create()"},
    {"add lunch", "create(lunch)"},
    {"add lunch with Bob", "create(lunch with Bob)"},
    {"add team lunch", "create(team lunch)"},
    {"add lunch with Bob tomorrow at noon", "create(lunch with Bob @2026-11-23T12:00:00+01:00)"},
    {"add noon prayer", "create(noon prayer)"},
    {"add midday walk", "create(midday walk)"},
    {"add tonight show tickets", "create(tonight show tickets)"},
    {"add tonight: show tickets", "create(show tickets @2026-11-22T20:00:00+01:00)"},
    {"add at noon call Bob", "create(call Bob @2026-11-22T12:00:00+01:00)"},
    {"add call Bob at lunch", "create(call Bob @2026-11-22T12:00:00+01:00)"},
    {"add tomorrow at 9 call Ann", "create(call Ann @2026-11-23T09:00:00+01:00)"},
    {"add tomorrow call Ann", "create(call Ann @2026-11-23)"},
    {"ajoute acheter du pain", "create(acheter du pain)"},
    {"rappelle-moi d'appeler maman demain à 9h",
     "create(appeler maman @2026-11-23T09:00:00+01:00)"},
    {"füge Milch kaufen hinzu", "create(Milch kaufen)"},
    {"Erinnere mich bitte daran, Mama anzurufen", "create(Mama anzurufen)"},
    {"erinnere mich morgen um 9 an den Zahnarzt",
     "create(den Zahnarzt @2026-11-23T09:00:00+01:00)"},
    {"añade comprar leche", "create(comprar leche)"},
    {"Recuérdame llamar a mamá mañana a las 9", "create(llamar a mamá @2026-11-23T09:00:00+01:00)"},
    {"добавь купить молоко", "create(купить молоко)"},
    {"Напомни позвонить маме завтра в 9", "create(позвонить маме @2026-11-23T09:00:00+01:00)"},
    {"دودھ لانا شامل کرو", "create(دودھ لانا)"},
    {"doodh lana add karo", "create(doodh lana)"},
    {"mujhe kal subah 9 baje doodh lana yaad dilana",
     "create(doodh lana @2026-11-23T09:00:00+01:00)"},
};

// In German a full stop makes an ordinal of a number.
constexpr row german_ordinals[] = {
    {"neue Aufgabe Fenster im 3. Stock putzen", "create(Fenster im 3. Stock putzen)"},
    {"neue aufgabe fenster im 3. stock putzen", "create(fenster im 3. stock putzen)"},
    {"neue Aufgabe Blumen im 3. Stock gießen morgen um 9",
     "create(Blumen im 3. Stock gießen @2026-11-23T09:00:00+01:00)"},
    {"neue Aufgabe das 2. Kapitel lesen", "create(das 2. Kapitel lesen)"},
    {"neue Aufgabe Torte backen am 2. Schultag", "create(Torte backen am 2. Schultag)"},
    {"neue Aufgabe am 2. Schultag Torte backen", "create(am 2. Schultag Torte backen unread)"},
    {"neue Aufgabe Arzt am 5. Dezember", "create(Arzt @2026-12-05)"},
    {"neue Aufgabe Urlaub am 3. und 4. Dezember", "create(Urlaub am 3. und 4. Dezember unread)"},
    {"Erinnere mich am 5. daran, Paul anzurufen", "create(Paul anzurufen @2026-12-05)"},
    {"der 2. Versuch ist erledigt", "complete('2. Versuch')"},
    {"lösche die Fenster im 3. Stock", "delete('Fenster im 3. Stock')"},
    {"neue Aufgabe Licht im 3. Stock. Lösche 4.", "create(Licht im 3. Stock) delete(#4)"},
    {"neue Aufgabe Arzt am 5. Lösche Aufgabe 4", "create(Arzt @2026-12-05) delete(#4)"},
    {"neue Aufgabe Arzt am 5. Dann lösche 4", "create(Arzt @2026-12-05) delete(#4)"},
    {"lösche die 3. Ja, ich bin sicher.", "delete(#3 confirmed)"},
    {"bitte lösche die 3. Erledige die 4.", "delete(#3) complete(#4)"},
    {"add call Ann at 3. Delete 4.", "create(call Ann @2026-11-22T15:00:00+01:00) delete(#4)"},
};

constexpr row spans[] = {
    {"remind me to pay in 2 months", "create(pay @2027-01-22)"},
    {"remind me to pay in 2 months 10 days", "create(pay @2027-02-01)"},
    {"remind me to pay in 10 days 2 months", "create(pay @2027-02-01)"},
    {"remind me to pay in 2 months 10 days at 8", "create(pay @2027-02-01T08:00:00+01:00)"},
    {"remind me to pay in 1 month 2 hours", "create(pay @2026-12-22T12:00:00+01:00)"},
    {"remind me to pay in 6 months 2 hours", "create(pay @2027-05-22T12:00:00+02:00)"},
    {"remind me to pay in 1 year 1 week", "create(pay @2027-11-29)"},
    {"remind me to pay in 3 months 9 days", "create(pay @2027-03-03)"},
    {"erinnere mich in 2 Monaten 10 Tagen an die Miete", "create(die Miete @2027-02-01)"},
};

constexpr row reads[] = {
    {"what's on my list?", "list()"},
    {"Whats on my list", "list()"},
    {"show all", "list()"},
    {"list my tasks please", "list()"},
    {"show me my todo list", "list()"},
    {"what do I have to do today?", "list(today)"},
    {"what's overdue?", "list(overdue)"},
    {"show completed tasks", "list(completed)"},
    {"find tasks about milk", "list(/milk/)"},
    {"show task 3", "get(#3)"},
    {"details for the milk", "get('milk')"},
    {"show me the second one", "get(place 2)"},
    {"Was steht auf meiner Liste?", "list()"},
    {"zeig mir aufgabe 2", "get(#2)"},
    {"¿Qué hay en mi lista?", "list()"},
    {"muéstrame la tarea 2", "get(#2)"},
    {"qu'est-ce qu'il y a sur ma liste ?", "list()"},
    {"montre la tâche 2", "get(#2)"},
    {"что в моём списке?", "list()"},
    {"покажи задачу 2", "get(#2)"},
    {"میری فہرست میں کیا ہے؟", "list()"},
    {"meri list dikhao", "list()"},
    {"kaam 2 dikhao", "get(#2)"},
};

constexpr row changes[] = {
    {"rename 3 to buy oat milk", "update(#3 to buy oat milk)"},
    {"rename task two to \"call Bob\"", "update(#2 to call Bob)"},
    {"change the milk to oat milk", "update('milk' to oat milk)"},
    {"rename it to Pay the rent", "update(that to Pay the rent)"},
    {"finish 3", "complete(#3)"},
    {"done with the milk", "complete('milk')"},
    {"I'm done with task two!", "complete(#2)"},
    {"mark the second one as done", "complete(place 2)"},
    {"I've finished the report", "complete('report')"},
    {"finish 1, 2 and 4", "complete(#1) complete(#2) complete(#4)"},
    {"complete the first two", "complete(place 1) complete(place 2)"},
    {"delete sure thing", "delete('sure thing')"},
    {"delete yes", "delete('yes')"},
    {"delete the last two tasks", "delete(place -2) delete(place -1)"},
    {"finish the first one", "complete(place 1)"},
    {"check off the last one", "complete(place -1)"},
    {"delete task two", "delete(#2)"},
    {"Can you delete #3, please?", "delete(#3)"},
    {"delete that", "delete(that)"},
    {"DELETE THE MILK", "delete('MILK')"},
    {"remove \"buy milk\" from my list", "delete(\"buy milk\")"},
    {"delete 3, yes I'm sure", "delete(#3 confirmed)"},
    {"Delete 3. Yes, I'm sure.", "delete(#3 confirmed)"},
    {"yes, delete 3", "delete(#3 confirmed)"},
    {"delete 3 yes I'm sure", "delete(#3 confirmed)"},
    {"delete the milk yes I'm sure", "delete('milk' confirmed)"},
    {"rename 3 to \"oat milk\" yes I'm sure", "update(#3 to oat milk confirmed)"},
    {"rename 3 to make sure", "update(#3 to make sure)"},
    {"rename 3 to do it", "update(#3 to do it)"},
    {"renombra la tarea 3 a comprar seguro", "update(#3 to comprar seguro)"},
    {"delete 3 yes", "delete(#3)"},
    {"kaam 3 delete kar do ji", "delete(#3)"},
    {"Delete 3. Shall I go? Yes, I'm sure.", "delete(#3)"},
    {"delete everything", "delete(all)"},
    {"delte 3", "delete(#3)"},
    {"benenne 3 in Hafermilch um", "update(#3 to Hafermilch)"},
    {"Lösche Aufgabe 3", "delete(#3)"},
    {"kannst du aufgabe 3 bitte löschen?", "delete(#3)"},
    {"fertig mit der Milch", "complete('Milch')"},
    {"Aufgabe 2 ist erledigt", "complete(#2)"},
    {"renombra la tarea 3 a leche de avena", "update(#3 to leche de avena)"},
    {"borra la tarea 3", "delete(#3)"},
    {"marca la 2 como hecha", "complete(#2)"},
    {"renomme la tâche 3 en lait d'avoine", "update(#3 to lait d'avoine)"},
    {"supprime la tâche 3, oui je suis sûr", "delete(#3 confirmed)"},
    {"j'ai fini la tâche 2", "complete(#2)"},
    {"переименуй задачу 3 в овсяное молоко", "update(#3 to овсяное молоко)"},
    {"удали задачу 3", "delete(#3)"},
    {"заверши вторую", "complete(place 2)"},
    {"کام ۳ حذف کر دو", "delete(#3)"},
    {"kaam 3 delete kar do", "delete(#3)"},
    {"kaam 2 mukammal ho gaya", "complete(#2)"},
    {"kaam 3 ka naam badal kar oat milk kar do", "update(#3 to oat milk)"},
};

constexpr row several[] = {
    {"add milk and delete 3", "create(milk) delete(#3)"},
    {"finish 2 and then show my list", "complete(#2) list()"},
    {"add milk. add eggs. what's on my list?", "create(milk) create(eggs) list()"},
    {"delete 2 and 3", "delete(#2) delete(#3)"},
    {"rename 2 to buy bread and complete 4", "update(#2 to buy bread) complete(#4)"},
    {"Hi! Please add milk. Thanks!", "greeting() create(milk) thanks()"},
    {"remind me to wash the car and remind me to pay rent",
     "create(wash the car) create(pay rent)"},
    {"done with the milk, delete the eggs", "complete('milk') delete('eggs')"},
    {"add \"milk and delete 3\"", "create(milk and delete 3)"},
    {"lösche 2 und zeig mir meine liste", "delete(#2) list()"},
};

constexpr row lists[] = {
    {"add these:\n- call the bank\n• buy tea tomorrow\n– paint the door, please",
     "create(call the bank) create(buy tea @2026-11-23) create(paint the door)"},
    {"please add the following tasks:\n- delete task 3\n- call Ann",
     "create(delete task 3) create(call Ann)"},
    {"create two tasks: fix the sink and mow the lawn",
     "create(fix the sink) create(mow the lawn)"},
    {"add tasks: wash the car; call Tim", "create(wash the car) create(call Tim)"},
    {"add taks: oil the door", "create(oil the door)"},
    {"add tasks: wash the car", "create(wash the car)"},
    {"add tasks: wash the car; delete task 3", "create(wash the car) delete(#3)"},
    {"new tasks:\n- milk\n- eggs\n- bread", "create(milk) create(eggs) create(bread)"},
    {"todo:\n1. one thing\n2. another thing", "create(one thing) create(another thing)"},
    {"add these:\n1) milk\n2) eggs", "create(milk) create(eggs)"},
    {"todo: buy milk", "create(buy milk)"},
    {"todo: call Ann; she is ill", "create(call Ann)"},
    {"todo", "unknown()"},
    {"todo:\n1. milk\neggs", "unknown()"},
    {"add tasks: milk, eggs and bread", "create(milk) create(eggs) create(bread)"},
};

constexpr row semicolons[] = {
    {"add wash car; pay rent; file taxes", "create(wash car) create(pay rent) create(file taxes)"},
    {"create tasks: a1; a2; a3", "create(a1) create(a2) create(a3)"},
    {"complete 1; 3", "complete(#1) complete(#3)"},
    {"delete 4; 5", "delete(#4) delete(#5)"},
    {"delete 4; 5. Yes, I'm sure.", "delete(#4 confirmed) delete(#5 confirmed)"},
    {"delete 4, yes I'm sure; 5", "delete(#4 confirmed) delete(#5)"},
    {"füge Brot hinzu; Butter; Käse", "create(Brot) create(Butter) create(Käse)"},
    {"agrega pan; leche", "create(pan) create(leche)"},
    {"add milk; eggs; show my list", "create(milk) create(eggs) list()"},
    {"add buy milk; the green one", "create(buy milk)"},
    {"add milk; I am tired; poor me", "create(milk)"},
    {"add milk; urgent", "create(milk)"},
    {"remind me to call Ann; Bob; Tim", "create(call Ann)"},
    {"complete the milk; 3", "unknown()"},
    {"complete 1; one", "unknown()"},
    {"complete 1; 3 instead", "unknown()"},
    {"complete 1; not 3", "unknown()"},
    {"delete 4; never mind; 5", "unknown()"},
    {"add milk; eggs; never mind", "unknown()"},
};

constexpr row contrasts[] = {
    {"don't delete task 3, complete it", "complete(#3)"},
    {"please don't complete the milk, delete it", "delete('milk')"},
    {"don't finish task 2, finish task 3", "complete(#3)"},
    {"not task 2, complete task 3", "complete(#3)"},
    {"complete task 3, not task 2", "complete(#3)"},
    {"complete task 3, but don't delete it", "complete(#3)"},
    {"don't complete task 3, show it", "get(#3)"},
    {"I know it's late, but add call Ann", "create(call Ann)"},
    {"don't complete task 3, delete it, yes I'm sure", "delete(#3)"},
};

constexpr row talk[] = {
    {"help", "help()"},
    {"what can you do?", "help()"},
    {"hello", "greeting()"},
    {"thanks a lot!", "thanks()"},
    {"", "unknown()"},
    {"The weather is nice", "unknown()"},
};

constexpr row nothings[] = {
    {"don't delete 3", "unknown()"},
    {"should I delete 3?", "unknown()"},
    {"delete 3?", "unknown()"},
    {"if it rains, delete 3", "unknown()"},
    {"finish the report if you can", "unknown()"},
    {"I deleted 3 yesterday", "unknown()"},
    {"deleted 3", "unknown()"},
    {"she said \"delete 3\"", "unknown()"},
    {"\"delete 3\"", "unknown()"},
    {"> delete 3", "unknown()"},
    {"what happens if I finish 2?", "unknown()"},
    {"delete 3, no wait", "unknown()"},
    {"don't delete task 3, complete task 2", "unknown()"},
    {"don't complete task 3, it is done", "unknown()"},
    {"don't delete task 3, it is done", "unknown()"},
    {"complete task 3, but don't complete it", "unknown()"},
    {"complete it, but don't delete task 3", "unknown()"},
    {"not the milk, complete task 3", "unknown()"},
    {"I know it's late, but don't add milk", "unknown()"},
    {"I know what to do if it rains, but add milk", "unknown()"},
    {"add these:\n- call the bank\n- never mind", "unknown()"},
    {"Delete 3. No, wait, don't.", "unknown()"},
    {"add milk, just kidding", "unknown()"},
    {"I might finish the report tomorrow", "unknown()"},
    {"never remove the second one", "unknown()"},
    {"how do I delete a task?", "help()"},
    {"Lösche 3 nicht", "unknown()"},
    {"soll ich 3 löschen?", "unknown()"},
    {"no borres la 3", "unknown()"},
    {"ne supprime pas la tâche 3", "unknown()"},
    {"не удаляй задачу 3", "unknown()"},
    {"kaam 3 delete mat karo", "unknown()"},
    {"کام 3 حذف مت کرو", "unknown()"},
};

INSTANTIATE_TEST_SUITE_P(phrases, understanding, testing::ValuesIn(phrases));
INSTANTIATE_TEST_SUITE_P(ranges, understanding, testing::ValuesIn(ranges));
INSTANTIATE_TEST_SUITE_P(creates, understanding, testing::ValuesIn(creates));
INSTANTIATE_TEST_SUITE_P(german_ordinals, understanding, testing::ValuesIn(german_ordinals));
INSTANTIATE_TEST_SUITE_P(spans, understanding, testing::ValuesIn(spans));
INSTANTIATE_TEST_SUITE_P(reads, understanding, testing::ValuesIn(reads));
INSTANTIATE_TEST_SUITE_P(changes, understanding, testing::ValuesIn(changes));
INSTANTIATE_TEST_SUITE_P(several, understanding, testing::ValuesIn(several));
INSTANTIATE_TEST_SUITE_P(lists, understanding, testing::ValuesIn(lists));
INSTANTIATE_TEST_SUITE_P(semicolons, understanding, testing::ValuesIn(semicolons));
INSTANTIATE_TEST_SUITE_P(contrasts, understanding, testing::ValuesIn(contrasts));
INSTANTIATE_TEST_SUITE_P(talk, understanding, testing::ValuesIn(talk));
INSTANTIATE_TEST_SUITE_P(nothings, understanding, testing::ValuesIn(nothings));

TEST(understanding, takes_back_what_is_doubtful) {
    auto const zone = berlin();

    auto const taken_back = understand("Delete 3. No, don't.", sunday_morning(), zone);

    EXPECT_TRUE(taken_back.doubtful);
    EXPECT_EQ(taken_back.intents.size(), 1u);
}

TEST(understanding, leaves_too_many_changes_alone) {
    std::string message = "show my list.";
    for (int i = 1; i <= 25; ++i) message += " complete " + std::to_string(i) + '.';

    auto const request = understand(message, sunday_morning(), berlin());

    EXPECT_TRUE(request.doubtful);
    EXPECT_EQ(to_text(request, berlin()), "list()");
}

TEST(understanding, leaves_long_texts_alone) {
    EXPECT_EQ(understood("add " + std::string(longest_message, 'x')), "unknown()");
}

} // namespace
} // namespace postrider::agent::language::understand_test
