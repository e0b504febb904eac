// A language is one file: this one exists nowhere else.
#include "agent/language/lexicon_members.hpp"
#include "tests/unit/agent/language/request_text.hpp"

#include <gtest/gtest.h>

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
        each_member(
            const_cast<replies&>(language.replies),
            [&](std::string_view name, auto const& said) {
                if constexpr (std::is_same_v<std::decay_t<decltype(said)>, std::string>)
                    EXPECT_FALSE(said.empty()) << language.code << ' ' << name;
                else
                    for (auto const& text : said)
                        EXPECT_FALSE(text.empty()) << language.code << ' ' << name;
            }
        );
    }
}

} // namespace
} // namespace postrider::agent::language::language_seam_test
