#include "agent/language/lexicon.hpp"
#include "agent/speech/press_note.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::press_note_test {
namespace {

using storage::press_outcome;

TEST(press_note, is_in_the_language_of_the_question) {
    for (auto const& language : language::lexicons()) {
        auto const& words = language.notices;
        for (auto const& asked :
             {words.may_do, words.may_do_several, language.replies.may_delete}) {
            auto const shown = asked + "\n\nremove\n  note: \"the end of it\"";
            EXPECT_EQ(note_of(press_outcome::not_open, shown, ""), words.not_open) << asked;
            EXPECT_EQ(note_of(press_outcome::not_yours, shown, ""), words.not_yours) << asked;
            EXPECT_EQ(note_of(press_outcome::taken, shown, ""), "");
        }
    }
    EXPECT_EQ(note_of(press_outcome::not_open, "", ""), "This is no longer open.");
    EXPECT_EQ(note_of(press_outcome::not_open, "👍", "de"), "Das ist nicht mehr offen.");
    EXPECT_EQ(note_of(press_outcome::not_open, "👍", "it"), "This is no longer open.");
    EXPECT_EQ(note_of(press_outcome::not_open, "May I do this?", "de"), "This is no longer open.");
    EXPECT_EQ(note_of(press_outcome::not_yours, "👍", ""), "This is for somebody else to answer.");
}

} // namespace
} // namespace postrider::agent::press_note_test
