// The spam filter's answers as the API and the command line write them.
// covers: X.09
#include "server/views/spam_json.hpp"

#include <gtest/gtest.h>

namespace postrider::server::spam_json_test {
namespace {

namespace spam = agent::spam;

spam::verdict verdict_with(std::vector<double> const& scores) {
    spam::verdict verdict{.is_spam = true, .points = 120, .threshold = 100, .results = {}};
    for (auto const score : scores)
        verdict.results.push_back({"links", score, 100, score * 100, "it has links"});
    return verdict;
}

TEST(spam_json, a_check_says_spam_from_half_of_its_score_on) {
    auto const shown = spam_check_json(verdict_with({1, 0.5, 0.49, -1}));

    auto const& checks = shown.at("checks");
    EXPECT_TRUE(shown.at("spam").as_bool());
    EXPECT_EQ(checks.at(0).at("name").as_string(), "links");
    EXPECT_TRUE(checks.at(0).at("spam").as_bool());
    EXPECT_TRUE(checks.at(1).at("spam").as_bool());
    EXPECT_FALSE(checks.at(2).at("spam").as_bool());
    EXPECT_FALSE(checks.at(3).at("spam").as_bool());
}

TEST(spam_json, every_rule_names_its_check) {
    auto const rules = spam_rules_json();

    for (auto const& rule : rules.at("rules").as_array()) {
        std::string const key(rule.at("key").as_string());
        if (key == "threshold")
            EXPECT_TRUE(rule.at("check").is_null());
        else
            EXPECT_EQ(rule.at("check").as_string(), key.substr(0, key.find('.'))) << key;
    }
}

TEST(spam_json, a_page_names_the_next_where_it_is_full) {
    std::vector<spam::member> members(2);
    members[1].messages = 3;
    members[1].user = user_id{-7};

    EXPECT_EQ(spam_members_json(members, 2).at("next").as_string(), "3,-7");
    EXPECT_FALSE(spam_members_json(members, 3).contains("next"));
}

TEST(spam_json, cursors_come_back_as_they_were) {
    spam::verdict_place const place{"2026-11-30T10:00:00.000001Z", chat_id{-100}, 5, -7};

    auto const read = verdict_place_from(cursor_of(place));
    auto const member = member_place_from("3,-7");

    ASSERT_TRUE(read);
    EXPECT_EQ(cursor_of(*read), cursor_of(place));
    ASSERT_TRUE(member);
    EXPECT_EQ(member->user, user_id{-7});
}

TEST(spam_json, other_cursors_are_none) {
    for (auto const* cursor :
         {"",
          "x",
          ",",
          "2026-11-30T10:00:00Z",
          "2026-11-30T10:00:00Z,1,2",
          "yesterday,1,2,3",
          "2026-11-30T10:00:00Z,1,2,3,4",
          "2026-11-30T10:00:00Z,1,2,x"})
        EXPECT_FALSE(verdict_place_from(cursor)) << cursor;
    for (auto const* cursor : {"", "x", "1", "1,", ",1", "1,2,3", "1,x", "1 ,2"})
        EXPECT_FALSE(member_place_from(cursor)) << cursor;
}

} // namespace
} // namespace postrider::server::spam_json_test
