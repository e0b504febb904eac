#include "server/start/part_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::server::part_options_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(part_options, the_public_address_is_a_host_of_the_server) {
    config settings;
    EXPECT_THAT(hosts_of(settings), IsEmpty());
    settings.hosts = {"*.example.net"};
    settings.public_url = "https://bot.example.org:8443/telegram";
    EXPECT_THAT(hosts_of(settings), ElementsAre("*.example.net", "bot.example.org"));
    settings.public_url = "https://[2001:db8::7]/";
    EXPECT_THAT(hosts_of(settings), ElementsAre("*.example.net", "[2001:db8::7]"));
}

TEST(part_options, browsers_know_the_public_address_by_its_host_and_port) {
    config settings;
    EXPECT_EQ(https_authority_of(settings), "");
    settings.public_url = "http://bot.example.org";
    EXPECT_EQ(https_authority_of(settings), "");
    settings.public_url = "https://bot.example.org:8443/telegram";
    EXPECT_EQ(https_authority_of(settings), "bot.example.org:8443");
}

TEST(part_options, a_process_that_hears_no_notices_looks_more_often) {
    config settings;
    settings.listen_to_others = true;
    auto const hears = library_options_of(settings);
    settings.listen_to_others = false;
    EXPECT_LT(library_options_of(settings).look, hears.look);
}

bot_config bot_of(std::set<user_id> owners, std::set<user_id> allowed) {
    bot_config bot;
    bot.allowlist.owners = std::move(owners);
    bot.allowlist.users = std::move(allowed);
    return bot;
}

TEST(part_options, the_owners_token_acts_as_the_one_person_who_can_be_meant) {
    user_id const ann{7};
    user_id const bob{8};
    user_id const nobody{};
    EXPECT_EQ(person_of_owner({bot_of({ann}, {bob})}), ann);
    EXPECT_EQ(person_of_owner({bot_of({ann}, {}), bot_of({ann}, {bob})}), ann);
    EXPECT_EQ(person_of_owner({bot_of({}, {bob})}), bob);
    EXPECT_EQ(person_of_owner({bot_of({ann, bob}, {ann})}), nobody);
    EXPECT_EQ(person_of_owner({bot_of({}, {ann, bob})}), nobody);
    EXPECT_EQ(person_of_owner({bot_of({}, {})}), nobody);
    EXPECT_EQ(person_of_owner({}), nobody);
}

} // namespace
} // namespace postrider::server::part_options_test
