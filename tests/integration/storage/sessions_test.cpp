// Messages of named sessions, as agents' commits leave them.
#include "storage/query.hpp"
#include "storage/stores/sessions.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"

#include <gtest/gtest.h>

namespace postrider::storage::sessions_test {
namespace {

using namespace std::chrono_literals;

class sessions : public testing::Test {
protected:
    sessions() {
        batcher_options options;
        options.name = "writes";
        batches_ = make_batcher(io_.executor(), database_.options(), options);
        database_.execute(
            "insert into postrider.session_message (session, job_id, position, role, content) "
            "select s, j, p, 'user', j || '/' || p from unnest(array['a', 'b']) s, "
            "generate_series(1, 4) j, generate_series(0, 1) p"
        );
    }
    ~sessions() override { batches_->close(); }

    void commit(std::vector<write> writes) {
        auto const done = io_.run(query(*batches_, std::move(writes), 5s));
        ASSERT_TRUE(done) << to_string(done.error());
    }
    std::string of(std::string const& session) {
        return database_.value(
            "select string_agg(content, ' ' order by job_id, position) from "
            "postrider.session_message where session = '" +
            session + "'"
        );
    }

    tests::test_database database_;
    tests::loop io_;
    std::unique_ptr<batcher> batches_;
};

// covers: S3.22
TEST_F(sessions, are_trimmed_to_the_newest_messages) {
    commit({trim_session("a", job_id{9}, 3)});

    EXPECT_EQ(of("a"), "3/1 4/0 4/1");
    EXPECT_EQ(of("b"), "1/0 1/1 2/0 2/1 3/0 3/1 4/0 4/1");
}

TEST_F(sessions, are_trimmed_of_other_jobs_messages_alone) {
    commit({trim_session("a", job_id{2}, 3)});

    EXPECT_EQ(of("a"), "2/0 2/1 3/1 4/0 4/1");
}

TEST_F(sessions, that_are_short_stay_whole) {
    commit({trim_session("a", job_id{9}, 8), trim_session("c", job_id{9}, 0)});

    EXPECT_EQ(of("a"), "1/0 1/1 2/0 2/1 3/0 3/1 4/0 4/1");
}

TEST_F(sessions, of_several_commits_are_trimmed_together) {
    message_row row;
    row.job = job_id{5};
    row.role = "assistant";
    row.content = "5/0";

    commit(
        {add_to_session("a", row),
         trim_session("a", job_id{5}, 2),
         trim_session("b", job_id{5}, 1),
         trim_session("b", job_id{5}, 1)}
    );

    EXPECT_EQ(of("a"), "4/0 4/1 5/0");
    EXPECT_EQ(of("b"), "4/1");
}

// A flow's agent says something and its next node clears the session: both are in one commit.
// covers: S3.22
TEST_F(sessions, are_cleared_of_what_the_same_commit_adds) {
    message_row row;
    row.job = job_id{5};
    row.role = "assistant";
    row.content = "5/0";

    commit({add_to_session("a", row), trim_session("a", job_id{5}, 2), clear_session("a")});

    EXPECT_EQ(of("a"), "");
    EXPECT_EQ(of("b"), "1/0 1/1 2/0 2/1 3/0 3/1 4/0 4/1");
}

// covers: S3.07
TEST_F(sessions, get_a_summary_of_what_they_still_have) {
    message_row row;
    row.job = job_id{2};
    row.position = 9;
    row.role = "system";
    row.content = "2/9";

    commit({add_summary("a", row)});
    commit({add_summary("a", row)}); // as a commit whose answer was lost
    commit({clear_session("b")});
    commit({add_summary("b", row)});

    EXPECT_EQ(of("a"), "1/0 1/1 2/0 2/1 2/9 3/0 3/1 4/0 4/1");
    EXPECT_EQ(of("b"), "") << "it was cleared meanwhile";
}

} // namespace
} // namespace postrider::storage::sessions_test
