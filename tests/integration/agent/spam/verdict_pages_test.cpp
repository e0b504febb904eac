// Pages of verdicts among very many: they read what they show, by an index.
// covers: X.09
#include "agent/spam/store/verdicts.hpp"
#include "tests/support/postgres.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

namespace postrider::agent::spam::verdict_pages_test {
namespace {

constexpr std::int64_t many = 1'000'000;
constexpr std::int64_t one_in = 10'000; // is spam
constexpr int page = 20;

class verdict_pages : public testing::Test {
protected:
    // Of five groups, a second apart, the newest last; none of the newest thousands is spam.
    verdict_pages() {
        constexpr std::int64_t at_once =
            100'000; // a slow machine writes so many within the time of a statement
        for (std::int64_t first = 1; first <= many; first += at_once)
            database_.execute(fmt::format(
                "insert into postrider.spam_verdict (chat_id, message_id, wording, user_id, "
                "is_spam, points, threshold, checks, content, judged_at) "
                "select -100 - n % 5, n, 1, n % 5000, n % {} = 7, 0, 100, '[]', 'text', "
                "postrider.now() - make_interval(secs => {} - n) from generate_series({}, {}) n",
                one_in,
                many,
                first,
                first + at_once - 1
            ));
        database_.execute("vacuum analyze postrider.spam_verdict");
        database_.execute("insert into postrider.bot (name) values ('fern'); "
                          "insert into postrider.chat (bot_id, chat_id, migrated_to) "
                          "values (1, -101, -102)");
    }

    struct reading {
        std::vector<listed_verdict> verdicts;
        std::int64_t rows = 0; // that were read of the table
    };

    // As the program reads it, whatever plan the server prefers by then.
    reading read(verdict_filter filter, std::string const& mode) {
        filter.limit = page;
        reading seen;
        auto const done = storage::run_blocking(database_.options(), [&](storage::transaction& tx) {
            static constexpr storage::statement set_mode{
                "test.mode", "select set_config('plan_cache_mode', $1, true)"};
            tx.query(set_mode, {mode});
            seen.verdicts = list_verdicts(tx, filter);
            static constexpr storage::statement scans{
                "test.scans",
                "select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) from "
                "pg_stat_xact_user_tables where schemaname = 'postrider' and relname = "
                "'spam_verdict'"};
            seen.rows = tx.query(scans).front().int64(0);
        });
        EXPECT_TRUE(done) << to_string(done.error());
        return seen;
    }

    void expect_few(verdict_filter const& filter, std::string const& asked) {
        for (auto const* mode : {"force_custom_plan", "force_generic_plan"}) {
            auto const first = read(filter, mode);
            ASSERT_EQ(first.verdicts.size(), static_cast<std::size_t>(page)) << asked;
            EXPECT_LE(first.rows, 20 * page) << asked << ", " << mode;
            auto next = filter;
            next.before = place_of(first.verdicts.back().judged);
            auto const second = read(next, mode);
            EXPECT_LE(second.rows, 20 * page) << asked << ", the next page, " << mode;
            ASSERT_FALSE(second.verdicts.empty());
            EXPECT_LT(second.verdicts.front().judged.judged_at, next.before->judged_at) << asked;
        }
    }

    tests::test_database database_;
};

TEST_F(verdict_pages, read_little_of_a_million) {
    expect_few({}, "all");
    expect_few({.chat = chat_id{-102}}, "a group");
    expect_few({.is_spam = true}, "spam");
    expect_few({.chat = chat_id{-102}, .is_spam = true}, "spam of a group");

    auto const of_group = read({.chat = chat_id{-102}, .is_spam = true}, "auto").verdicts;
    for (auto const& listed : of_group) EXPECT_TRUE(listed.judged.is_spam);
}

// n % 10,000 = 7 is always of -102: the old group has none that is spam.
TEST_F(verdict_pages, of_a_supergroup_have_those_from_before) {
    std::set<chat_id> chats;
    for (auto const& listed : read({.chat = chat_id{-102}}, "auto").verdicts)
        chats.insert(listed.judged.chat);

    EXPECT_EQ(chats, (std::set{chat_id{-101}, chat_id{-102}}));
}

} // namespace
} // namespace postrider::agent::spam::verdict_pages_test
