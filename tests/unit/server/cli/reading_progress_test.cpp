// What `knowledge add` says while documents are read, and when it stops to wait.
#include "server/cli/reading_progress.hpp"

#include <gmock/gmock.h>

namespace postrider::cli::reading_progress_test {
namespace {

using namespace std::chrono_literals;
using agent::knowledge::document_state;
using testing::ElementsAre;
using testing::IsEmpty;

reading_look look_at(document_state state, std::int64_t parts_done, std::string reason = "") {
    watched_document seen;
    seen.waiting_reason = std::move(reason);
    seen.document.state = state;
    seen.document.parts = parts_done > 0 ? 400 : 0;
    seen.document.parts_done = parts_done;
    if (state == document_state::failed)
        seen.document.error = {"broken_document", "The document is broken: it has no text part."};
    reading_look look;
    look.documents[7] = std::move(seen);
    look.server_runs = true;
    return look;
}

reading_progress of_a_text() {
    reading_progress progress;
    progress.watch(7, "a.txt");
    return progress;
}

TEST(reading_progress, says_what_has_changed_until_the_document_is_ready) {
    auto progress = of_a_text();

    EXPECT_THAT(progress.take(look_at(document_state::reading, 0)), ElementsAre("a.txt: reading"));
    EXPECT_THAT(progress.take(look_at(document_state::reading, 0)), IsEmpty());
    EXPECT_THAT(
        progress.take(look_at(document_state::reading, 200)), ElementsAre("a.txt: reading 200/400")
    );
    EXPECT_FALSE(progress.is_over());
    EXPECT_THAT(progress.take(look_at(document_state::ready, 400)), ElementsAre("a.txt: ready"));
    EXPECT_TRUE(progress.is_over());
    EXPECT_EQ(progress.failures(), 0);
    EXPECT_FALSE(progress.is_without_server());
}

TEST(reading_progress, goes_on_while_a_job_waits_for_another_try) {
    auto progress = of_a_text();
    auto look = look_at(document_state::reading, 0, "retries load");

    EXPECT_THAT(progress.take(look), ElementsAre("a.txt: reading (its job waits: retries load)"));
    look.at += 24h;
    EXPECT_THAT(progress.take(look), IsEmpty());
    EXPECT_FALSE(progress.is_over()) << "a server is there";
}

TEST(reading_progress, counts_what_failed_or_is_gone) {
    auto progress = of_a_text();
    progress.watch(8, "b.txt");

    EXPECT_THAT(
        progress.take(look_at(document_state::failed, 0)),
        ElementsAre(
            "a.txt: failed: The document is broken: it has no text part.", "b.txt: it was removed"
        )
    );
    EXPECT_TRUE(progress.is_over());
    EXPECT_EQ(progress.failures(), 2);
}

TEST(reading_progress, ends_where_no_server_runs) {
    auto progress = of_a_text();
    auto look = look_at(document_state::reading, 0);
    look.server_runs = false;

    progress.take(look);

    EXPECT_TRUE(progress.is_over()) << "none was seen: nothing begins";
    EXPECT_TRUE(progress.is_without_server());
}

TEST(reading_progress, waits_for_a_server_that_is_restarted) {
    auto progress = of_a_text();
    auto look = look_at(document_state::reading, 0);
    progress.take(look);

    look.server_runs = false;
    look.at += reading_progress::longest_absence;
    progress.take(look);
    EXPECT_FALSE(progress.is_over());

    look.at += 1s;
    progress.take(look);
    EXPECT_TRUE(progress.is_without_server());
}

} // namespace
} // namespace postrider::cli::reading_progress_test
