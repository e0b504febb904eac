// A client of a server that is away now and then: what it sends, and what it tells.
#include "net/http_client.hpp"
#include "server/cli/conversation_client.hpp"
#include "tests/support/loop.hpp"
#include "tests/unit/net/test_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::cli::conversation_client_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::SizeIs;

// Answers conversations' requests with what the test has prepared, in that order, and notes them.
class scripted_server {
public:
    explicit scripted_server(tests::loop& io) : server_(io, routes()) {}

    void answer(int status, std::string body) {
        answers_.push_back(net::http_response::json(status, std::move(body)));
    }
    // A stream that tells these events and ends.
    void stream(std::vector<net::sse_event> events) {
        std::string text;
        for (auto const& event : events) text += net::to_text(event);
        answers_.push_back(net::sse_response([text](net::body_writer& to) {
            return write(text, to);
        }));
    }
    std::string origin() { return "http://" + server_->address(); }
    net::http_server& operator*() { return *server_; }

    std::vector<net::http_request> asked;

private:
    static base::awaitable<void> write(std::string text, net::body_writer& to) {
        (void)co_await to.write(text);
    }
    base::awaitable<net::http_response> take(net::http_request request) {
        asked.push_back(std::move(request));
        if (answers_.empty()) co_return net::http_response::problem(503, "busy", "later");
        auto next = std::move(answers_.front());
        answers_.pop_front();
        co_return next;
    }
    std::vector<net::route> routes() {
        std::vector<net::route> all;
        for (auto const& [method, path] :
             {std::pair("POST", "/api/v1/conversations"),
              std::pair("POST", "/api/v1/conversations/{id}/messages"),
              std::pair("POST", "/api/v1/conversations/{id}/presses"),
              std::pair("GET", "/api/v1/conversations/{id}/events")}) {
            net::route route;
            route.method = method;
            route.pattern = path;
            route.handle = [this](net::http_request request) { return take(std::move(request)); };
            all.push_back(std::move(route));
        }
        return all;
    }

    std::deque<net::http_response> answers_;
    tests::test_server server_;
};

class conversation_client_test : public testing::Test {
protected:
    conversation_client_test() {
        remote.answer(201, R"({"conversation_id": "c"})");
        io.run(client.begin("parrot")).value();
    }
    ~conversation_client_test() override {
        io.run(client.stop());
        http->close();
    }

    std::vector<std::string> hear(std::size_t count) {
        std::vector<std::string> types;
        while (types.size() < count) types.push_back(io.run(client.next()).value().type);
        return types;
    }
    static net::sse_event watching(std::string id) {
        return {"watching", R"({"job_id":7})", std::move(id)};
    }
    static net::sse_event done(std::string id) {
        return {"done", R"({"job_id":7,"reply":"42"})", std::move(id)};
    }
    // Of the request with that number; those of begin() come first.
    std::string header(std::size_t request, std::string_view name) {
        return std::string(remote.asked.at(request).headers.find(name));
    }

    tests::loop io;
    scripted_server remote{io};
    std::unique_ptr<net::http_client> http = net::make_http_client(io.executor());
    own_server server{*http, remote.origin(), base::secret("token")};
    conversation_client client{
        server, io.executor(), base::system_random(), {1ms, 5ms, std::chrono::minutes{1}}};
};

TEST_F(conversation_client_test, says_a_message_and_hears_its_turn) {
    remote.stream({watching("1"), done("2")});
    io.run(client.say("hi"));

    EXPECT_THAT(hear(2), ElementsAre("watching", "done"));
    EXPECT_EQ(remote.asked.at(0).body, R"({"agent":"parrot"})");
    EXPECT_EQ(remote.asked.at(1).path, "/api/v1/conversations/c/messages");
    EXPECT_EQ(remote.asked.at(1).query, "stream=true");
    EXPECT_EQ(remote.asked.at(1).body, R"({"text":"hi"})");
    EXPECT_EQ(header(1, "Authorization"), "Bearer token");
    EXPECT_FALSE(header(1, "Idempotency-Key").empty());
}

TEST_F(conversation_client_test, says_it_again_under_the_same_key_until_it_is_heard) {
    remote.answer(503, R"({"detail": "starting"})");
    remote.answer(503, R"({"detail": "starting"})");
    remote.stream({watching("1")});
    io.run(client.say("hi"));

    EXPECT_THAT(hear(3), ElementsAre("away", "back", "watching"));
    EXPECT_EQ(header(3, "Idempotency-Key"), header(1, "Idempotency-Key"));
}

TEST_F(conversation_client_test, goes_on_behind_the_last_event_that_arrived) {
    remote.stream({watching("1"), {"words", R"({"text":"4"})"}});
    remote.stream({{"message", R"({"id":"m"})", "2"}, done("3")});
    io.run(client.say("hi"));

    EXPECT_THAT(hear(4), ElementsAre("watching", "words", "message", "done"));
    EXPECT_EQ(remote.asked.at(2).method, "GET");
    EXPECT_EQ(remote.asked.at(2).path, "/api/v1/conversations/c/events");
    EXPECT_EQ(header(2, "Last-Event-ID"), "1");
}

TEST_F(conversation_client_test, says_a_command_beside_the_turn_that_it_hears) {
    std::vector<std::string> types;
    auto const hear = [&](terminal::chat_event const& event) { types.push_back(event.type); };
    remote.stream({watching("1"), done("2")});
    io.run(client.say_beside("/stop", hear)).value();
    EXPECT_THAT(types, ElementsAre("watching", "done"));
    EXPECT_EQ(remote.asked.at(1).path, "/api/v1/conversations/c/messages");
    EXPECT_EQ(remote.asked.at(1).query, "stream=true");
    EXPECT_EQ(remote.asked.at(1).body, R"({"text":"/stop"})");

    remote.answer(409, R"({"detail": "it is deleted"})");
    auto const refused = io.run(client.say_beside("/stop", hear));
    EXPECT_EQ(refused.error().detail, "it is deleted");

    client.wake();
    EXPECT_THAT(this->hear(1), ElementsAre("")) << "nothing of the command's own stream";
}

TEST_F(conversation_client_test, gives_up_what_is_refused) {
    remote.answer(400, R"({"detail": "text is too long"})");
    io.run(client.say("hi"));

    auto const failure = io.run(client.next()).error();

    EXPECT_EQ(failure, base::errc::refused);
    EXPECT_EQ(failure.detail, "text is too long");
    EXPECT_THAT(remote.asked, SizeIs(2));
}

TEST_F(conversation_client_test, gives_up_when_the_outage_is_too_long) {
    conversation_client impatient{
        server, io.executor(), base::system_random(), {1ms, 5ms, base::duration::zero()}};
    remote.answer(201, R"({"conversation_id": "c"})");
    io.run(impatient.begin("")).value();
    remote.answer(503, R"({"detail": "starting"})");
    io.run(impatient.say("hi"));

    EXPECT_EQ(io.run(impatient.next()).error(), base::errc::unavailable);
    io.run(impatient.stop());
}

TEST_F(conversation_client_test, presses_until_it_is_known_that_it_counted) {
    remote.answer(200, R"({"state": "taken"})");
    EXPECT_TRUE(io.run(client.press("m", "q:yes")).value());
    EXPECT_EQ(remote.asked.at(1).body, R"({"message":"m","data":"q:yes"})");

    remote.answer(409, R"({"code": "not_open"})");
    EXPECT_FALSE(io.run(client.press("m", "q:yes")).value());

    remote.answer(503, "{}");
    remote.answer(409, R"({"code": "not_open"})");
    EXPECT_TRUE(io.run(client.press("m", "q:yes")).value()) << "by the one that was not answered";
}

} // namespace
} // namespace postrider::cli::conversation_client_test
