// A setting of bots is one value, and the member that it sets: this one stands in no other file.
#include "server/start/bot_settings.hpp"

#include <gtest/gtest.h>

namespace postrider::server::scratch_bot_setting_test {
namespace {

constexpr bot_setting scratch{
    {"bots.*.nickname", "", base::setting_type::text, "none", "", "How it calls itself."},
    [](base::settings const& from, std::string const& key, bot_config& into) {
        into.username = from.text(key);
    }};

TEST(scratch_bot_setting, is_checked_and_read_for_each_bot) {
    base::settings_sources sources;
    sources.flags = {{"bots.sales.nickname", "Sally"}};

    auto const loaded = base::load_settings(std::span(&scratch.row, 1), sources);

    EXPECT_TRUE(loaded.problems.empty());
    EXPECT_EQ(read_bot(loaded.values, "sales", std::span(&scratch, 1)).username, "Sally");
    EXPECT_EQ(read_bot(loaded.values, "sales", std::span(&scratch, 1)).name, "sales");
}

TEST(scratch_bot_setting, is_documented_and_shown_with_the_others) {
    auto const rows = bot_rows();

    ASSERT_EQ(rows.size(), bot_settings().size());
    for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i].key, bot_settings()[i].row.key);
}

} // namespace
} // namespace postrider::server::scratch_bot_setting_test
