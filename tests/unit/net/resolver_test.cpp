#include "net/resolver.hpp"
#include "tests/support/loop.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <pthread.h>

namespace postrider::net::resolver_test {
namespace {

using namespace std::chrono_literals;
using base::awaitable;
using base::errc;
using base::error;
using tests::loop;

// Answers for names; "hangs" and what begins with it does not return before it is let go.
class name_service {
public:
    ~name_service() { let_go(); }

    name_lookup lookup() {
        return [shared = shared_](std::string const& host, std::string const& port) {
            return look_up(*shared, host, port);
        };
    }
    void let_go() {
        std::scoped_lock lock(shared_->mutex);
        shared_->let_go = true;
        shared_->changed.notify_all();
    }
    int calls() const { return shared_->calls; }

private:
    struct state {
        std::mutex mutex;
        std::condition_variable changed;
        bool let_go = false;
        std::atomic<int> calls = 0;
    };

    static base::result<endpoints> look_up(
        state& shared, std::string const& host, std::string const& port
    ) {
        ++shared.calls;
        std::unique_lock lock(shared.mutex);
        if (host.starts_with("hangs")) shared.changed.wait(lock, [&] { return shared.let_go; });
        if (host == "nowhere") return error(errc::unavailable, "no such name");
        auto const number = static_cast<std::uint16_t>(std::stoi(port));
        return endpoints{{boost::asio::ip::address_v4::loopback(), number}};
    }

    // Outlives the test, as the threads of the look-ups may.
    std::shared_ptr<state> shared_ = std::make_shared<state>();
};

base::steady_time in(base::duration time) {
    return base::system_clock().steady() + time;
}

TEST(resolver, a_name_that_hangs_delays_no_other) {
    loop io;
    name_service names;
    resolver known{io.executor(), names.lookup()};
    base::task_group others{io.executor()};
    auto hang = [](resolver& from) -> awaitable<void> {
        co_await from.resolve("hangs", "1", in(1h));
    };
    others.spawn("hangs", hang(known));

    auto const found = io.run(known.resolve("good", "80", in(1h)));

    ASSERT_TRUE(found);
    EXPECT_EQ(found->front().port(), 80);
    names.let_go();
    io.run(others.join());
}

TEST(resolver, a_call_ends_at_its_deadline) {
    loop io;
    name_service names;
    resolver known{io.executor(), names.lookup()};

    EXPECT_EQ(io.run(known.resolve("hangs", "1", in(20ms))).error(), errc::timeout);
}

awaitable<void> resolve_twice(resolver& from, std::string host) {
    base::task_group calls{co_await base::asio::this_coro::executor};
    auto call = [](resolver& known, std::string name) -> awaitable<void> {
        EXPECT_TRUE(co_await known.resolve(std::move(name), "1", in(1h)));
    };
    calls.spawn("first", call(from, host));
    calls.spawn("second", call(from, host));
    co_await calls.join();
}

TEST(resolver, calls_for_one_name_share_a_look_up) {
    loop io;
    name_service names;
    resolver known{io.executor(), names.lookup()};

    io.run(resolve_twice(known, "good"));
    EXPECT_TRUE(io.run(known.resolve("good", "1", in(1h)))) << "known for some seconds";

    EXPECT_EQ(names.calls(), 1);
}

TEST(resolver, a_failure_is_not_kept) {
    loop io;
    name_service names;
    resolver known{io.executor(), names.lookup()};

    EXPECT_EQ(io.run(known.resolve("nowhere", "1", in(1h))).error(), errc::unavailable);
    EXPECT_EQ(io.run(known.resolve("nowhere", "1", in(1h))).error(), errc::unavailable);

    EXPECT_EQ(names.calls(), 2);
}

TEST(resolver, refuses_more_names_than_it_can_look_up) {
    loop io;
    name_service names;
    resolver known{io.executor(), names.lookup()};
    auto hang = [](resolver& from, int number) -> awaitable<void> {
        co_await from.resolve("hangs" + std::to_string(number), "1", in(1h));
    };
    auto until_called = [](name_service& hanging, int calls) -> awaitable<void> {
        while (hanging.calls() < calls) co_await base::sleep_for(1ms);
    };
    base::task_group others{io.executor()};
    for (int i = 0; i < 8; ++i) others.spawn("hangs", hang(known, i));
    io.run(until_called(names, 8));
    for (int i = 8; i < 8 + 256; ++i) others.spawn("waits", hang(known, i));

    EXPECT_EQ(io.run(known.resolve("beyond", "1", in(10ms))).error(), errc::unavailable);
    names.let_go();
    io.run(others.join());
}

// While it lives no thread of this process starts: none gets the stack that it would have.
class no_more_threads {
public:
    no_more_threads() {
        pthread_getattr_default_np(&before_);
        pthread_attr_t boundless;
        pthread_attr_init(&boundless);
        pthread_attr_setstacksize(&boundless, std::size_t{1} << 50);
        EXPECT_EQ(pthread_setattr_default_np(&boundless), 0);
        pthread_attr_destroy(&boundless);
    }
    ~no_more_threads() {
        pthread_setattr_default_np(&before_);
        pthread_attr_destroy(&before_);
    }
    no_more_threads(no_more_threads const&) = delete;
    no_more_threads& operator=(no_more_threads const&) = delete;

private:
    pthread_attr_t before_;
};

TEST(resolver, is_unavailable_while_no_thread_starts) {
    loop io;
    name_service names;
    resolver known{io.executor(), names.lookup()};
    {
        no_more_threads const shortage;
        EXPECT_EQ(io.run(known.resolve("good", "1", in(1h))).error(), errc::unavailable);
    }

    EXPECT_TRUE(io.run(known.resolve("good", "1", in(1h))));
    EXPECT_EQ(names.calls(), 1) << "what found no thread is not looked up later";
}

TEST(resolver, leaves_a_name_to_the_threads_there_are_when_no_more_start) {
    loop io;
    name_service names;
    resolver known{io.executor(), names.lookup()};
    EXPECT_EQ(io.run(known.resolve("hangs", "1", in(5ms))).error(), errc::timeout);
    no_more_threads const shortage;
    EXPECT_EQ(io.run(known.resolve("good", "1", in(5ms))).error(), errc::timeout);

    names.let_go();

    EXPECT_TRUE(io.run(known.resolve("good", "1", in(1h))));
}

TEST(resolver, a_look_up_may_end_after_it) {
    name_service names;
    {
        loop io;
        resolver known{io.executor(), names.lookup()};
        EXPECT_EQ(io.run(known.resolve("hangs", "1", in(5ms))).error(), errc::timeout);
    }
    names.let_go(); // whatever it posted now would be posted to nobody

    loop other;
    resolver next{other.executor(), names.lookup()};
    EXPECT_TRUE(other.run(next.resolve("good", "1", in(1h))));
}

TEST(resolver, takes_addresses_as_they_are) {
    loop io;
    name_service names;
    resolver known{io.executor(), names.lookup()};

    auto const found = io.run(known.resolve("::1", "443", in(1h)));

    ASSERT_TRUE(found);
    EXPECT_EQ(found->front().address(), boost::asio::ip::make_address("::1"));
    EXPECT_EQ(names.calls(), 0);
}

TEST(resolver, asks_the_system) {
    EXPECT_TRUE(look_up_by_system("localhost", "80"));
    EXPECT_EQ(look_up_by_system("no.such.name.invalid", "80").error(), errc::unavailable);
}

} // namespace
} // namespace postrider::net::resolver_test
