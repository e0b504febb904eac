// The words of an album, where the part that somebody means has none.
// covers: X.02 X.09
#include "agent/moderation/album.hpp"
#include "tests/support/fake_workflow.hpp"
#include "tests/unit/agent/turn_world.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace postrider::agent::album_words_test {
namespace {

// The caption is that of message 49.
std::optional<storage::rows> answer(storage::write const& question) {
    if (question.statement->name == "album_parts")
        return storage::rows{
            storage::row{{"0", std::optional<std::string>("49")}},
            storage::row{{"0", std::optional<std::string>("50")}}};
    if (question.statement->name == "spoken_message")
        return storage::rows{storage::row{
            {"0", "-100", "49", "7", std::nullopt, "Eve", "earn money", "f", "13", "f"}}};
    return std::nullopt;
}

// A run that asks for less than its record has fails.
TEST(album_words, are_asked_for_in_each_run_though_the_catch_has_them_by_then) {
    tests::loop io;
    tests::message_table table;
    tests::fake_record record;
    table.others = answer;
    spam::caught_message caught;
    caught.key = {chat_id{-100}, telegram_message_id{50}, user_id{7}};
    caught.bot = bot_id{1};
    caught.album = "13";
    auto const words_in_a_run = [&] {
        tests::fake_workflow flow(queue::job(), record);
        queue::workflow const steps(flow);
        auto words = io.run(find_words(steps, table, caught, "caption", {})).value();
        flow.finish(queue::outcome::completed());
        EXPECT_FALSE(flow.recorded("caption")) << "what is left of the record";
        return words;
    };

    EXPECT_EQ(words_in_a_run(), "earn money");
    caught.text = "earn money";
    EXPECT_EQ(words_in_a_run(), "earn money");
}

} // namespace
} // namespace postrider::agent::album_words_test
