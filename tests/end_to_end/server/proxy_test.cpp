// The real binary behind a real nginx and a real Caddy, with the files of deploy/.
#include "tests/end_to_end/server/proxy.hpp"
#include "tests/end_to_end/server/scene.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace postrider::tests::proxy_test {

namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

constexpr auto owner = "Authorization: Bearer test-admin";
constexpr std::size_t mebibyte = 1u << 20;

class reverse_proxy_test : public testing::TestWithParam<proxy_kind> {
protected:
    void SetUp() override {
        if (auto const program = reverse_proxy::missing(GetParam()); !program.empty())
            GTEST_SKIP() << program << " is not installed: scripts/setup --test";
    }

    void start(int nodes = 1) {
        std::vector<int> ports{s.product().port()};
        s.product().start();
        if (nodes > 1) {
            second = s.neighbour();
            ports.push_back(second->port());
            second->start();
        }
        proxy = std::make_unique<reverse_proxy>(GetParam(), ports);
    }

    // curl's arguments for a webhook post, as Telegram makes it.
    std::vector<std::string> update(std::string const& body, std::string const& secret) {
        auto const file = proxy->folder() / ("update-" + std::to_string(++files));
        write_file(file, body);
        return {
            "--header",
            "X-Telegram-Bot-Api-Secret-Token: " + secret,
            "--header",
            "Content-Type: application/json",
            "--data-binary",
            "@" + file.string(),
            proxy->url("/telegram/main")};
    }
    std::vector<std::string> update(std::string const& body) { return update(body, s.secret); }

    answer create_flow(std::size_t size) {
        auto const file = proxy->folder() / "flow.json";
        std::string text = R"({"format": 1, "name": "large", "nodes": [{"id": "in", "name": "In",
            "type": "webhook", "parameters": {"path": "large", "secret": "shop"}, "notes": ")";
        text.append(size - text.size() - 4, 'x');
        write_file(file, text + "\"}]}");
        return proxy->request(
            {"--header",
             owner,
             "--header",
             "Content-Type: application/json",
             "--data-binary",
             "@" + file.string(),
             proxy->url("/api/v1/flows")}
        );
    }

    static int connections_of(product const& node) {
        std::string const metric = "\npostrider_http_connections_total ";
        auto const metrics = get(node.port(), "/metrics").body;
        return std::stoi(metrics.substr(metrics.find(metric) + metric.size()));
    }

    // Has it stored one since its start?
    static bool takes_updates(product const& node) {
        auto const metrics = get(node.port(), "/metrics").body;
        std::string const metric = "\npostrider_updates_total{disposition=\"job\"} ";
        auto const at = metrics.find(metric);
        return at != metrics.npos && metrics.at(at + metric.size()) != '0';
    }

    scene s{{{"POSTRIDER_TRUSTED_PROXIES", "127.0.0.1"}}};
    std::unique_ptr<product> second;
    std::unique_ptr<reverse_proxy> proxy;
    std::atomic<int> files{0};
};

TEST_P(reverse_proxy_test, passes_updates_with_their_secret_over_tls) {
    start();

    auto const refused = proxy->request(update(update_json(update_id{11}, alice, "hi"), "wrong"));
    auto const taken = proxy->request(update(update_json(update_id{12}, alice, "hello")));

    EXPECT_EQ(refused.status, 401) << proxy->log();
    EXPECT_EQ(taken.status, 200) << proxy->log();
    EXPECT_EQ(s.value("select string_agg(update_id::text, ' ') from postrider.inbox"), "12");
}

TEST_P(reverse_proxy_test, sends_plain_http_to_tls_and_keeps_the_metrics_inside) {
    start();

    auto const plain = proxy->request({proxy->plain_url()});
    auto const health = proxy->request({proxy->url("/healthz")});
    auto const metrics = proxy->request({proxy->url("/metrics")});

    EXPECT_EQ(plain.status, 308);
    EXPECT_THAT(plain.head, HasSubstr("ocation: https://bot.example.org"));
    EXPECT_EQ(health.status, 200);
    EXPECT_EQ(metrics.status, 404);
    EXPECT_THAT(metrics.body, Not(HasSubstr("postrider_")));
}

TEST_P(reverse_proxy_test, tells_who_the_client_is) {
    start();

    auto const refused = proxy->request(
        {"--interface",
         "127.0.0.2",
         "--header",
         "X-Forwarded-For: 203.0.113.9",
         proxy->url("/api/v1/jobs")}
    );

    EXPECT_EQ(refused.status, 401);
    EXPECT_THAT(s.product().log(), HasSubstr("remote=127.0.0.2"));
    EXPECT_THAT(s.product().log(), Not(HasSubstr("203.0.113.9")));
}

TEST_P(reverse_proxy_test, keeps_its_connections_to_both_sides) {
    start();
    auto const before = connections_of(s.product());

    auto several = proxy->start(
        {"--write-out", "%{http_code}:%{num_connects} ", proxy->url("/healthz?n=[1-20]")}
    );
    auto const received = several.finish(30s);
    auto const apart = proxy->request({proxy->url("/healthz")}); // of another client

    std::string expected = "200:1 ";
    for (int n = 2; n <= 20; ++n) expected += "200:0 ";
    ASSERT_TRUE(received);
    EXPECT_EQ(several.measurements(), expected);
    EXPECT_EQ(apart.status, 200);
    auto const of_the_look = 1;
    EXPECT_LE(connections_of(s.product()) - before - of_the_look, 1);
}

TEST_P(reverse_proxy_test, takes_updates_of_4_mib_and_lets_the_server_answer_larger_ones) {
    start();
    auto const frame = update_json(update_id{77}, alice, "").size();
    auto const largest = update_json(update_id{77}, alice, std::string(4 * mebibyte - frame, 'x'));
    auto const too_large = update_json(update_id{78}, alice, std::string(20 * mebibyte, 'x'));

    EXPECT_EQ(proxy->request(update(largest)).status, 200) << proxy->log();
    EXPECT_EQ(proxy->request(update(too_large)).status, 200) << proxy->log();

    EXPECT_EQ(
        s.value("select string_agg(update_id || ' ' || disposition, ', ' order by update_id) from "
                "postrider.inbox"),
        "77 job, 78 rejected"
    );
}

TEST_P(reverse_proxy_test, takes_flows_of_4_mib_and_refuses_larger_ones) {
    start();

    auto const too_large = create_flow(4 * mebibyte + 1);
    auto const created = create_flow(4 * mebibyte);

    EXPECT_EQ(too_large.status, 413);
    EXPECT_EQ(created.status, 201) << created.body.substr(0, 1000);
}

TEST_P(reverse_proxy_test, passes_events_on_while_the_execution_runs) {
    auto held = fake_reply::saying("at last");
    held.hold = true;
    s.models.script(held);
    start();
    s.say(alice, "take your time");
    ASSERT_TRUE(s.models.wait_for_requests(1, 20s)) << s.product().log();

    auto const execution = s.value("select max(job_id) from postrider.job");
    auto events =
        proxy->start({"--header", owner, proxy->url("/api/v1/executions/" + execution + "/events")}
        );
    auto const heard = [&](std::string const& event) {
        return eventually([&] { return events.body().find("event: " + event) != std::string::npos; }
        );
    };

    EXPECT_TRUE(heard("node_started")) << events.body();
    EXPECT_THAT(events.body(), Not(HasSubstr("event: done")));
    s.models.release();
    EXPECT_TRUE(heard("done")) << events.body();
    EXPECT_TRUE(events.finish(20s));
}

TEST_P(reverse_proxy_test, gives_an_update_to_the_other_node_when_one_dies_over_it) {
    start(2);
    std::string const text(4096, 'x'); // the longest that Telegram lets people write
    s.product().freeze();
    std::vector<reverse_proxy::transfer> posts;
    for (int n = 0; n < 2; ++n) { // the nodes take turns
        auto post = update(update_json(update_id{50 + n}, alice, text));
        // The body comes apart from the head, as it may over a network.
        post.insert(post.begin(), {"--header", "Expect: 100-continue"});
        posts.push_back(proxy->start(post));
    }
    std::optional<answer> of_living, of_dying;
    ASSERT_TRUE(eventually([&] {
        for (auto& post : posts)
            if (!of_living) of_living = post.finish(0ms);
        return of_living.has_value();
    }));
    auto& held = s.value("select update_id from postrider.inbox") == "50" ? posts[1] : posts[0];
    ASSERT_FALSE(held.finish(0ms)) << "the frozen node answered";

    s.product().kill();

    ASSERT_TRUE(eventually([&] { return (of_dying = held.finish(0ms)).has_value(); }));
    EXPECT_EQ(of_living->status, 200);
    if (GetParam() == proxy_kind::caddy) { // has passed the body on, and cannot do so again
        EXPECT_EQ(of_dying->status, 502) << proxy->log();
        EXPECT_THAT(proxy->log(), AllOf(HasSubstr("/telegram/main"), Not(HasSubstr(s.secret))));
        return;
    }
    EXPECT_EQ(of_dying->status, 200) << proxy->log();
    EXPECT_EQ(s.value("select count(*) from postrider.inbox"), "2");
}

TEST_P(reverse_proxy_test, loses_no_update_while_the_nodes_are_restarted_under_load) {
    start(2);
    auto const paused =
        proxy->request({"--header", owner, "--request", "POST", proxy->url("/api/v1/pause")});
    ASSERT_EQ(paused.status, 200) << "what is stored counts here, not the turns";
    std::atomic<int> sent{0};
    std::atomic<int> refused{0};
    std::atomic<bool> restarted{false};
    auto const send = [&] {
        while (!restarted) {
            auto const post = update(update_json(update_id{1000 + sent++}, alice, "hello"));
            // As Telegram: again, until it is taken.
            auto const taken = [&] {
                if (proxy->request(post).status == 200) return true;
                ++refused;
                return false;
            };
            EXPECT_TRUE(eventually(taken));
        }
    };
    std::vector<std::jthread> senders;
    for (int n = 0; n < 3; ++n) senders.emplace_back(send);

    // Twenty updates in a row that nobody had to send again.
    auto const all_taken = [&] {
        auto const refused_before = refused.load();
        auto const sent_before = sent.load();
        return eventually([&] { return sent > sent_before + 20; }) && refused == refused_before;
    };
    for (auto* node : {&s.product(), second.get()}) {
        node->stop();
        EXPECT_TRUE(eventually(all_taken)) << "the other one takes them";
        node->start();
        if (GetParam() == proxy_kind::caddy) { // looks every half second who is there
            EXPECT_TRUE(eventually([&] { return takes_updates(*node); }));
        }
    }
    restarted = true;
    for (auto& sender : senders) sender.join();

    EXPECT_EQ(
        s.value("select count(*) from postrider.inbox where disposition = 'job'"),
        std::to_string(sent)
    );
    if (GetParam() == proxy_kind::nginx) {
        EXPECT_EQ(refused, 0) << proxy->log();
    }
    EXPECT_THAT(proxy->log(), Not(HasSubstr(s.secret)));
}

INSTANTIATE_TEST_SUITE_P(
    debian,
    reverse_proxy_test,
    testing::Values(proxy_kind::nginx, proxy_kind::caddy),
    testing::PrintToStringParamName()
);

} // namespace

} // namespace postrider::tests::proxy_test
