#include "tests/unit/house/awaits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::awaits_test {
namespace {

std::vector<std::string> found_in(std::string const& code) {
    std::vector<violation> violations;
    check_awaits("a.cpp", code, violations);
    std::vector<std::string> lines;
    for (auto const& violation : violations) lines.push_back(to_string(violation));
    return lines;
}

TEST(awaits, may_stand_apart) {
    EXPECT_THAT(
        found_in(R"(
auto const a = co_await f();
timer t{co_await this_executor};
co_await g(ready ? 1 : 2, {1, 0});
auto work = [&] { return f(); };
if (ready) { co_await f(); }
)"),
        testing::IsEmpty()
    );
}

TEST(awaits, stand_in_no_braces_and_no_condition) {
    EXPECT_THAT(
        found_in(R"(
auto a = ready
    ? co_await f() : text;
answer b{text, *co_await words()};
co_return {text, co_await f()};
auto c = co_await g(reads, {&look, std::move(row).text()}, limit);
)"),
        testing::UnorderedElementsAre(
            "a.cpp:3: awaits within a conditional expression",
            "a.cpp:4: awaits within braces",
            "a.cpp:5: awaits within braces",
            "a.cpp:6: awaits a call with a value made in braces"
        )
    );
}

TEST(awaits, return_no_constant_result_of_bool) {
    EXPECT_THAT(
        found_in(R"(
base::awaitable<base::result<bool>> is_open() {
    auto const reply = co_await ask();
    if (!reply) co_return false;
    co_return reply;
}
base::awaitable<base::result<int>> size() {
    auto const reply = co_await ask();
    co_return reply;
}
)"),
        testing::ElementsAre("a.cpp:5: returns a constant result of bool")
    );
}

} // namespace
} // namespace postrider::tests::awaits_test
