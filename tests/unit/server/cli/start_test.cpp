// What a start tells: to people in the announcement, to systemd by datagram.
#include "server/bots/bot_commands.hpp"
#include "server/start/announcement.hpp"
#include "server/start/service_manager.hpp"
#include "server/start/start_up.hpp"
#include "tests/support/loop.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <set>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace postrider::server::start_test {
namespace {

using testing::HasSubstr;
using testing::Not;
using namespace std::chrono_literals;

TEST(start_up, an_address_in_use_is_told_with_the_setting_that_names_another) {
    base::error const taken(
        base::errc::unavailable, "cannot listen on 127.0.0.1:8080: Address already in use"
    );

    EXPECT_EQ(
        cannot_listen(taken).detail,
        "cannot listen on 127.0.0.1:8080: Address already in use; server.listen (--listen, "
        "POSTRIDER_LISTEN) names another address"
    );
}

TEST(bot_commands, stand_in_front_of_what_is_listed_already) {
    telegram::command_list const everywhere;
    telegram::command_list const private_chats{telegram::command_scope::private_chats};
    auto const first =
        with_own_commands({{"shop", "Buy shoes"}, {"new", "An older text"}}, everywhere);

    ASSERT_EQ(first.size(), 8u);
    EXPECT_EQ(first[0].name, "help");
    EXPECT_EQ(first[1].name, "new");
    EXPECT_NE(first[1].description, "An older text");
    EXPECT_EQ(first[2].name, "cancel") << "/stop is another name of it";
    EXPECT_EQ(first[3].name, "usage");
    EXPECT_EQ(first[4].name, "approvals");
    EXPECT_EQ(first[5].name, "settings");
    EXPECT_EQ(first[6].name, "memory");
    EXPECT_EQ(first[7], (telegram::bot_command{"shop", "Buy shoes"}));
    EXPECT_EQ(with_own_commands(first, everywhere), first) << "a list that has them is left alone";
    auto const in_private = with_own_commands(first, private_chats);
    ASSERT_EQ(in_private.size(), 10u);
    EXPECT_EQ(in_private[0].name, "start") << "where somebody begins to speak to the bot";
    EXPECT_EQ(in_private[8].name, "knowledge") << "owners add documents there";
}

TEST(bot_commands, are_described_in_the_language_of_the_list) {
    auto const stop_in = [](std::string language) {
        auto const all = with_own_commands({}, {telegram::command_scope::everywhere, language});
        return all.at(2).description;
    };
    std::set<std::string> texts{stop_in("")};
    for (auto const* language : {"de", "es", "fr", "ru", "ur"}) texts.insert(stop_in(language));

    EXPECT_EQ(stop_in("de"), "Abbrechen, was ich gerade für dich tue");
    EXPECT_EQ(stop_in(""), stop_in("en"));
    EXPECT_EQ(texts.size(), 6u);
}

TEST(bot_commands, are_no_more_than_telegram_takes) {
    std::vector<telegram::bot_command> full;
    for (int n = 0; n < 100; ++n) full.push_back({"c" + std::to_string(n), "A command"});

    auto const all = with_own_commands(full, telegram::command_list{});

    EXPECT_EQ(all.size(), 100u);
    EXPECT_EQ(all[0].name, "help");
}

TEST(announcement, a_demo_says_what_would_make_it_real) {
    announcement banner;
    banner.version = "1.2.3";
    banner.address = "127.0.0.1:8080";
    banner.model = "rules/builtin";
    banner.rules = true;
    banner.private_cluster = "var/postgres";
    banner.admin_token_file = "var/admin_token";
    banner.new_admin_token = "t0ken";

    auto text = to_text(banner);

    EXPECT_THAT(text, HasSubstr("postrider 1.2.3 at http://127.0.0.1:8080\n"));
    EXPECT_THAT(text, HasSubstr("TELEGRAM_BOT_TOKEN makes it real"));
    EXPECT_THAT(text, HasSubstr("(built in; ANTHROPIC_API_KEY or OPENAI_API_KEY makes it real)"));
    EXPECT_THAT(text, HasSubstr("private cluster in var/postgres"));
    EXPECT_THAT(text, HasSubstr("token t0ken (shown once, kept in var/admin_token)"));
}

TEST(announcement, begins_with_the_link_to_the_console_where_there_is_one) {
    announcement banner;
    banner.version = "1.2.3";
    banner.address = "127.0.0.1:8080";
    EXPECT_THAT(to_text(banner), Not(HasSubstr("console")));
    banner.console_link = "http://127.0.0.1:8080/console#login=prl_1";

    EXPECT_THAT(
        to_text(banner),
        testing::StartsWith("  console   http://127.0.0.1:8080/console#login=prl_1\n"
                            "            (for one login within 15 minutes)\n"
                            "postrider 1.2.3 at http://127.0.0.1:8080\n")
    );
}

// covers: X.16
TEST(announcement, a_demo_says_what_can_be_tried) {
    announcement demo;
    demo.address = "127.0.0.1:8080";
    announcement real = demo;
    real.mode = mode::polling;

    auto const text = to_text(demo);

    for (auto const* tried :
         {"add buy milk",
          "what's on my list?",
          "delete task 1",
          "what is 12*7?",
          "what time is it in Tokyo?",
          "kill -9",
          "postrider jobs show N"})
        EXPECT_THAT(text, HasSubstr(tried));
    EXPECT_THAT(to_text(real), Not(HasSubstr("add buy milk")));
}

TEST(announcement, a_real_bot_with_an_empty_allowlist_says_so) {
    announcement banner;
    banner.address = "unix:/run/postrider.sock";
    banner.mode = mode::webhook;
    banner.bots = {{"main", "https://bot.example.org/telegram/main", false}};

    auto nobody = to_text(banner);
    banner.bots[0].anybody_allowed = true;
    auto somebody = to_text(banner);

    EXPECT_THAT(nobody, HasSubstr("webhook at https://bot.example.org/telegram/main"));
    EXPECT_THAT(nobody, HasSubstr("POSTRIDER_ALLOWED_USERS"));
    EXPECT_THAT(nobody, HasSubstr("curl --unix-socket /run/postrider.sock"));
    EXPECT_THAT(somebody, Not(HasSubstr("POSTRIDER_ALLOWED_USERS")));
}

TEST(announcement, several_bots_are_named) {
    announcement banner;
    banner.mode = mode::webhook;
    banner.bots = {
        {"main", "https://x/telegram/main", true}, {"sales", "https://x/telegram/sales"}};

    auto by_webhook = to_text(banner);
    banner.mode = mode::polling;
    auto by_polling = to_text(banner);

    EXPECT_THAT(by_webhook, HasSubstr("webhook at https://x/telegram/main\n"));
    EXPECT_THAT(by_webhook, HasSubstr("and https://x/telegram/sales\n"));
    EXPECT_THAT(by_webhook, HasSubstr("bots.sales.allowed_users"));
    EXPECT_THAT(by_polling, HasSubstr("long polling for main, sales;"));
}

// The other end of NOTIFY_SOCKET, in the abstract namespace.
class systemd {
public:
    systemd() : socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0)) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::memcpy(address.sun_path + 1, name_.data() + 1, name_.size() - 1);
        auto const length = offsetof(sockaddr_un, sun_path) + name_.size();
        auto const* generic = reinterpret_cast<sockaddr const*>(&address);
        if (::bind(socket_, generic, static_cast<socklen_t>(length)) != 0)
            throw std::runtime_error("bind");
    }
    ~systemd() { ::close(socket_); }
    systemd(systemd const&) = delete;
    systemd& operator=(systemd const&) = delete;

    std::string const& name() const { return name_; }
    std::string heard() const {
        std::array<char, 64> text{};
        auto const received = ::recv(socket_, text.data(), text.size(), 0);
        return received < 0 ? "" : std::string(text.data(), static_cast<std::size_t>(received));
    }

private:
    std::string name_ = "@postrider-notify-" + std::to_string(::getpid());
    int socket_;
};

base::awaitable<void> wait_for_signs(systemd const& there, int count) {
    while (count > 0) {
        if (there.heard() == "WATCHDOG=1") --count;
        co_await base::sleep_for(1ms);
    }
}

TEST(service_manager, tells_when_we_are_ready_and_when_we_stop) {
    systemd there;
    service_manager manager(there.name());

    manager.ready();
    EXPECT_EQ(there.heard(), "READY=1");
    manager.stopping();
    EXPECT_EQ(there.heard(), "STOPPING=1");
}

TEST(service_manager, gives_signs_of_life_faster_than_the_watchdog_asks) {
    systemd there;
    service_manager manager(there.name(), 100ms);
    tests::loop io;
    base::task_group tasks(io.executor());
    tasks.spawn("watchdog", manager.keep_alive());

    auto const began = base::system_clock().steady();
    io.run(wait_for_signs(there, 3));
    auto const took = base::system_clock().steady() - began;

    EXPECT_GE(took, 100ms) << "one at once, then one every half of the period";
    EXPECT_LT(took, 190ms);
    tasks.cancel();
    io.run(tasks.join());
}

TEST(service_manager, gives_none_where_nobody_watches) {
    tests::loop io;

    io.run(service_manager("").keep_alive()); // returns
}

TEST(service_manager, does_without_one) {
    service_manager("").ready();
    service_manager("/nowhere/notify").ready();
    service_manager(std::string(300, 'x')).ready();
}

} // namespace
} // namespace postrider::server::start_test
