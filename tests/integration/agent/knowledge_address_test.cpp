// Documents that are loaded from an address: by a server that is slow, away for a while, or has no such page.
#include "net/guarded_client.hpp"
#include "tests/integration/agent/knowledge_world.hpp"

#include <deque>

namespace postrider::tests::knowledge_address_test {
namespace {

namespace knowledge = agent::knowledge;
using namespace std::chrono_literals;

// Answers what the test has written, and notes how long it was given.
class scripted_pages final : public net::http_client {
public:
    explicit scripted_pages(std::vector<base::duration>& times) : times_(times) {}

    base::awaitable<base::result<net::http_answer>> send(net::http_call call) override {
        times_.push_back(call.total_timeout);
        if (answers.empty()) co_return base::error(base::errc::unavailable);
        auto answer = std::move(answers.front());
        answers.pop_front();
        co_return std::move(answer);
    }
    void close() override {}

    std::deque<base::result<net::http_answer>> answers;

private:
    std::vector<base::duration>& times_;
};

class knowledge_address : public knowledge_fixture {
protected:
    knowledge_address() { web = &guarded_; }

    void answers(int status, std::string body) {
        net::http_answer answer;
        answer.status = status;
        answer.headers.add("Content-Type", "text/plain");
        answer.body = std::move(body);
        pages_->answers.emplace_back(std::move(answer));
    }
    void does_not_answer() { pages_->answers.emplace_back(base::error(base::errc::unavailable)); }

    queue::outcome read_address() {
        knowledge::new_document document;
        document.collection = collection;
        document.name = document.url = "https://example.org/fees.txt";
        std::int64_t id = 0;
        w.in_transaction([&](storage::transaction& tx) {
            id = knowledge::add_document(tx, document).value().id;
        });
        return run(job_of(id));
    }
    std::string of_document(std::string const& column) {
        return w.value("select " + column + " from postrider.document");
    }

    std::vector<base::duration> times; // of each call, at most

private:
    scripted_pages* pages_ = new scripted_pages(times); // guarded_ owns it
    net::guarded_client guarded_{std::unique_ptr<net::http_client>(pages_)};
};

TEST_F(knowledge_address, is_tried_again_where_its_server_is_away_for_a_while) {
    does_not_answer();
    answers(503, "");
    answers(200, "Fees are ten euros.");

    EXPECT_EQ(read_address().state, queue::job_state::completed);

    EXPECT_THAT(found("fees"), testing::SizeIs(1));
    EXPECT_THAT(times, testing::SizeIs(3));
    EXPECT_THAT(times, testing::Each(testing::Le(base::duration(20s))));
}

TEST_F(knowledge_address, that_has_no_page_fails_the_document_and_not_the_job) {
    answers(404, "");

    EXPECT_EQ(read_address().state, queue::job_state::completed);

    EXPECT_EQ(of_document("state"), "failed");
    EXPECT_EQ(of_document("error_message"), "The server answered with the status 404.");
    EXPECT_THAT(times, testing::SizeIs(1)) << "it is asked once";
}

TEST_F(knowledge_address, whose_server_stays_away_says_so_in_a_sentence) {
    EXPECT_EQ(read_address().state, queue::job_state::completed);

    EXPECT_EQ(of_document("error_code"), "unavailable");
    EXPECT_EQ(of_document("error_message"), "The server cannot be reached.");
    EXPECT_THAT(times, testing::SizeIs(testing::Gt(1u)));
}

} // namespace
} // namespace postrider::tests::knowledge_address_test
