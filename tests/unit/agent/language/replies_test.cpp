// What is said in each language, beside the sentences themselves.
#include "agent/language/notices.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <utility>

namespace postrider::agent::language::replies_test {
namespace {

TEST(replies, write_a_time_as_people_do) {
    for (auto const& [code, written] :
         std::initializer_list<std::pair<std::string_view, std::string_view>>{
             {"en", "Mon, 3 August 2026, 15:00"},
             {"de", "Mo., 3. August 2026, 15:00 Uhr"},
             {"es", "lun, 3 de agosto de 2026, 15:00"},
             {"fr", "lun. 3 août 2026 à 15:00"},
             {"ru", "пн, 3 августа 2026, 15:00"},
             {"ur", "پیر، 3 اگست 2026، 15:00 بجے"}})
        EXPECT_EQ(due_text("2026-08-03T15:00:00+02:00", replies_in(code)), written);
    EXPECT_EQ(due_text("2026-08-03", replies_in("de")), "Mo., 3. August 2026");
    EXPECT_EQ(due_text("some day", replies_in("de")), "some day");
}

// What stands behind an English title would jump before it.
TEST(replies, set_words_of_the_other_direction_apart) {
    auto const& urdu = replies_in("ur");
    EXPECT_EQ(in_words(urdu.created, "Buy milk!"), "کام بنا دیا: \u2068Buy milk!\u2069");
    EXPECT_EQ(
        in_words(urdu.no_title, "3 Eier"), "اس نام کا کوئی کام نہیں ملا: \"\u20683 Eier\u2069\"۔"
    );
    EXPECT_EQ(in_words(urdu.created, "купить"), "کام بنا دیا: \u2068купить\u2069");
    EXPECT_EQ(without_marks(in_words(urdu.created, "Buy milk!")), "کام بنا دیا: Buy milk!");
}

TEST(replies, leave_other_words_as_they_are) {
    EXPECT_EQ(in_words(replies_in("ur").created, "دودھ لانا"), "کام بنا دیا: دودھ لانا");
    EXPECT_EQ(in_words(replies_in("ur").created, "دودھ Milk"), "کام بنا دیا: دودھ Milk");
    EXPECT_EQ(in_words(replies_in("ur").created, "👍 2"), "کام بنا دیا: 👍 2");
    EXPECT_EQ(in_words(replies_in("ur").unknown_id, 3), "کام 3 موجود نہیں۔");
    EXPECT_EQ(in_words(replies_in("en").created, "دودھ"), "Created task: دودھ");
    EXPECT_EQ(in_words(replies_in("de").created, "Milch"), "Aufgabe erstellt: Milch");
}

} // namespace
} // namespace postrider::agent::language::replies_test
