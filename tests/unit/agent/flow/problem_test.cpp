#include "agent/flow/validate/references.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace postrider::agent::flow::problem_test {
namespace {

using testing::SizeIs;

TEST(problem, is_told_to_people_and_programs) {
    problem const whole{
        .code = "cycle",
        .path = "/nodes/3",
        .message = "round and round",
        .hint = "cut it",
        .node = "A",
    };
    EXPECT_EQ(to_text(whole), "A (/nodes/3): round and round — cut it");
    EXPECT_EQ(
        boost::json::serialize(to_json(whole)),
        R"({"code":"cycle","severity":"error","path":"/nodes/3","message":"round and round",)"
        R"("hint":"cut it","node":"A"})"
    );
    problem const bare{.code = "x", .message = "odd", .severity = severity::warning};
    EXPECT_EQ(to_text(bare), "warning: odd");
    EXPECT_EQ(to_text({.code = "x", .path = "/name", .message = "odd"}), "/name: odd");
    EXPECT_EQ(
        boost::json::serialize(to_json(bare)),
        R"({"code":"x","severity":"warning","path":"","message":"odd"})"
    );
}

TEST(problem, codes_are_unique) {
    std::set<std::string, std::less<>> codes;
    for (auto const& entry : problem_codes())
        EXPECT_TRUE(codes.emplace(entry.code).second) << entry.code;
    for (auto const& reference : references())
        EXPECT_TRUE(codes.insert(unknown_code(reference)).second) << reference.name;
}

TEST(problem_list, tells_that_there_are_more) {
    problem const mild{.code = "w", .message = "w", .severity = severity::warning};
    problem_list short_list(2);
    for (int i = 0; i < 3; ++i) short_list.add(mild);
    auto listed = std::move(short_list).take();
    ASSERT_THAT(listed, SizeIs(3));
    EXPECT_FALSE(any_error(listed));
    EXPECT_EQ(listed[2].code, "more_problems");

    problem_list with_error(2);
    for (int i = 0; i < 3; ++i) with_error.add(mild);
    EXPECT_FALSE(with_error.decided());
    with_error.add({.code = "e", .message = "e"});
    EXPECT_TRUE(with_error.decided());
    EXPECT_TRUE(any_error(std::move(with_error).take())) << "an error that is not listed is one";
}

TEST(in_quotes, stays_short_and_utf8) {
    EXPECT_EQ(in_quotes("a\"b"), "\"a\"b\"");
    EXPECT_EQ(in_quotes(std::string(59, 'x') + "é"), "\"" + std::string(59, 'x') + "…\"");
}

TEST(hint_for, finds_what_was_meant) {
    std::vector<std::string> const known{"agent", "chat", "switch"};
    EXPECT_EQ(hint_for("agnet", known), "did you mean \"agent\"?");
    EXPECT_EQ(hint_for("banana", known), "there is: agent, chat, switch");
    std::vector<std::string> const many(1000, std::string(100, 'x'));
    EXPECT_EQ(hint_for(std::string(99, 'x'), many), "") << "it would take long";
}

TEST(below, escapes_as_json_pointers_do) {
    EXPECT_EQ(below("", "a/b~c"), "/a~1b~0c");
    EXPECT_EQ(below("/nodes", 3), "/nodes/3");
}

} // namespace
} // namespace postrider::agent::flow::problem_test
