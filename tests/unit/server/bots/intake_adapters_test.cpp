#include "server/bots/intake_adapters.hpp"
#include "tests/support/loop.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

namespace postrider::server::intake_adapters_test {
namespace {

using base::errc;
using telegram::accepted;
using testing::Pair;
using testing::UnorderedElementsAre;

class scripted_updates final : public telegram::intake {
public:
    std::deque<base::result<accepted>> outcomes;

    base::awaitable<base::result<accepted>> accept(telegram::bot_settings const&, std::string)
        override {
        auto next = outcomes.front();
        outcomes.pop_front();
        co_return next;
    }
    base::awaitable<base::result<accepted>> accept_cut(
        telegram::bot_settings const& bot, std::string body
    ) override {
        return accept(bot, std::move(body));
    }
};

TEST(counting_intake, tells_what_is_no_update_from_updates_that_were_not_stored) {
    tests::loop io;
    scripted_updates inner;
    counting_intake counting(inner);
    telegram::bot_settings const bot{};
    inner.outcomes = {
        accepted{true, "job"},
        accepted{false, "job"},
        base::error(errc::invalid),
        base::error(errc::overloaded),
        base::error(errc::ambiguous),
        base::error(errc::invalid)};

    for (int update = 0; update < 5; ++update) (void)io.run(counting.accept(bot, "{}"));
    (void)io.run(counting.accept_cut(bot, "{"));

    EXPECT_THAT(
        counting.counts(),
        UnorderedElementsAre(
            Pair("job", 1u), Pair("duplicate", 1u), Pair("malformed", 2u), Pair("unstored", 2u)
        )
    );
}

} // namespace
} // namespace postrider::server::intake_adapters_test
