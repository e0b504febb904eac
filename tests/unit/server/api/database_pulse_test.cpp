// What streams are told of a database that answers no more.
#include "server/api/database_pulse.hpp"
#include "tests/support/loop.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace postrider::api::database_pulse_test {
namespace {

using namespace std::chrono_literals;

class moody_database final : public storage::database {
public:
    std::optional<base::errc> failure;
    int reads = 0;

    base::awaitable<base::result<void>> run(
        std::string_view, std::function<void(storage::transaction&)>, base::duration
    ) override {
        co_return base::errc::unavailable;
    }
    base::awaitable<base::result<storage::rows>> query(
        storage::statement, std::vector<storage::param>, base::duration
    ) override {
        ++reads;
        if (failure) co_return *failure;
        co_return storage::rows();
    }
    storage::database_options const& options() const override { return options_; }
    void close() override {}

private:
    storage::database_options options_;
};

class kept_text final : public net::body_writer {
public:
    std::string text;
    std::function<void()> written;

    base::awaitable<bool> write(std::string_view piece) override {
        text += piece;
        written();
        co_return is_open;
    }

    bool is_open = true;
};

class pulse : public testing::Test {
protected:
    void tell(database_state told) {
        io.run(heart.tell(std::move(told), line, clock.steady() + 10min));
    }

    tests::loop io;
    base::manual_clock clock;
    moody_database db;
    kept_text writer;
    event_line line{writer, {}, io.executor()};
    database_pulse heart{db, clock, 1ms};
};

TEST_F(pulse, tells_when_the_database_is_gone_and_when_it_is_back) {
    auto const well = io.run(heart.get());
    clock.advance(2s);
    auto const gone = base::to_iso8601(clock.now());
    db.failure = base::errc::timeout;
    std::string back;
    writer.written = [&] {
        clock.advance(back.empty() ? 2s : 1h);
        back = base::to_iso8601(clock.now());
        db.failure.reset();
    };

    tell(well);

    EXPECT_TRUE(well.is_reachable);
    auto const back_at = R"("since":")" + base::to_iso8601(clock.now() - 1h) + R"("})";
    EXPECT_EQ(
        writer.text,
        "event: health\ndata: {\"database\":\"unreachable\",\"since\":\"" + gone +
            "\"}\n\nevent: health\ndata: {\"database\":\"ok\"," + back_at + "\n\n"
    );
}

TEST_F(pulse, ends_where_nobody_listens) {
    db.failure = base::errc::unavailable;
    writer.is_open = false;
    writer.written = [] {};

    tell({true, "2026-01-01T00:00:00Z"});

    EXPECT_NE(writer.text.find("unreachable"), std::string::npos);
}

TEST_F(pulse, is_read_once_a_second_however_many_ask) {
    io.run(heart.get());
    io.run(heart.get());
    EXPECT_EQ(db.reads, 1);
    clock.advance(1s);
    io.run(heart.get());
    EXPECT_EQ(db.reads, 2);
}

} // namespace
} // namespace postrider::api::database_pulse_test
