// What keeps a bot from its work in a group.
#include "server/views/group_desk.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::server::group_desk_test {
namespace {

using agent::member_standing;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

group_state watched_group(bool reads_all, agent::chat_member own) {
    group_state group{.bot_name = "main", .place = {bot_id{1}, chat_id{-100}}};
    group.is_watched = true;
    group.identity = telegram::bot_identity{user_id{77}, "ferns_bot", reads_all};
    group.own = std::move(own);
    return group;
}

agent::chat_member administrator(bool may_all) {
    agent::chat_member administrator;
    administrator.standing = member_standing::administrator;
    administrator.may_delete = may_all;
    administrator.may_restrict = may_all;
    return administrator;
}

// covers: X.09
TEST(group_problems, name_privacy_mode_and_missing_rights) {
    EXPECT_THAT(
        problems_of(watched_group(false, {})),
        ElementsAre(HasSubstr("/setprivacy"), HasSubstr("no administrator"))
    );
    EXPECT_THAT(problems_of(watched_group(true, {})), ElementsAre(HasSubstr("no administrator")));
    EXPECT_THAT(
        problems_of(watched_group(true, administrator(false))),
        ElementsAre(HasSubstr("Delete messages, Ban users"))
    );
}

TEST(group_problems, are_none_of_an_administrator_with_all_rights) {
    EXPECT_THAT(problems_of(watched_group(false, administrator(true))), IsEmpty());
}

TEST(group_problems, tell_of_a_group_that_the_bot_is_no_member_of) {
    auto group = watched_group(true, {});
    group.own.reset();
    group.own_failure = base::error(base::errc::refused, "chat not found");
    EXPECT_THAT(problems_of(group), ElementsAre(HasSubstr("@ferns_bot is no member")));

    group.own_failure = base::error(base::errc::timeout);
    EXPECT_THAT(problems_of(group), IsEmpty()) << "Telegram did not say so";
}

TEST(group_problems, are_not_guessed) {
    auto unknown = watched_group(false, {});
    unknown.identity.reset();
    auto unwatched = watched_group(false, {});
    unwatched.is_watched = false;

    EXPECT_THAT(problems_of(unknown), IsEmpty());
    EXPECT_THAT(problems_of(unwatched), IsEmpty());
}

} // namespace
} // namespace postrider::server::group_desk_test
