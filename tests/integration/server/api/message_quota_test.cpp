// How many messages of a person the chat API takes within a minute.
#include "base/async.hpp"
#include "tests/integration/server/api/conversations_world.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

#include <algorithm>

namespace postrider::tests::message_quota_test {
namespace {

namespace json = boost::json;

class message_quota : public conversations {
protected:
    net::http_call call_of(std::string text, std::string const& key) const {
        net::header_list headers{{"Authorization", "Bearer " + tokens.at("alice")}};
        if (!key.empty()) headers.add("Idempotency-Key", key);
        return server.call_of(
            "POST",
            "/api/v1/conversations" + where,
            std::move(headers),
            json::serialize(json::object{{"text", std::move(text)}})
        );
    }

    net::http_answer say(std::string text, std::string const& key = {}) {
        return server.io.run(server.client->send(call_of(std::move(text), key))).value();
    }

    // All at the same moment.
    std::vector<net::http_answer> say_at_once(
        std::vector<std::pair<std::string, std::string>> const& texts_and_keys
    ) {
        std::vector<net::http_answer> answers;
        base::task_group group(server.io.executor());
        for (auto const& [text, key] : texts_and_keys)
            group.spawn("say", send(call_of(text, key), answers));
        server.io.run(group.join());
        return answers;
    }

    std::string counted() const {
        return database.value("select messages from postrider.message_count");
    }

    std::string const where = begin();

private:
    base::awaitable<void> send(net::http_call call, std::vector<net::http_answer>& answers) {
        answers.push_back((co_await server.client->send(std::move(call))).value());
    }
};

auto with_status(int status) {
    return [status](net::http_answer const& answer) { return answer.status == status; };
}

// covers: X.04
TEST_F(message_quota, refuses_messages_beyond_the_limit_of_a_minute) {
    server.limit_messages(1);
    EXPECT_EQ(say("Hello").status, 202);

    auto const refusal = say("Hello again");
    EXPECT_EQ(refusal.status, 429);
    EXPECT_EQ(json::parse(refusal.body).at("code").as_string(), "too_many_messages");
    EXPECT_GT(std::stoi(std::string(refusal.headers.find("Retry-After"))), 0);
    EXPECT_EQ(database.value("select count(*) from postrider.job"), "1");
    EXPECT_EQ(database.value("select count(*) from postrider.message"), "1");
}

// covers: X.04
TEST_F(message_quota, counts_a_message_once_however_often_it_is_sent) {
    server.limit_messages(1);
    auto const first = say("Hello", "a");
    auto const again = say("Hello", "a");

    EXPECT_EQ(first.status, 202);
    EXPECT_EQ(again.status, 202);
    EXPECT_EQ(again.body, first.body);
    EXPECT_EQ(say("Hello again", "b").status, 429);
}

// covers: X.04
TEST_F(message_quota, counts_a_message_once_that_comes_several_times_at_once) {
    server.limit_messages(2);
    std::vector<std::pair<std::string, std::string>> const copies(8, {"Hello", "a"});
    auto const answers = say_at_once(copies);

    EXPECT_EQ(std::ranges::count_if(answers, with_status(202)), 8);
    for (auto const& answer : answers) EXPECT_EQ(answer.body, answers.front().body);
    EXPECT_EQ(counted(), "1");
    EXPECT_EQ(say("Hello again").status, 202) << "there was room for a second one";
}

// A key stays free, and what comes under it at the same moment is refused for the same reason.
TEST_F(message_quota, refuses_every_copy_and_keeps_their_key_free) {
    server.limit_messages(1);
    EXPECT_EQ(say("Hello").status, 202);
    std::vector<std::pair<std::string, std::string>> const copies(8, {"Hello again", "a"});
    auto const answers = say_at_once(copies);

    EXPECT_EQ(std::ranges::count_if(answers, with_status(429)), 8);
    EXPECT_EQ(database.value("select count(*) from postrider.request_key"), "0");

    database.execute("update postrider.message_count set since = since - interval '1 minute'");
    EXPECT_EQ(say("Hello again", "a").status, 202);
}

} // namespace
} // namespace postrider::tests::message_quota_test
