// What /settings understands and says.
#include "agent/flow/run/settings_change.hpp"

#include <gmock/gmock.h>

namespace postrider::agent::flow::settings_change_test {
namespace {

using testing::HasSubstr;
using testing::Not;
using namespace std::chrono_literals;
using problem = settings_change::problem;

base::sys_time const noon = base::from_iso8601("2026-11-30T12:00:00Z").value();

storage::person_settings set_by(std::string_view argument, storage::person_settings current = {}) {
    return change_of(std::move(current), argument).settings;
}

TEST(settings_change, reads_a_zone_or_a_language_with_and_without_its_name) {
    for (auto const* words :
         {"timezone Berlin", "TimeZone: Europe/Berlin", "zone=Berlin", "Berlin"})
        EXPECT_EQ(set_by(words).timezone, "Europe/Berlin") << words;
    for (auto const* words : {"language de", "language German", "lang Deutsch", "deutsch", "DE"})
        EXPECT_EQ(set_by(words).language, "de") << words;
    EXPECT_EQ(set_by("language русский").language, "ru");
    EXPECT_EQ(set_by("language اردو").language, "ur");
}

TEST(settings_change, leaves_the_other_setting_and_takes_one_away) {
    storage::person_settings const both{"Asia/Tokyo", "fr"};
    EXPECT_EQ(set_by("language de", both), (storage::person_settings{"Asia/Tokyo", "de"}));
    EXPECT_EQ(set_by("language auto", both), (storage::person_settings{"Asia/Tokyo", ""}));
    EXPECT_EQ(set_by("timezone auto", both), (storage::person_settings{"", "fr"}));
    EXPECT_TRUE(change_of(both, "timezone auto").has_timezone);
    EXPECT_FALSE(change_of(both, "timezone auto").has_language);
}

TEST(settings_change, changes_nothing_where_nothing_is_asked_or_understood) {
    storage::person_settings const both{"Asia/Tokyo", "fr"};
    struct {
        std::string_view words;
        problem misunderstood;
    } const cases[]{
        {"", problem::none},
        {"  ", problem::none},
        {"timezone", problem::none},
        {"timezone Atlantis", problem::timezone},
        {"language Klingon", problem::language},
        {"colour blue", problem::setting},
    };
    for (auto const& [words, misunderstood] : cases) {
        auto const change = change_of(both, words);
        EXPECT_EQ(change.settings, both) << words;
        EXPECT_FALSE(change.has_timezone || change.has_language) << words;
        EXPECT_EQ(change.misunderstood, misunderstood) << words;
    }
}

TEST(settings_text, says_what_is_set_and_how_to_change_it) {
    auto const text = settings_text(change_of({}, ""), "en", "", noon);
    EXPECT_THAT(text, HasSubstr("Time zone: none.\nLanguage: that of your messages."));
    EXPECT_THAT(text, HasSubstr("/settings timezone Berlin"));

    EXPECT_THAT(
        settings_text(change_of({}, ""), "en", "Asia/Tokyo", noon),
        HasSubstr("Time zone: Asia/Tokyo")
    );
}

TEST(settings_text, says_what_changed_in_the_language_that_is_asked_for) {
    auto const text = settings_text(change_of({"Europe/Berlin", ""}, "Deutsch"), "de", "", noon);
    EXPECT_THAT(text, HasSubstr("Zeitzone: Europe/Berlin. Dort ist es "));
    EXPECT_THAT(text, HasSubstr("13:00"));
    EXPECT_THAT(text, HasSubstr("Sprache: Deutsch."));
    EXPECT_THAT(text, Not(HasSubstr("/settings")));
}

TEST(settings_text, says_what_it_did_not_understand) {
    auto const answer_to = [](std::string_view argument) {
        return settings_text(change_of({}, argument), "en", "", noon);
    };
    EXPECT_THAT(answer_to("timezone Atlantis"), HasSubstr("no time zone “Atlantis”"));
    EXPECT_THAT(answer_to("language Klingon"), HasSubstr("“Klingon”. I speak: English, "));
    EXPECT_THAT(answer_to("colour blue"), HasSubstr("no setting “colour blue”"));
}

} // namespace
} // namespace postrider::agent::flow::settings_change_test
