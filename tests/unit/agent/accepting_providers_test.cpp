// When a provider is known to have taken a request.
#include "tests/unit/agent/providers_world.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace postrider::tests::accepting_providers_test {
namespace {

struct accepting_providers : providers {};

INSTANTIATE_TEST_SUITE_P(all, accepting_providers, every_api(), [](auto const& named) {
    return named.param.name;
});

// Before all of it has come.
TEST_P(accepting_providers, are_known_to_accept_when_their_answer_begins) {
    for (bool const in_pieces : {true, false}) {
        std::vector<std::string> heard;
        auto request = question("Hello");
        if (in_pieces) request.hear = [&](std::string_view text) { heard.emplace_back(text); };
        request.accepted = [&] { heard.emplace_back("accepted"); };

        ASSERT_TRUE(ask(std::move(request)));

        ASSERT_FALSE(heard.empty());
        EXPECT_EQ(heard.front(), "accepted");
        EXPECT_EQ(std::ranges::count(heard, "accepted"), 1);
        EXPECT_EQ(heard.size() > 1, in_pieces);
    }
}

TEST_P(accepting_providers, are_not_known_to_accept_what_they_refuse) {
    auto request = question("Hello");
    bool accepted = false;
    request.hear = [](std::string_view) {};
    request.accepted = [&] { accepted = true; };
    fake_.script(fake_reply::failing(429));

    EXPECT_FALSE(ask(std::move(request)));
    EXPECT_FALSE(accepted);
}

} // namespace
} // namespace postrider::tests::accepting_providers_test
