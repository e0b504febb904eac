#include "server/telegram/own_mention.hpp"

#include <gtest/gtest.h>

namespace postrider::telegram::own_mention_test {
namespace {

using marks = std::vector<text_mark>;

struct sample {
    std::string_view written;
    marks known;
    std::string_view rest;
};

void expect_rests(std::vector<sample> const& samples) {
    for (auto const& [written, known, rest] : samples)
        EXPECT_EQ(without_own_mention(std::string(written), known, "fern_bot"), rest) << written;
}

TEST(own_mention, is_left_out_wherever_it_stands) {
    expect_rests({
        {"@fern_bot add milk", {{0, 9}}, "add milk"},
        {"@FERN_Bot yes", {{0, 9}}, "yes"},
        {"yes @fern_bot", {{4, 9}}, "yes"},
        {"tell @fern_bot now", {{5, 9}}, "tell now"},
        {"  @fern_bot \n add milk", {{2, 9}}, "add milk"},
        {"add milk\n@fern_bot", {{9, 9}}, "add milk"},
        {"add milk\n@fern_bot\nand eggs", {{9, 9}}, "add milk\nand eggs"},
        {"add milk @fern_bot\nand eggs", {{9, 9}}, "add milk\nand eggs"},
        {"(@fern_bot)", {{1, 9}}, "()"},
    });
}

TEST(own_mention, takes_the_comma_of_the_address_along) {
    expect_rests({
        {"@fern_bot, add milk", {{0, 9}}, "add milk"},
        {"@fern_bot: add milk", {{0, 9}}, "add milk"},
        {"@fern_bot : ajoute du lait", {{0, 9}}, "ajoute du lait"},
        {"@fern_bot :)", {{0, 9}}, ":)"},
        {"yes, @fern_bot", {{5, 9}}, "yes"},
        {"yes, @fern_bot!", {{5, 9}}, "yes!"},
        {"hi @fern_bot!", {{3, 9}}, "hi!"},
        {"hi @fern_bot :)", {{3, 9}}, "hi :)"},
        {"Hey, @fern_bot, add milk", {{5, 9}}, "Hey, add milk"},
    });
}

TEST(own_mention, is_found_by_units_of_utf_16) {
    expect_rests({
        {"😀 @fern_bot yes", {{3, 9}}, "😀 yes"},
        {"да, @fern_bot", {{4, 9}}, "да"},
        {"über 👩‍🌾 @fern_bot ja", {{11, 9}}, "über 👩‍🌾 ja"},
        {"😀 @fern_bot yes", {{1, 9}}, "😀 @fern_bot yes"}, // within the emoji
        {"😀 @fern_bot yes", {{2, 9}}, "😀 @fern_bot yes"}, // " @fern_bo"
    });
}

TEST(own_mention, of_a_command_is_its_name_alone) {
    expect_rests({
        {"/report@fern_bot", {{0, 16}}, "/report"},
        {"/add@Fern_Bot milk", {{0, 13}}, "/add milk"},
        {"please /add@fern_bot milk", {{7, 13}}, "please /add milk"},
        {"@fern_bot /help@fern_bot", {{0, 9}, {10, 14}}, "/help"},
        {"/report", {{0, 7}}, "/report"},
        {"/report@other_bot now", {{0, 17}}, "/report@other_bot now"},
        {"/report@my_fern_bot now", {{0, 19}}, "/report@my_fern_bot now"},
    });
}

TEST(own_mention, may_come_several_times_and_in_any_order) {
    expect_rests({
        {"@fern_bot @fern_bot yes", {{0, 9}, {10, 9}}, "yes"},
        {"@fern_bot yes, @fern_bot", {{15, 9}, {0, 9}}, "yes"},
        {"yes @fern_bot , @fern_bot", {{4, 9}, {16, 9}}, "yes"},
        {"@fern_bot yes", {{0, 9}, {0, 9}}, "yes"},
    });
}

TEST(own_mention, leaves_everything_else) {
    expect_rests({
        {"@other_bot add milk", {{0, 10}}, "@other_bot add milk"},
        {"@fern_bot ask @alex", {{0, 9}, {14, 5}}, "ask @alex"},
        {"@fern_bot2 yes", {{0, 10}}, "@fern_bot2 yes"},
        {"@fern_bot yes", {}, "@fern_bot yes"}, // in code, say
        {"@fern_bot", {{0, 9}}, "@fern_bot"},
        {"@fern_bot @fern_bot ", {{0, 9}, {10, 9}}, "@fern_bot @fern_bot "},
        {"yes", {{0, 9}}, "yes"},
        {"yes", {{-1, 2}}, "yes"},
        {"yes", {{1, -1}}, "yes"},
        {"", {{0, 9}}, ""},
    });
    EXPECT_EQ(without_own_mention("@fern_bot yes", {{0, 9}}, ""), "@fern_bot yes")
        << "the name is not known yet";
    EXPECT_EQ(without_own_mention("@ yes", {{0, 1}}, ""), "@ yes");
}

} // namespace
} // namespace postrider::telegram::own_mention_test
