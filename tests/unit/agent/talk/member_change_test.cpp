#include "agent/talk/member_change.hpp"
#include "base/json/json.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::member_change_test {
namespace {

TEST(member_change, reads_back_as_what_it_was) {
    member_change const change{
        .at = {bot_id{1}, chat_id{-100}},
        .user = user_id{12},
        .name = "Eve",
        .before = member_standing::restricted,
        .now = member_standing::banned,
        .by = user_id{10}};

    auto const event = to_json(change);
    auto const read = member_change_from(event).value();

    EXPECT_EQ(event.at("standing"), "banned");
    EXPECT_EQ(event.at("before"), "restricted");
    EXPECT_EQ(read.at, change.at);
    EXPECT_EQ(read.user, change.user);
    EXPECT_EQ(read.name, change.name);
    EXPECT_EQ(read.before, change.before);
    EXPECT_EQ(read.now, change.now);
    EXPECT_EQ(read.by, change.by);
}

TEST(member_change, is_none_without_its_members_or_with_other_standings) {
    for (auto text :
         {"null",
          "{}",
          R"({"bot":1,"chat":-100,"user":12,"standing":"member","before":"left"})",
          R"({"bot":1,"chat":-100,"user":12,"standing":"king","before":"left","by":10})"})
        EXPECT_EQ(
            member_change_from(base::parse_json(text).value()).error().code, base::errc::invalid
        ) << text;
}

TEST(member_standing, reads_back_by_its_name) {
    using enum member_standing;
    for (auto standing : {owner, administrator, member, restricted, left, banned})
        EXPECT_EQ(standing_from_string(to_string(standing)), standing);
    EXPECT_FALSE(standing_from_string("creator"));
}

} // namespace
} // namespace postrider::agent::member_change_test
