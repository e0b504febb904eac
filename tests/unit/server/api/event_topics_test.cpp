#include "server/api/event_topics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::api::event_topics_test {
namespace {

using storage::token_role;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr auto conversation = "7B3E8A52-0000-4000-8000-000000000001";

net::http_request query(std::string text) {
    net::http_request request;
    request.query = std::move(text);
    return request;
}

struct reading {
    event_topics topics;
    std::vector<std::string> mistakes;
};

reading read(std::string text) {
    auto const request = query(std::move(text));
    parameters query(request);
    auto topics = read_topics(query);
    return {std::move(topics), query.mistakes()};
}

TEST(event_topics, are_read_with_their_ids_each_once) {
    auto const [topics, mistakes] = read(
        std::string("topics=counts,jobs,demo,job:7,execution:12,lanes,jobs,conversation:") +
        conversation
    );

    EXPECT_THAT(mistakes, IsEmpty());
    EXPECT_EQ(topics.words.size(), 7u);
    EXPECT_TRUE(topics.demo);
    EXPECT_THAT(topics.marks, ElementsAre(mark_topic::counts, mark_topic::lanes));
    EXPECT_TRUE(topics.jobs);
    EXPECT_THAT(topics.single_jobs, ElementsAre(job_id{7}));
    EXPECT_THAT(topics.executions, ElementsAre(job_id{12}));
    EXPECT_THAT(topics.conversations, ElementsAre("7b3e8a52-0000-4000-8000-000000000001"));
}

TEST(event_topics, take_the_filter_of_jobs) {
    auto const [topics, mistakes] = read("topics=jobs&state=failed,degraded&kind=turn&lane=a");

    EXPECT_THAT(mistakes, IsEmpty());
    EXPECT_THAT(topics.filter.states, ElementsAre(queue::job_state::failed));
    EXPECT_TRUE(topics.filter.degraded);
    EXPECT_EQ(topics.filter.kind, "turn");
    EXPECT_EQ(topics.filter.lane, "a");
}

struct wrong_query {
    char const* query;
    char const* mistake;
};

class wrong_topics : public testing::TestWithParam<wrong_query> {};

TEST_P(wrong_topics, are_refused_with_a_reason) {
    auto const [asked, mistake] = GetParam();

    EXPECT_THAT(read(asked).mistakes, Contains(HasSubstr(mistake))) << asked;
}

INSTANTIATE_TEST_SUITE_P(
    event_topics,
    wrong_topics,
    testing::Values(
        wrong_query{"", "topics is missing: one or more of counts, attention, jobs, job:ID"},
        wrong_query{"topics=", "topics is missing"},
        wrong_query{"topics=job", "there is no job,"},
        wrong_query{"topics=everything", "there is no everything"},
        wrong_query{"topics=jobs,,lanes", "there is no ,"},
        wrong_query{"topics=job:0", "job:0 has no valid id"},
        wrong_query{"topics=job:x", "job:x has no valid id"},
        wrong_query{"topics=execution:", "execution: has no valid id"},
        wrong_query{"topics=conversation:7", "conversation:7 has no valid id"},
        wrong_query{"topics=counts:7", "there is no counts:7"},
        wrong_query{"topics=lanes&state=failed", "a filter is for the topic jobs"},
        wrong_query{"topics=jobs&state=gone", "state: there is no gone"},
        wrong_query{"topics=jobs&stat=failed", "stat"},
        wrong_query{
            "topics=job:1,job:2,job:3,job:4,job:5,job:6,job:7,job:8,job:9,job:10,job:11,"
            "job:12,job:13,job:14,job:15,job:16,job:17,job:18,job:19,job:20,job:21",
            "a stream has 20 at most"}
    )
);

TEST(event_topics, are_for_those_who_may_read_the_same_otherwise) {
    auto const all =
        read(std::string("topics=counts,attention,jobs,job:7,lanes,nodes,approvals,execution:12"))
            .topics;
    auto const own = read(std::string("topics=conversation:") + conversation).topics;

    for (auto const& word : all.words) {
        auto const topics = read("topics=" + word).topics;
        EXPECT_EQ(forbidden_topic(topics, token_role::owner), std::nullopt) << word;
        EXPECT_EQ(forbidden_topic(topics, token_role::reader), std::nullopt) << word;
        EXPECT_EQ(forbidden_topic(topics, token_role::user), word);
    }
    EXPECT_EQ(forbidden_topic(own, token_role::owner), std::nullopt);
    EXPECT_EQ(forbidden_topic(own, token_role::user), std::nullopt);
    EXPECT_EQ(forbidden_topic(own, token_role::reader), own.words.front());
}

logged_job job_in(std::string state, std::int64_t id = 7) {
    logged_job job;
    job.job.id = id;
    job.job.kind = "turn";
    job.now.state = std::move(state);
    return job;
}

TEST(event_topics, admit_jobs_by_filter_and_by_id) {
    auto const failed = read("topics=jobs&state=failed").topics;
    auto const single = read("topics=job:7").topics;
    auto retried = job_in("available");
    retried.before.push_back({.state = "failed"});

    EXPECT_EQ(failed.admits(job_in("failed")), true);
    EXPECT_EQ(failed.admits(job_in("running")), std::nullopt);
    EXPECT_EQ(failed.admits(retried), false) << "it is one no more";
    EXPECT_EQ(single.admits(job_in("running")), true);
    EXPECT_EQ(single.admits(job_in("running", 8)), std::nullopt);
}

} // namespace
} // namespace postrider::api::event_topics_test
