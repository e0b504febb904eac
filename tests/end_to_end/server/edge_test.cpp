// The webhook under hostile and broken requests, on the real binary.
#include "tests/end_to_end/server/child.hpp"
#include "tests/end_to_end/server/scene.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <thread>

namespace postrider::tests::edge_test {

namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

std::string inbox_of(scene& s, std::int64_t id) {
    return s.value(
        "select disposition || coalesce(' ' || reason, '') from postrider.inbox where update_id "
        "= " +
        std::to_string(id)
    );
}

// covers: E.01
TEST(edge, refuses_a_wrong_or_missing_secret_and_stores_nothing) {
    scene s;
    s.product().start();
    auto const port = s.product().port();
    auto const body = update_json(update_id{1}, alice, "hello");

    EXPECT_EQ(post_update(port, "wrong", body).status, 401);
    EXPECT_EQ(post_update(port, "", body).status, 401);
    EXPECT_EQ(post_update(port, s.secret + "x", body).status, 401);
    EXPECT_EQ(post_update(port, s.secret, body, "nobody").status, 404);

    EXPECT_EQ(s.value("select count(*) from postrider.inbox"), "0");
    EXPECT_THAT(s.product().log(), testing::Not(HasSubstr(s.secret)));
    EXPECT_THAT(s.product().log(), testing::Not(HasSubstr(s.telegram.token())));
}

TEST(edge, decides_on_the_secret_before_it_reads_the_body) {
    scene s;
    s.product().start();

    // A body is announced and never sent.
    auto refused = http_exchange(
        s.product().port(),
        "POST /telegram/main HTTP/1.1\r\nHost: t\r\nContent-Length: 1000000\r\n\r\n"
    );

    EXPECT_EQ(refused.status, 401);
}

// covers: E.03
TEST(edge, starts_one_job_for_an_update_that_comes_many_times_at_once) {
    scene s;
    s.product().start();
    s.introduce();
    auto const body = update_json(s.telegram.next_update_id(), alice, "only once");
    std::atomic<int> accepted{0};

    std::vector<std::jthread> senders;
    for (int n = 0; n < 16; ++n)
        senders.emplace_back([&] {
            for (int m = 0; m < 5; ++m)
                accepted += post_update(s.product().port(), s.secret, body).status == 200;
        });
    for (auto& sender : senders) sender.join();

    EXPECT_EQ(accepted, 80);
    ASSERT_TRUE(s.replies(3)) << s.product().log();
    ASSERT_TRUE(s.settles());
    EXPECT_EQ(s.value("select count(*) from postrider.job"), "3") << "two of them said hello";
    EXPECT_EQ(s.texts().size(), 3u);
}

TEST(edge, answers_every_authentic_update_and_records_what_it_cannot_use) {
    scene s;
    s.product().start();
    auto const port = s.product().port();
    auto post = [&](std::string const& body) { return post_update(port, s.secret, body).status; };

    EXPECT_EQ(post("{"), 400);
    EXPECT_EQ(post(""), 400);
    EXPECT_EQ(post("[]"), 400);
    EXPECT_EQ(post(R"({"message":{}})"), 400) << "no update_id";
    EXPECT_EQ(post(R"({"update_id":"7"})"), 400);
    EXPECT_EQ(post(R"({"update_id":10,"surprise":{"deep":[1,2,3]}})"), 200);
    EXPECT_EQ(post(update_json(update_id{11}, alice, std::string("a\0b", 3))), 200);
    std::string deep = R"({"update_id":12,"message":)";
    for (int n = 0; n < 500; ++n) deep += "[";
    for (int n = 0; n < 500; ++n) deep += "]";
    EXPECT_EQ(post(deep + "}"), 200);
    EXPECT_EQ(post(R"({"update_id":13,"message":{"message_id":1e999}})"), 200);

    EXPECT_THAT(inbox_of(s, 10), testing::StartsWith("ignored"));
    EXPECT_THAT(inbox_of(s, 11), testing::StartsWith("rejected"));
    EXPECT_THAT(inbox_of(s, 12), testing::StartsWith("rejected"));
    EXPECT_THAT(inbox_of(s, 13), testing::StartsWith("rejected"));
    EXPECT_EQ(s.value("select count(*) from postrider.job"), "0");
    EXPECT_EQ(
        s.value(
            "select convert_from(raw, 'UTF8') = $$" + deep +
            "}$$ from postrider.inbox where update_id = 12"
        ),
        "t"
    );
    EXPECT_EQ(get(port, "/healthz").status, 200);
}

TEST(edge, answers_an_oversized_update_and_keeps_its_number) {
    scene s;
    s.product().start();
    auto const body = update_json(update_id{77}, alice, std::string(5u << 20, 'x'));

    EXPECT_EQ(post_update(s.product().port(), s.secret, body).status, 200);

    EXPECT_THAT(inbox_of(s, 77), testing::StartsWith("rejected"));
    EXPECT_EQ(s.value("select raw is null from postrider.inbox where update_id = 77"), "t");
}

TEST(edge, isolates_a_poisonous_update_from_the_flood_around_it) {
    scene s;
    s.product().start();
    s.introduce();
    std::vector<std::jthread> senders;
    std::atomic<int> accepted{0};
    for (int n = 0; n < 12; ++n)
        senders.emplace_back([&, n] {
            for (int m = 0; m < 5; ++m) {
                auto const id = update_id{2'000'000'000 + n * 10 + m};
                auto const text =
                    m == 2 ? std::string("poison \0", 8) : "fine " + std::to_string(base::raw(id));
                accepted +=
                    post_update(
                        s.product().port(), s.secret, update_json(id, n % 2 ? alice : bob, text)
                    )
                        .status == 200;
            }
        });
    for (auto& sender : senders) sender.join();

    EXPECT_EQ(accepted, 60);
    ASSERT_TRUE(s.settles(60s)) << s.product().log();
    EXPECT_EQ(s.value("select count(*) from postrider.inbox where disposition = 'job'"), "50");
    EXPECT_EQ(
        s.value("select count(*) from postrider.inbox where disposition = 'rejected' and raw is "
                "not null"),
        "12"
    );
    EXPECT_EQ(s.texts().size(), 50u);
}

TEST(edge, refuses_smuggled_framing) {
    scene s;
    s.product().start();
    auto const port = s.product().port();
    auto status = [&](std::string const& headers, std::string const& body) {
        return http_exchange(port, "POST /telegram/main HTTP/1.1\r\n" + headers + "\r\n" + body)
            .status;
    };

    EXPECT_EQ(
        status("Host: t\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"), 400
    );
    EXPECT_EQ(status("Host: t\r\nTransfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n"), 400);
    EXPECT_EQ(status("Host: t\r\nContent-Length: 1\r\nContent-Length: 2\r\n", "ab"), 400);
    EXPECT_EQ(status("Host: t\r\nHost: u\r\nContent-Length: 0\r\n", ""), 400);
    EXPECT_EQ(status("Content-Length: 0\r\n", ""), 400);
}

TEST(edge, says_it_is_healthy_and_ready) {
    scene s;
    s.product().start();
    auto const port = s.product().port();

    EXPECT_EQ(get(port, "/healthz").status, 200);
    EXPECT_EQ(get(port, "/readyz").status, 200);
    EXPECT_THAT(get(port, "/metrics").body, HasSubstr("postrider_"));
    auto nowhere = get(port, "/nowhere");
    EXPECT_EQ(nowhere.status, 404);
    EXPECT_THAT(nowhere.head, HasSubstr("application/problem+json"));
    EXPECT_EQ(get(port, "/telegram/main").status, 405);
}

TEST(edge, tells_its_own_command_whether_it_is_ready) {
    scene s;
    s.product().start();
    auto const ready = s.product().run({"health"});
    s.product().stop();

    auto const gone = s.product().run({"health"});

    EXPECT_EQ(ready.code, 0);
    EXPECT_THAT(ready.out, HasSubstr("ready"));
    EXPECT_EQ(gone.code, 1);
}

// What a service manager or a container engine keeps of stdout is read by more people than the owner.
TEST(edge, prints_a_new_owners_token_nowhere_but_to_a_terminal) {
    scene s(environment{{"POSTRIDER_ADMIN_TOKEN", ""}});
    auto const data = s.product().folder() / "data";
    s.product().start({{"POSTRIDER_DATA", data.string()}});
    ASSERT_EQ(s.product().stop(), 0) << s.product().log();
    auto token = read_file(data / "admin_token");
    ASSERT_GT(token.size(), 32u);
    token.pop_back(); // the line's end

    auto const printed = s.product().printed();

    EXPECT_THAT(printed, HasSubstr("token in " + (data / "admin_token").string()));
    EXPECT_THAT(printed, testing::Not(HasSubstr(token)));
    EXPECT_THAT(s.product().log(), testing::Not(HasSubstr(token)));
}

} // namespace

} // namespace postrider::tests::edge_test
