// A language is one value: this one exists nowhere else.
#include "tests/unit/agent/todo/request_text.hpp"

#include <gtest/gtest.h>

#include <array>

namespace postrider::agent::todo::language_seam_test {
namespace {

using entry = time_words::entry;

constexpr std::array forms{
    form{intent::kind::create, "gomba <title>"},
    form{intent::kind::list, "zeeba"},
    form{intent::kind::remove, "vokka [no] <task>"},
    form{intent::kind::update, "<task> hulli <title>"},
};
constexpr std::array numbers{entry{"uni", 1}, entry{"duo", 2}};
constexpr std::array ordinals{entry{"fara", 1}};
constexpr std::array priorities{entry{"rass", 2}};
constexpr std::array days{entry{"moro", 1}};
constexpr std::array parts{entry{"noka", 720}};
constexpr std::array units{entry{"hora", 60}};

constexpr language scratch{
    .code = "xx",
    .forms = forms,
    .openings = "pleez",
    .confirmations = "zib",
    .conjunctions = "ond",
    .doubts = "nix",
    .numbers = numbers,
    .ordinals = ordinals,
    .pronouns = "dat",
    .priorities = priorities,
    .times =
        {.weekdays = {}, .months = {}, .days = days, .parts = parts, .units = units, .at = "atto"},
};

std::string heard(std::string_view message) {
    static std::array<language const*, 1> const table{&scratch};
    static interpreter const speaker(table);
    return to_text(speaker.understand(message, sunday_morning(), berlin()), berlin());
}

TEST(language_seam, a_value_is_a_language) {
    EXPECT_EQ(heard("Pleez gomba Milk moro atto 9"), "create(Milk @2026-11-23T09:00:00+01:00)");
    EXPECT_EQ(heard("gomba milk rass ond vokka duo"), "create(milk !high) delete(#2)");
    EXPECT_EQ(heard("vokka fara, zib"), "delete(place 1 confirmed)");
    EXPECT_EQ(heard("dat hulli bread"), "update(that to bread)");
    EXPECT_EQ(heard("vokka nix milk"), "unknown()");
    EXPECT_EQ(heard("delete 3"), "unknown()") << "English is not in this table";
}

} // namespace
} // namespace postrider::agent::todo::language_seam_test
