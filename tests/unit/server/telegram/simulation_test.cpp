// The simulated Telegram keeps the real one's delivery rules: what other tests rely on.
#include "net/http_server.hpp"
#include "server/telegram/simulated_markup.hpp"
#include "tests/support/fake_telegram.hpp"
#include "tests/support/loop.hpp"

#include <gtest/gtest.h>

namespace postrider::telegram::simulation_test {
namespace {

using tests::fake_telegram;
using namespace std::chrono_literals;

// A webhook that answers from a list, then 200.
struct receiver {
    tests::loop loop;
    std::vector<net::http_response> script;
    std::vector<net::http_request> seen;
    std::unique_ptr<net::http_server> server;

    receiver() {
        net::route route;
        route.method = "POST";
        route.pattern = "/hook";
        route.handle = [this](net::http_request request) { return answer(std::move(request)); };
        net::http_server_options options;
        options.listen = "127.0.0.1:0";
        server = net::make_http_server(loop.executor(), options, net::router({route}));
        server->start().value();
    }
    ~receiver() { loop.run(close()); }
    base::awaitable<void> close() {
        server->stop_accepting();
        co_await server->drain(0s);
    }
    base::awaitable<net::http_response> answer(net::http_request request) {
        seen.push_back(std::move(request));
        if (seen.size() > script.size()) co_return net::http_response::empty(200);
        co_return script[seen.size() - 1];
    }
    std::string url() { return "http://" + server->address() + "/hook"; }

    void wait_for(std::size_t posts) { loop.run(until(posts)); }
    base::awaitable<void> until(std::size_t posts) {
        while (seen.size() < posts) co_await base::sleep_for(1ms);
    }
};

// Makes the fake use the receiver, as setWebhook over HTTP does.
void set_webhook(receiver& at, fake_telegram& telegram) {
    auto http = net::make_http_client(at.loop.executor());
    net::http_call call;
    call.origin = telegram.api_base();
    call.target = "/bot" + telegram.token() + "/setWebhook";
    call.body = R"({"url":")" + at.url() + R"(","secret_token":"s3cr3t"})";
    auto const answer = at.loop.run(http->send(std::move(call)));
    ASSERT_TRUE(answer && answer->status == 200);
}

TEST(simulation, posts_with_the_secret_and_retries_with_the_same_id) {
    fake_telegram telegram(5ms);
    receiver hook;
    hook.script = {
        net::http_response::empty(500),
        net::http_response::empty(301),
        net::http_response::empty(503)};
    set_webhook(hook, telegram);

    auto const said = telegram.say({.from = user_id{1}, .text = "hi"});
    hook.wait_for(4);

    for (auto const& request : hook.seen) {
        EXPECT_EQ(request.headers.find("X-Telegram-Bot-Api-Secret-Token"), "s3cr3t");
        EXPECT_NE(request.body.find(base::to_string(said.update)), std::string::npos);
    }
}

TEST(simulation, a_failing_update_blocks_its_chat_and_no_other) {
    fake_telegram telegram(5ms);
    receiver hook;
    hook.script = {net::http_response::empty(500)};
    set_webhook(hook, telegram);

    telegram.say({.from = user_id{1}, .text = "a1"});
    telegram.say({.from = user_id{1}, .text = "a2"});
    telegram.say({.from = user_id{2}, .text = "b1"});
    hook.wait_for(4);

    auto holds = [&](std::size_t post, std::string_view text) {
        return hook.seen[post].body.find(text) != std::string::npos;
    };
    auto first_a2 = std::size_t{0};
    while (!holds(first_a2, "a2")) ++first_a2;
    int a1_before = 0;
    for (std::size_t i = 0; i < first_a2; ++i) a1_before += holds(i, "a1");
    EXPECT_GE(a1_before, 1);
    EXPECT_FALSE(holds(0, "a2"));
}

TEST(simulation, obeys_retry_after) {
    fake_telegram telegram(5ms);
    receiver hook;
    auto later = net::http_response::empty(503);
    later.headers.add("Retry-After", "1");
    hook.script = {later};
    set_webhook(hook, telegram);

    telegram.say({.from = user_id{1}, .text = "hi"});
    hook.wait_for(2);

    ASSERT_TRUE(telegram.wait_until([](auto const& r) { return r.deliveries.size() == 2; }, 5s));
    auto const posts = telegram.record().deliveries;
    EXPECT_GE(posts[1].at - posts[0].at, 1s);
}

TEST(simulated_markup, reads_what_people_see) {
    EXPECT_EQ(read_html("<b>1 &lt; 2</b> &amp; &#233;&#x20ac;&nbsp;").visible, "1 < 2 & é€&nbsp;");
    EXPECT_EQ(read_html("<a href=\"https://x\">here</a>").visible, "here");
}

TEST(simulated_markup, refuses_in_the_originals_words) {
    auto problem = [](std::string_view text) { return read_html(text).problem; };
    EXPECT_EQ(problem("fine"), "");
    EXPECT_EQ(
        problem("<b>x"), "can't parse entities: Can't find end tag corresponding to start tag \"b\""
    );
    EXPECT_EQ(problem("x</b>"), "can't parse entities: Unexpected end tag at byte offset 1");
    EXPECT_EQ(
        problem("<b>x</i>"),
        "can't parse entities: Unmatched end tag at byte offset 4, expected \"</b>\", found "
        "\"</i>\""
    );
    EXPECT_EQ(
        problem("a <div>"), "can't parse entities: Unsupported start tag \"div\" at byte offset 2"
    );
    EXPECT_EQ(problem("1 < 2"), "can't parse entities: Unclosed start tag at byte offset 2");
}

} // namespace
} // namespace postrider::telegram::simulation_test
