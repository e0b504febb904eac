// Lists that are read page by page, to their end.
#include "tests/integration/server/api/api_world.hpp"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include <set>

namespace postrider::tests::pages_test {
namespace {

struct list {
    std::string path;
    std::string member;
    std::string fill; // adds seven rows
};

std::ostream& operator<<(std::ostream& out, list const& of) {
    return out << of.path;
}

class pages : public testing::TestWithParam<list> {};

// Two rows a page; several were seen or asked for in the same instant.
TEST_P(pages, lead_through_all_rows_once) {
    auto const& [path, member, fill] = GetParam();
    api_world world;
    world.database.execute(fill);
    std::multiset<std::string> rows;
    std::string cursor;
    int count = 0;
    do {
        auto const answer = world.get("/api/v1/" + path + "limit=2" + cursor);
        ASSERT_EQ(answer.status, 200) << boost::json::serialize(answer.body);
        for (auto const& row : answer.body.at(member).as_array())
            rows.insert(boost::json::serialize(row));
        auto const* next = answer.body.as_object().if_contains("next");
        cursor = next ? "&cursor=" + std::string(next->as_string()) : "";
    } while (!cursor.empty() && ++count < 20);

    EXPECT_EQ(rows.size(), 7u);
    EXPECT_EQ(std::set<std::string>(rows.begin(), rows.end()).size(), 7u);
}

TEST_P(pages, refuse_a_cursor_that_no_page_named) {
    auto const& path = GetParam().path;
    api_world world;
    for (auto const* cursor : {"x", "1.2", "1.2.3.4.5", "-", "1.2.3.x"})
        EXPECT_EQ(world.get("/api/v1/" + path + "cursor=" + cursor).status, 400) << cursor;
}

INSTANTIATE_TEST_SUITE_P(
    lists,
    pages,
    testing::Values(
        list{
            "tokens?",
            "tokens",
            "insert into postrider.token (user_id, role, name, sha256) "
            "select n, 'reader', '', decode(lpad(n::text, 64, '0'), 'hex') from generate_series(1, "
            "7) n"},
        list{
            "strangers?",
            "strangers",
            "insert into postrider.stranger (bot_id, user_id, chat_id, name, last_seen_at) "
            "select 1, n, -n, 'x', postrider.now() - n / 3 * interval '1 s' from "
            "generate_series(1, 7) n"},
        list{
            "memories?",
            "memories",
            "insert into postrider.memory (user_id, chat_id, bot_id, kind, content, language, "
            "words, made_by) "
            "select n, 0, 1, 'note', 'x', '', '', n from generate_series(1, 7) n"},
        list{
            "approvals?",
            "approvals",
            "insert into postrider.approval (approval_id, job_id, lane_id, question, call, "
            "requester, tool, "
            "arguments, digest, expires_at, created_at) "
            "select 'a' || n, 44, 1, 'q', 'k' || n, 7, 'files_write', '{}', '', postrider.now() + "
            "interval '1 h', "
            "postrider.now() - n / 3 * interval '1 s' from generate_series(1, 7) n"},
        list{
            "spam/samples?",
            "samples",
            "select postrider.spam_train(0, 'stop_word', 'word ' || n, '{}', 'import', 'cli:x') "
            "from generate_series(1, 7) n"},
        list{
            "spam/verdicts?",
            "verdicts",
            "insert into postrider.spam_verdict (chat_id, message_id, wording, user_id, is_spam, "
            "points, threshold, checks, content, judged_at) select -100 - n % 2, n, n, 7, false, "
            "0, "
            "100, '[]', 'x', postrider.now() - n / 3 * interval '1 s' from generate_series(1, 7) "
            "n"},
        list{
            "spam/members?chat=-100&",
            "members",
            "insert into postrider.spam_member (chat_id, user_id, messages) "
            "select -100, n, n / 3 from generate_series(1, 7) n"}
    ),
    [](auto const& of) { return of.param.member; }
);

} // namespace
} // namespace postrider::tests::pages_test
