#include "agent/speech/typing.hpp"
#include "agent/talk/refusing_messenger.hpp"
#include "tests/support/loop.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::typing_test {
namespace {

using namespace std::chrono_literals;

// A chat whose typing action does as it is told.
class chat final : public refusing_messenger {
public:
    enum class manner { works, throws, hangs };
    explicit chat(manner as) : refusing_messenger(base::errc::internal), manner_(as) {}

    base::awaitable<void> typing(address) override {
        ++typed;
        if (manner_ == manner::throws) throw std::runtime_error("no network");
        if (manner_ == manner::hangs) co_await base::sleep_for(1h);
    }

    int typed = 0;

private:
    manner manner_;
};

base::awaitable<queue::step_value> answer_after(base::duration time) {
    co_await base::sleep_for(time);
    co_return boost::json::value("done");
}

base::awaitable<queue::step_value> answer_once_typed(chat& out) {
    while (out.typed == 0) co_await base::sleep_for(1ms);
    co_return boost::json::value("done");
}

base::awaitable<queue::step_value> fail() {
    throw std::logic_error("a defect");
    co_return boost::json::value();
}

base::awaitable<queue::step_value> with_limit(chat& out, base::duration limit) {
    typing_times const at_once{0ms, 1h};
    co_return co_await base::with_timeout(while_typing(out, {}, answer_after(1h), at_once), limit);
}

TEST(while_typing, returns_what_the_work_returns_whatever_typing_does) {
    for (auto manner : {chat::manner::works, chat::manner::throws, chat::manner::hangs}) {
        tests::loop io;
        chat out{manner};

        auto value = io.run(while_typing(out, {}, answer_once_typed(out), {0ms, 1h}));

        EXPECT_EQ(value.value(), "done");
        EXPECT_EQ(out.typed, 1);
    }
}

TEST(while_typing, keeps_still_where_the_work_is_quick) {
    tests::loop io;
    chat out{chat::manner::works};

    EXPECT_EQ(io.run(while_typing(out, {}, answer_after(1ms), {1h, 1h})).value(), "done");

    EXPECT_EQ(out.typed, 0);
}

TEST(while_typing, lets_an_exception_of_the_work_pass) {
    tests::loop io;
    chat out{chat::manner::hangs};

    EXPECT_THROW(io.run(while_typing(out, {}, fail())), std::logic_error);
}

TEST(while_typing, ends_both_when_it_is_cancelled) {
    for (auto manner : {chat::manner::works, chat::manner::hangs}) {
        tests::loop io;
        chat out{manner};

        auto value = io.run(with_limit(out, 5ms));

        EXPECT_EQ(value.error().code, base::errc::timeout);
    }
}

} // namespace
} // namespace postrider::agent::typing_test
