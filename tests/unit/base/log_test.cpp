#include "base/json/json.hpp"
#include "base/log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>

#include <csignal>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <type_traits>
#include <unistd.h>

namespace postrider::base::log::log_test {
namespace {

constexpr sys_time instant{std::chrono::seconds{1'795'251'180}};

std::string logfmt(fields more) {
    return render(format::logfmt, instant, level::info, "job.settled", more);
}

std::string as_json(fields more) {
    return render(format::json, instant, level::error, "job.settled", more);
}

static_assert(!std::is_constructible_v<value, double>, "would be printed as true");
static_assert(!std::is_constructible_v<value, void*>, "would be printed as true");

TEST(log, logfmt_begins_with_time_level_and_event) {
    EXPECT_EQ(logfmt({}), "2026-11-21T08:53:00Z info job.settled");
    EXPECT_EQ(
        render(format::logfmt, instant + 20ms, level::warn, "x", {}),
        "2026-11-21T08:53:00.020000Z warn x"
    );
}

TEST(log, values_of_every_kind) {
    EXPECT_THAT(
        logfmt(
            {{"job", job_id{7}},
             {"ok", true},
             {"count", -3},
             {"took", 12ms},
             {"code", errc::lease_lost},
             {"reason", base::error(errc::timeout, "no first byte")},
             {"name", "plain"}}
        ),
        testing::EndsWith(" job=7 ok=true count=-3 took=12ms code=lease_lost"
                          " reason=\"timeout: no first byte\" name=plain")
    );
}

TEST(log, logfmt_quotes_what_would_not_read_back) {
    EXPECT_THAT(logfmt({{"k", ""}}), testing::EndsWith(" k=\"\""));
    EXPECT_THAT(logfmt({{"k", "a b"}}), testing::EndsWith(" k=\"a b\""));
    EXPECT_THAT(logfmt({{"k", "a=b"}}), testing::EndsWith(" k=\"a=b\""));
    EXPECT_THAT(logfmt({{"k", "a\"b"}}), testing::EndsWith(R"( k="a\"b")"));
    EXPECT_THAT(logfmt({{"k", "a\\b"}}), testing::EndsWith(R"( k="a\\b")"));
    EXPECT_THAT(logfmt({{"k", "Ünal"}}), testing::EndsWith(" k=\"Ünal\""));
}

TEST(log, no_text_starts_a_line_of_its_own) {
    for (auto shape : {format::logfmt, format::json})
        for (auto text : {"a\nb", "a\r\nb", "\n", "a\x0b\x0c", "\x1b[31mred", "\xff\n\xff"}) {
            auto line = render(shape, instant, level::info, text, {{"k", text}, {"more", text}});
            EXPECT_EQ(
                std::count_if(
                    line.begin(),
                    line.end(),
                    [](char c) { return static_cast<unsigned char>(c) < ' '; }
                ),
                0
            ) << line;
        }
}

TEST(log, json_line_is_json_with_bare_numbers_and_flags) {
    auto line = as_json({{"job", job_id{7}}, {"ok", false}, {"took", 12ms}, {"text", "a\"\n\\b"}});
    auto parsed = parse_json(line);
    ASSERT_TRUE(parsed.has_value()) << line;
    json_reader root{*parsed};
    EXPECT_EQ(root["time"].string(), "2026-11-21T08:53:00Z");
    EXPECT_EQ(root["level"].string(), "error");
    EXPECT_EQ(root["event"].string(), "job.settled");
    EXPECT_EQ(root["job"].int64(), 7);
    EXPECT_FALSE(root["ok"].boolean());
    EXPECT_EQ(root["took"].string(), "12ms");
    EXPECT_EQ(root["text"].string(), "a\"\n\\b");
    EXPECT_FALSE(root.failed());
}

TEST(log, bytes_that_are_no_text_leave_a_line_that_reads) {
    auto line = as_json({{"text", "a\xff\xc3(b"}, {"name", "Ünal"}});
    auto parsed = parse_json(line);
    ASSERT_TRUE(parsed.has_value()) << line;
    json_reader root{*parsed};
    EXPECT_EQ(root["text"].string(), "a?\?(b");
    EXPECT_EQ(root["name"].string(), "Ünal");
}

class log_output : public testing::Test {
protected:
    ~log_output() override { configure(level::info, format::logfmt); }
};

TEST_F(log_output, prints_one_line_per_event_from_the_lowest_level_on) {
    configure(level::warn, format::logfmt);
    EXPECT_FALSE(enabled(level::info));
    EXPECT_TRUE(enabled(level::warn));
    testing::internal::CaptureStderr();
    debug("too.low");
    info("too.low");
    warn("seen", {{"k", "{} %v"}});
    log::error("seen.too");
    auto text = testing::internal::GetCapturedStderr();
    EXPECT_THAT(
        text, testing::MatchesRegex("[^\n]+ warn seen k=\"\\{\\} %v\"\n[^\n]+ error seen.too\n")
    );
}

TEST_F(log_output, prints_json_when_configured) {
    configure(level::debug, format::json);
    testing::internal::CaptureStderr();
    debug("seen");
    auto text = testing::internal::GetCapturedStderr();
    EXPECT_THAT(text, testing::StartsWith("{\"time\":"));
    EXPECT_THAT(text, testing::EndsWith("\"level\":\"debug\",\"event\":\"seen\"}\n"));
}

void end_with(std::exception_ptr const& failure) noexcept {
    warn("seen");
    if (failure) std::rethrow_exception(failure);
    std::terminate();
}

// The buffer of the log would keep it.
TEST(log, tells_of_an_exception_that_nothing_catches) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    auto const failure = std::make_exception_ptr(std::runtime_error("out of luck"));
    EXPECT_DEATH(end_with(failure), "error process.terminated error=\"out of luck\"");
    EXPECT_DEATH(
        end_with(nullptr), "process.terminated error=\"std::terminate without an exception\""
    );
}

// Ends its process while the logger's locks are held, as a thread does that dies in there.
class deadly_sink final : public spdlog::sinks::base_sink<std::mutex> {
    void sink_it_(spdlog::details::log_msg const&) override { std::terminate(); }
    void flush_() override {}
};

TEST(log, tells_of_an_end_within_the_logger) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    auto const die = [] {
        alarm(10); // of a deadlock
        warn("seen");
        spdlog::get("postrider")->sinks().push_back(std::make_shared<deadly_sink>());
        warn("seen");
    };
    EXPECT_EXIT(die(), testing::KilledBySignal(SIGABRT), "process.terminated");
}

} // namespace
} // namespace postrider::base::log::log_test
