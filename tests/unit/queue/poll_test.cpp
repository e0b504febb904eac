#include "base/log.hpp"
#include "queue/store/poll.hpp"
#include "tests/support/loop.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::queue::poll_test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

// Fails so many times and then answers.
class returning_batcher final : public storage::batcher {
public:
    returning_batcher(base::manual_clock& clock, int failures)
        : clock_(clock),
          failures_(failures) {}

    base::awaitable<base::result<void>> commit(std::shared_ptr<storage::unit>, base::duration)
        override {
        co_await base::sleep_for(0s); // others get their turn
        clock_.advance(1s);
        ++asked;
        if (asked <= failures_) co_return base::error(base::errc::unavailable, "away");
        co_return base::result<void>{};
    }
    storage::batcher_counts counts() const override { return {}; }
    void close() override {}

    int asked = 0;

private:
    base::manual_clock& clock_;
    int failures_;
};

base::awaitable<void> until_asked(returning_batcher const& from, int times) {
    while (from.asked < times) co_await base::sleep_for(0s);
}

int occurrences(std::string_view text, std::string_view part) {
    int count = 0;
    for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
    return count;
}

TEST(poll, tells_of_a_lasting_outage_and_when_it_is_over) {
    tests::loop io;
    base::manual_clock clock;
    returning_batcher database(clock, 100);
    poll reads(io.executor(), database, clock, [] { return 1s; });
    base::task_group tasks(io.executor());
    testing::internal::CaptureStderr();

    tasks.spawn("poll", reads.run());
    io.run(until_asked(database, 103));
    tasks.cancel();
    io.run(tasks.join());

    auto const log = testing::internal::GetCapturedStderr();
    EXPECT_EQ(occurrences(log, "warn node.poll_failed"), 1) << log;
    EXPECT_EQ(occurrences(log, "info node.poll_resumed"), 1) << log;
    EXPECT_THAT(log, HasSubstr("after=\"1min 40s\""));
}

} // namespace
} // namespace postrider::queue::poll_test
