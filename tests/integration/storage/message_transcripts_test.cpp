// What was spoken, beside what was written to it.
#include "storage/query.hpp"
#include "storage/stores/message_transcripts.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"

#include <gtest/gtest.h>

namespace postrider::storage::message_transcripts_test {
namespace {

using namespace std::chrono_literals;

// The answer to a commit may be lost, and the commit comes again.
TEST(message_transcripts, stand_behind_the_caption_once_however_often_they_are_committed) {
    tests::test_database database;
    tests::loop io;
    batcher_options options;
    options.name = "writes";
    auto const batches = make_batcher(io.executor(), database.options(), options);
    database.execute("insert into postrider.lane (lane_key) values ('1:7:0')");
    database.execute("insert into postrider.message (lane_id, job_id, conversation_id, position, "
                     "role, id, content) "
                     "values (1, 41, 9, 0, 'user', 'a', 'Listen:')");

    for (int time = 1; time <= 2; ++time) {
        auto const done =
            io.run(query(*batches, keep_transcript(lane_id{1}, job_id{41}, "Buy milk.", false), 5s)
            );
        ASSERT_TRUE(done) << to_string(done.error());
    }

    EXPECT_EQ(database.value("select content from postrider.message"), "Listen:\n\nBuy milk.");
    batches->close();
}

} // namespace
} // namespace postrider::storage::message_transcripts_test
