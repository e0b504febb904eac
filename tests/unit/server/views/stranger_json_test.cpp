// Who was refused, with the setting that lets them in.
#include "server/views/stranger_json.hpp"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

namespace postrider::server::stranger_json_test {
namespace {

// covers: E.04
TEST(stranger_json, names_the_setting_that_lets_each_in) {
    std::vector<bot_config> bots(2);
    bots[0].allowlist.chats = {chat_id{-5}};
    bots[1].name = "sales";
    auto const let_in_by = [&](std::string bot, std::int64_t chat) {
        storage::known_stranger stranger;
        stranger.bot = std::move(bot);
        stranger.user = user_id{666};
        stranger.chat = chat_id{chat};
        auto const shown = strangers_json({{stranger}, ""}, bots);
        return boost::json::serialize(shown.at("strangers").at(0).at("admitted_by"));
    };

    EXPECT_EQ(let_in_by("main", 666), R"({"setting":"bots.main.allowed_users","id":666})");
    EXPECT_EQ(let_in_by("main", -7), R"({"setting":"bots.main.allowed_chats","id":-7})");
    EXPECT_EQ(let_in_by("main", -5), R"({"setting":"bots.main.allowed_users","id":666})")
        << "the bot serves the group: a command was refused";
    EXPECT_EQ(let_in_by("sales", -5), R"({"setting":"bots.sales.allowed_chats","id":-5})");
    EXPECT_EQ(let_in_by("gone", -5), R"({"setting":"bots.gone.allowed_chats","id":-5})");
}

} // namespace
} // namespace postrider::server::stranger_json_test
