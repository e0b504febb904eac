// What a model may have fetched: public addresses only, at every redirect, within limits.
#include "net/guarded_client.hpp"
#include "net/public_address.hpp"
#include "tests/unit/net/client_fixture.hpp"

#include <gmock/gmock.h>

namespace postrider::net::guarded_client_test {
namespace {

using namespace std::chrono_literals;
using base::errc;
using boost::asio::ip::make_address;
using testing::HasSubstr;
using testing::Not;
using tests::ok;

TEST(public_address, is_what_no_registry_keeps_for_itself) {
    for (auto const* text :
         {"1.1.1.1",
          "8.8.8.8",
          "100.63.255.255",
          "100.128.0.0",
          "172.15.255.255",
          "172.32.0.0",
          "192.0.1.1",
          "198.20.0.1",
          "223.255.255.255",
          "2606:4700::1111",
          "2a00:1450:4001::200e",
          "2001:4860:4860::8888"})
        EXPECT_TRUE(is_public(make_address(text))) << text;
    for (auto const* text :
         {"0.0.0.0",
          "0.1.2.3",
          "10.1.2.3",
          "100.64.0.1",
          "100.100.100.200",
          "127.0.0.1",
          "127.255.255.254",
          "168.63.129.16",
          "169.254.169.254",
          "172.16.0.1",
          "172.31.255.255",
          "192.0.0.192",
          "192.0.2.1",
          "192.168.1.1",
          "198.18.0.1",
          "198.51.100.7",
          "203.0.113.9",
          "224.0.0.1",
          "239.255.255.250",
          "240.0.0.1",
          "255.255.255.255",
          "::",
          "::1",
          "::127.0.0.1",
          "::ffff:10.0.0.1",
          "::ffff:8.8.8.8",
          "64:ff9b::a00:1",
          "100::1",
          "2001::1",
          "2001:db8::1",
          "2002:7f00:1::",
          "3fff::1",
          "fc00::1",
          "fd00:ec2::254",
          "fe80::1",
          "fec0::1",
          "ff02::1"})
        EXPECT_FALSE(is_public(make_address(text))) << text;
}

class guarded_client_test : public tests::client {
protected:
    // As if the server's address were the only public one.
    void admit(std::string address) {
        http_client_options options;
        options.egress = [admitted = make_address(address)](auto const& to) {
            return to == admitted;
        };
        guarded = std::make_unique<guarded_client>(make_http_client(io.executor(), options));
    }
    base::result<web_answer> fetch(web_request request) {
        return io.run(guarded->fetch(std::move(request)));
    }
    base::result<web_answer> fetch(std::string url) {
        web_request request;
        request.url = std::move(url);
        return fetch(std::move(request));
    }
    web_request request() const {
        web_request to_server;
        to_server.url = server->origin() + "/";
        return to_server;
    }
    void TearDown() override {
        if (guarded) guarded->close();
        tests::client::TearDown();
    }

    static std::string redirect(std::string location, std::string status = "302 Found") {
        return "HTTP/1.1 " + status + "\r\nLocation: " + location + "\r\nContent-Length: 0\r\n\r\n";
    }

    static credential key_for(std::string host) {
        credential key;
        key.value = base::secret("hunter2-and-more");
        key.hosts = {std::move(host)};
        return key;
    }

    std::unique_ptr<guarded_client> guarded;
};

TEST_F(guarded_client_test, refuses_this_machine_in_every_form_of_writing) {
    serve({{ok("not for you")}});
    guarded = std::make_unique<guarded_client>(make_http_client(io.executor(), guarded_options()));

    for (auto const* host :
         {"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1", "0"}) {
        auto const answer = fetch("http://" + std::string(host) + ":" + server->port() + "/");
        ASSERT_FALSE(answer) << host;
        EXPECT_TRUE(
            answer.error() == errc::refused || answer.error() == errc::unavailable ||
            answer.error() == errc::invalid
        ) << host
          << ": " << to_string(answer.error());
    }
    EXPECT_EQ(server->connections(), 0u);
}

TEST_F(guarded_client_test, fetches_only_what_is_a_url_of_the_web) {
    admit("127.0.0.1");

    for (auto const* url :
         {"",
          "nowhere",
          "file:///etc/passwd",
          "ftp://example.com/",
          "http://a:b@example.com/",
          "unix:/run/x.sock",
          "http://"})
        EXPECT_EQ(fetch(std::string(url)).error(), errc::invalid) << url;
}

TEST_F(guarded_client_test, follows_redirects_and_says_where_it_arrived) {
    serve({{redirect("/second?a=1"), ok("here")}});
    admit("127.0.0.1");

    auto const reached = fetch(server->origin() + "/first#part");

    ASSERT_TRUE(reached) << to_string(reached.error());
    EXPECT_EQ(reached->answer.body, "here");
    EXPECT_EQ(reached->url, server->origin() + "/second?a=1");
}

TEST_F(guarded_client_test, judges_each_redirect_like_the_first_address) {
    serve({{redirect("http://127.0.0.2/secret")}});
    admit("127.0.0.1");

    EXPECT_EQ(fetch(server->origin() + "/").error(), errc::refused);
}

TEST_F(guarded_client_test, gives_up_on_a_circle) {
    serve({{redirect("/a"), redirect("/b"), redirect("/c")}});
    admit("127.0.0.1");

    auto impatient = request();
    impatient.redirects = 2;

    EXPECT_EQ(fetch(impatient).error(), errc::too_large);
}

TEST_F(guarded_client_test, takes_no_answer_beyond_the_limit) {
    serve({{ok(std::string(2000, 'x'))}});
    admit("127.0.0.1");

    auto small = request();
    small.answer_limit = 1000;

    EXPECT_EQ(fetch(small).error(), errc::too_large);
}

TEST_F(guarded_client_test, waits_no_longer_than_its_deadline) {
    serve({{std::string(tests::silence)}});
    admit("127.0.0.1");
    auto hasty = request();
    hasty.deadline = tests::soon;
    auto const answer = fetch(hasty);

    EXPECT_TRUE(answer.error() == errc::timeout || answer.error() == errc::ambiguous)
        << to_string(answer.error());
}

TEST_F(guarded_client_test, what_a_redirect_has_answered_is_never_said_to_be_undone) {
    admit("127.0.0.1");
    for (std::string const location :
         {"http://127.0.0.1:1/",     // nobody listens
          "http://127.0.0.2/",       // an address that is not admitted
          "http://other.example/",   // a host that is not admitted
          "http://a:b@example.com/", // nothing that can be fetched
          "/circle"}) {
        serve({{redirect(location, "303 See Other"), redirect("/circle"), redirect("/circle")}});
        auto post = request();
        post.method = "POST";
        post.redirects = 2;
        post.admits = [](auto host, auto) { return host != "other.example"; };

        auto const answer = fetch(post);

        ASSERT_FALSE(answer) << location;
        EXPECT_EQ(answer.error(), errc::refused) << location << to_string(answer.error());
        EXPECT_THAT(
            answer.error().detail, testing::StartsWith("the POST was answered by a redirect to ")
        );
        io.run(server->finish());
    }
}

TEST_F(guarded_client_test, what_a_redirect_has_answered_is_done_also_when_the_page_is_late) {
    serve({{redirect("/page"), std::string(tests::silence)}});
    admit("127.0.0.1");
    auto hasty = request();
    hasty.method = "POST";
    hasty.deadline = 10 * tests::soon;

    auto const answer = fetch(hasty);

    EXPECT_EQ(answer.error(), errc::refused) << to_string(answer.error());
    EXPECT_THAT(answer.error().detail, HasSubstr(server->origin() + "/page"));
}

TEST_F(guarded_client_test, tells_an_answer_from_the_page_behind_it) {
    serve({{redirect("/page", "303 See Other"), ok("thanks"), ok("page")}});
    admit("127.0.0.1");
    auto post = request();
    post.method = "POST";
    post.body = "hello";

    auto const behind = fetch(post);
    auto const itself = fetch(request());

    ASSERT_TRUE(behind && itself);
    EXPECT_TRUE(behind->is_behind_answer);
    EXPECT_FALSE(itself->is_behind_answer);
    EXPECT_THAT(server->requests().at(1), testing::StartsWith("GET /page "));
    EXPECT_THAT(server->requests().at(1), Not(HasSubstr("hello")));
}

TEST_F(guarded_client_test, method_and_body_stay_with_their_origin) {
    tests::scripted_server other(io.executor(), {{ok("not for you")}});
    admit("127.0.0.1");
    for (auto const& [method, status] :
         {std::pair{"POST", "307 Temporary Redirect"},
          {"POST", "308 Permanent Redirect"},
          {"PUT", "302 Found"},
          {"PATCH", "301 Moved Permanently"}}) {
        serve({{redirect(other.origin() + "/there?a=1", status)}});
        auto write = request();
        write.method = method;
        write.body = "hello";

        auto const answer = fetch(write);

        EXPECT_TRUE(answer.has_error() && answer.error() == errc::refused) << method << status;
        if (!answer) {
            EXPECT_THAT(answer.error().detail, HasSubstr(other.origin() + "/there?a=1"));
        }
        io.run(server->finish());
    }
    EXPECT_EQ(other.connections(), 0u);
    io.run(other.finish());
}

TEST_F(guarded_client_test, a_redirect_within_the_origin_keeps_method_body_and_key) {
    serve({{redirect("/there", "307 Temporary Redirect"), ok("done")}});
    admit("127.0.0.1");
    auto post = request();
    post.method = "POST";
    post.body = "hello";
    post.headers.add("Idempotency-Key", "7");

    auto const answer = fetch(post);

    ASSERT_TRUE(answer) << to_string(answer.error());
    EXPECT_FALSE(answer->is_behind_answer);
    EXPECT_THAT(server->requests().at(1), testing::StartsWith("POST /there "));
    EXPECT_THAT(server->requests().at(1), HasSubstr("Idempotency-Key: 7\r\n"));
    EXPECT_THAT(server->requests().at(1), testing::EndsWith("hello"));
}

TEST_F(guarded_client_test, sends_a_credential_to_its_hosts_and_within_the_origin) {
    serve({{redirect("/there"), ok("done"), ok("done")}});
    admit("127.0.0.1");
    auto const key = key_for("127.0.0.1");
    auto const other = key_for("127.0.0.2");
    auto proven = request();
    proven.credential = &key;
    auto unproven = request();
    unproven.credential = &other;

    ASSERT_TRUE(fetch(proven));
    ASSERT_TRUE(fetch(unproven));

    auto const proof = HasSubstr("Authorization: Bearer hunter2-and-more\r\n");
    EXPECT_THAT(server->requests().at(0), proof);
    EXPECT_THAT(server->requests().at(1), proof);
    EXPECT_THAT(server->requests().at(2), Not(HasSubstr("hunter2")));
}

TEST_F(guarded_client_test, never_sends_a_credential_on_to_another_origin) {
    admit("127.0.0.1");
    tests::scripted_server back(io.executor(), {{ok("back")}});
    tests::scripted_server middle(io.executor(), {{redirect(back.origin() + "/")}});
    serve({{redirect(middle.origin() + "/")}});
    auto const key = key_for("127.0.0.1"); // any port: all three are its hosts
    auto proven = request();
    proven.credential = &key;

    ASSERT_TRUE(fetch(proven));

    EXPECT_THAT(server->requests().at(0), HasSubstr("hunter2"));
    EXPECT_THAT(middle.requests().at(0), Not(HasSubstr("hunter2")));
    EXPECT_THAT(back.requests().at(0), Not(HasSubstr("hunter2")));
    io.run(middle.finish());
    io.run(back.finish());
}

// Or a page could learn the secret by what is hidden of it.
TEST_F(guarded_client_test, hides_nothing_that_a_stranger_says) {
    serve({{"HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\nhunter2-and-more"}});
    admit("127.0.0.1");
    auto const key = key_for("127.0.0.2");
    auto unproven = request();
    unproven.credential = &key;

    auto const answer = fetch(unproven);

    ASSERT_TRUE(answer) << to_string(answer.error());
    EXPECT_EQ(answer->answer.body, "hunter2-and-more");
    EXPECT_FALSE(answer->is_proven);
}

TEST_F(guarded_client_test, shows_no_part_of_a_credential_where_a_location_is_cut) {
    auto const path = std::string(480, 'p');
    serve({{redirect("http://127.0.0.2/" + path + "?key=hunter2-and-more", "307 Temporary")}});
    admit("127.0.0.1");
    auto const key = key_for("127.0.0.1");
    auto proven = request();
    proven.method = "POST";
    proven.credential = &key;

    auto const failure = fetch(proven);

    ASSERT_FALSE(failure);
    EXPECT_THAT(failure.error().detail, Not(HasSubstr("hunter")));
}

TEST_F(guarded_client_test, hides_a_credential_that_the_server_repeats) {
    serve(
        {{"HTTP/1.1 200 OK\r\nX-Echo: hunter2-and-more\r\nContent-Length: 18\r\n\r\n"
          "a hunter2-and-more",
          redirect("ftp://x/?key=hunter2-and-more")}}
    );
    admit("127.0.0.1");
    auto const key = key_for("127.0.0.1");
    auto proven = request();
    proven.credential = &key;

    auto const answer = fetch(proven);
    auto const failure = fetch(proven);

    ASSERT_TRUE(answer) << to_string(answer.error());
    EXPECT_EQ(answer->answer.body, "a ***");
    EXPECT_EQ(answer->answer.headers.find("X-Echo"), "***");
    ASSERT_FALSE(failure);
    EXPECT_THAT(failure.error().detail, Not(HasSubstr("hunter2")));
}

} // namespace
} // namespace postrider::net::guarded_client_test
