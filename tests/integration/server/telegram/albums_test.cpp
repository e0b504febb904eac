// Files that are sent as one album, each by an update of its own, that nothing here can read.
#include "tests/integration/server/telegram/intake_world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>

namespace postrider::telegram::albums_test {
namespace {

std::string part(std::int64_t update, std::string_view album, std::string_view words = "") {
    boost::json::object message{
        {"message_id", 1000 + update},
        {"from", {{"id", base::raw(alex)}, {"first_name", "Al"}}},
        {"chat", {{"id", base::raw(alex)}, {"type", "private"}}},
        {"media_group_id", album},
        {"document", {{"file_id", "BQAC"}, {"file_name", "report.pdf"}}}};
    if (!words.empty()) message["caption"] = words;
    return boost::json::serialize(boost::json::object{
        {"update_id", update}, {"message", std::move(message)}});
}

// Of each update, in their order; how many turns there are, and how many explanations.
std::string dispositions(intake_world const& w) {
    return w.value("select string_agg(disposition || coalesce(' ' || reason, ''), ', ' order by "
                   "update_id) from postrider.inbox");
}
std::string turns(intake_world const& w) {
    return w.value("select count(*) filter (where not input ? 'command') || ' ' || "
                   "count(*) filter (where input ->> 'command' = '(unread)') from postrider.job");
}

TEST(albums, are_explained_once) {
    for (int const most : {0, 20}) {
        intake_world w;
        w.fern.settings.messages_per_minute = most;
        for (int n = 1; n <= 3; ++n) ASSERT_TRUE(w.accept(part(n, "a")));
        EXPECT_FALSE(w.accept(part(1, "a"))->is_new);

        EXPECT_EQ(dispositions(w), "job, ignored no_text, ignored no_text");
        EXPECT_EQ(turns(w), "0 1");
        EXPECT_EQ(w.value("select count(*) from postrider.message"), "1");

        EXPECT_EQ(w.accept(part(4, "b")).value().disposition, "job") << "another one";
        EXPECT_EQ(turns(w), "0 2");
    }
}

TEST(albums, with_words_are_their_turn) {
    intake_world w;

    ASSERT_TRUE(w.accept(part(1, "a", "summarise these")));
    ASSERT_TRUE(w.accept(part(2, "a")));
    ASSERT_TRUE(w.accept(part(3, "a", "and this")));

    EXPECT_EQ(dispositions(w), "job, ignored no_text, job");
    EXPECT_EQ(turns(w), "2 0");
}

TEST(albums, count_towards_the_limit_of_messages) {
    intake_world w;
    w.fern.settings.messages_per_minute = 2;

    for (int n = 1; n <= 3; ++n) ASSERT_TRUE(w.accept(part(n, "a")));

    EXPECT_EQ(dispositions(w), "job, ignored no_text, ignored messages_per_minute");
}

base::awaitable<void> keep(intake& at, bot_settings const& bot, std::string body, bool& stored) {
    auto const outcome = co_await at.accept(bot, std::move(body));
    stored = outcome.has_value();
}

TEST(albums, whose_parts_come_to_two_nodes_at_once_are_explained_once) {
    intake_world w;
    storage::batcher_options batching;
    batching.name = "other";
    auto const writes =
        storage::make_batcher(w.loop.executor(), w.database.options(), std::move(batching));
    agent::flow::execution_intake executions(*writes, w.slots, base::system_clock());
    auto const other = make_intake(
        executions, w.moves, w.flows, w.presses, base::system_clock(), base::system_random()
    );
    std::array<bool, 10> stored{};
    base::task_group group(w.loop.executor());
    for (std::size_t n = 0; n < stored.size(); ++n)
        group.spawn(
            "accept",
            keep(
                n % 2 == 0 ? *w.inbox : *other,
                w.fern.settings,
                part(static_cast<std::int64_t>(n), "a"),
                stored[n]
            )
        );
    w.loop.run(group.join());
    writes->close();

    EXPECT_TRUE(std::ranges::all_of(stored, std::identity()));
    EXPECT_EQ(turns(w), "0 1");
    EXPECT_EQ(
        w.value("select count(*) from postrider.inbox where reason = 'no_text'"),
        std::to_string(stored.size() - 1)
    );
}

} // namespace
} // namespace postrider::telegram::albums_test
