// A language is one file: this one exists nowhere else.
#include "agent/language/assent.hpp"
#include "agent/language/lexicon_members.hpp"
#include "agent/language/reading/understand.hpp"
#include "tests/unit/agent/language/request_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <stdexcept>

namespace postrider::agent::language::language_seam_test {
namespace {

constexpr std::string_view scratch_file = R"({
    "code": "xx",
    "openings": ["pleez"],
    "confirmations": ["zib"],
    "conjunctions": ["ond"],
    "doubts": ["nix"],
    "numbers": [{"words": ["uni"], "value": 1}, {"words": ["duo"], "value": 2}],
    "ordinals": [{"words": ["fara"], "value": 1}],
    "pronouns": ["dat"],
    "priorities": [{"words": ["rass"], "value": 2}],
    "times": {
        "days": [{"words": ["moro"], "value": 1}],
        "parts": [{"words": ["noka"], "value": 720}],
        "units": [{"words": ["hora"], "value": 60}],
        "at": ["atto"]
    },
    "forms": [
        {"action": "create", "text": "gomba <title>"},
        {"action": "list", "text": "zeeba"},
        {"action": "delete", "text": "vokka [no] <task>"},
        {"action": "update", "text": "<task> hulli <title>"}
    ]
})";

std::string heard(std::string_view message) {
    static lexicon const scratch = read_lexicon(scratch_file);
    static interpreter const speaker({&scratch, 1});
    return to_text(speaker.understand(message, sunday_morning(), berlin()), berlin());
}

TEST(language_seam, a_file_is_a_language) {
    EXPECT_EQ(heard("Pleez gomba Milk moro atto 9"), "create(Milk @2026-11-23T09:00:00+01:00)");
    EXPECT_EQ(heard("gomba milk rass ond vokka duo"), "create(milk !high) delete(#2)");
    EXPECT_EQ(heard("vokka fara, zib"), "delete(place 1 confirmed)");
    EXPECT_EQ(heard("dat hulli bread"), "update(that to bread)");
    EXPECT_EQ(heard("vokka nix milk"), "unknown()");
    EXPECT_EQ(heard("delete 3"), "unknown()") << "English is not in this table";
}

TEST(language_seam, a_file_with_a_slip_is_refused) {
    EXPECT_THROW((void)read_lexicon("{"), std::logic_error);
    EXPECT_THROW((void)read_lexicon(R"({"opening": []})"), std::logic_error);
    EXPECT_THROW((void)read_lexicon(R"({"openings": "please"})"), std::logic_error);
    EXPECT_THROW((void)read_lexicon(R"({"times": {"weekdays": [["monday"]]}})"), std::logic_error);
    EXPECT_THROW(
        (void)read_lexicon(R"({"forms": [{"action": "sing", "text": "x"}]})"), std::logic_error
    );
}

// What a language leaves out would be said as an empty line.
TEST(language_seam, every_language_says_everything) {
    for (auto const& language : lexicons()) {
        EXPECT_TRUE(find_lexicon(language.code)) << language.code;
        EXPECT_FALSE(language.common.empty()) << language.code;
        EXPECT_EQ(language.levels.size(), 3u) << language.code;
        EXPECT_FALSE(language.stretches.weeks.empty()) << language.code;
        auto const is_said = [&](std::string_view name, auto const& said) {
            if constexpr (std::is_same_v<std::decay_t<decltype(said)>, std::string>)
                EXPECT_FALSE(said.empty()) << language.code << ' ' << name;
            else
                for (auto const& text : said)
                    EXPECT_FALSE(text.empty()) << language.code << ' ' << name;
        };
        each_member(const_cast<replies&>(language.replies), is_said);
        each_member(const_cast<notices&>(language.notices), is_said);
    }
}

// The parts of a text by their numbers, without its words.
std::string parts_of(std::string_view text) {
    std::string parts;
    for (auto at = text.find('{'); at != text.npos; at = text.find('{', at + 1))
        parts += text.substr(at, 3);
    std::ranges::sort(parts);
    return parts;
}

// Of a noun those of all its forms.
std::string parts_of(counted_noun const& noun) {
    std::string parts;
    for (auto const& form : noun)
        if (auto const own = parts_of(std::string_view(form)); own != parts) parts += own;
    return parts;
}

// Each says what it is about, and nothing that it is not told.
TEST(language_seam, every_language_has_the_parts_of_the_english_notices) {
    std::map<std::string_view, std::string> english;
    each_member(
        const_cast<notices&>(notices_in("en")),
        [&](std::string_view name, auto const& text) { english[name] = parts_of(text); }
    );
    english.erase("empty_budget"); // the error's own words are English
    for (auto const& language : lexicons()) {
        each_member(
            const_cast<notices&>(language.notices),
            [&](std::string_view name, auto const& text) {
                if (!english.contains(name)) return;
                EXPECT_EQ(parts_of(text), english[name]) << language.code << ' ' << name;
            }
        );
    }
}

TEST(language_seam, a_noun_has_a_form_for_each_number) {
    for (auto const& language : lexicons()) {
        each_member(
            const_cast<notices&>(language.notices),
            [&](std::string_view name, auto const& noun) {
                if constexpr (std::is_same_v<std::decay_t<decltype(noun)>, counted_noun>) {
                    for (std::int64_t number = 0; number < 130; ++number)
                        EXPECT_NO_THROW((void)counted(number, noun, language.code))
                            << language.code << ' ' << name << ' ' << number;
                }
            }
        );
    }
    auto const& tokens = notices_in("en").tokens;
    EXPECT_EQ(counted(0, tokens, "en"), "0 tokens");
    EXPECT_EQ(counted(1, tokens, "en"), "1 token");
    EXPECT_EQ(counted(21, tokens, "en"), "21 tokens");
    EXPECT_EQ(counted(0, notices_in("fr").tokens, "fr"), "0 jeton");
    EXPECT_THROW((void)read_lexicon(R"({"number_forms": "many"})"), std::logic_error);
}

// Who writes what a button says means it.
TEST(language_seam, the_buttons_of_an_approval_are_answers_in_words) {
    for (auto const& language : lexicons()) {
        EXPECT_EQ(assent_of(language.notices.approve), assent::yes) << language.code;
        EXPECT_EQ(assent_of(language.notices.reject), assent::no) << language.code;
    }
    EXPECT_NE(assent_of("не отклонить"), assent::no);
    EXPECT_NE(assent_of("no rechazar"), assent::no);
}

// In words that the rules of the todo agent do not know.
TEST(language_seam, a_message_is_in_the_language_of_its_common_words) {
    for (auto const& [message, code] :
         std::initializer_list<std::pair<std::string_view, std::string_view>>{
             {"I am Ann.", "en"},
             {"Die Rechnung von Hans an Bob schicken", "de"},
             {"Envía un correo a Bob", "es"},
             {"Envoie la facture à Bob", "fr"},
             {"Отправь письмо Бобу", "ru"},
             {"موسم کیسے ہے", "ur"},
             {"1234", ""},
             {"Ciao, puoi cercare le notizie di oggi?", ""},
             {"Kan du skicka en rapport till mig", ""}})
        EXPECT_EQ(language_of(message), code) << message;
}

} // namespace
} // namespace postrider::agent::language::language_seam_test
