#include "base/log.hpp"

#include "base/exceptions.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/string_view.hpp>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <unistd.h>

namespace postrider::base::log {

namespace {

constexpr std::array<std::string_view, 4> level_names{"debug", "info", "warn", "error"};

std::atomic<level> lowest_level{level::info};
std::atomic<format> line_format{format::logfmt};

// A system call for every line would be one or two for every turn: a line waits up to a second for
// others, unless it is a warning or an error.
constexpr std::size_t buffer_size = 32u << 10;
constexpr std::chrono::seconds longest_wait{1};

// Lines that wait. Not where another thread writes at this moment: it may never be through.
void flush_if_free() {
    if (::ftrylockfile(stderr) != 0) return;
    ::fflush_unlocked(stderr);
    ::funlockfile(stderr);
}

// The standard's own message would be lost with the buffer. Past the logger: whoever ends here may hold its
// locks.
[[noreturn]] void tell_of_end_and_abort() {
    auto const failure = std::current_exception();
    auto const reason = failure ? reason_of(failure) : "std::terminate without an exception";
    auto const line = render(
        line_format, system_clock().now(), level::error, "process.terminated", {{"error", reason}}
    );
    flush_if_free();
    auto const text = line + '\n';
    (void)!::write(STDERR_FILENO, text.data(), text.size());
    std::abort();
}

spdlog::logger& sink() {
    static auto logger = [] {
        std::set_terminate(tell_of_end_and_abort);
        std::setvbuf(stderr, nullptr, _IOFBF, buffer_size);
        auto created = spdlog::stderr_logger_mt("postrider");
        created->set_pattern("%v");
        created->set_level(spdlog::level::trace);
        created->flush_on(spdlog::level::warn);
        spdlog::flush_every(longest_wait);
        return created;
    }();
    return *logger;
}

spdlog::level::level_enum urgency_of(level at) {
    return at >= level::warn ? spdlog::level::warn : spdlog::level::info;
}

// A JSON string on one line: control characters leave as escapes. Bytes that are not UTF-8, which
// the serializer passes on and a log's reader would refuse, become question marks.
std::string in_quotes(std::string_view text) {
    auto line = boost::json::serialize(boost::json::string_view(text.data(), text.size()));
    auto foreign = [](unsigned char c) { return c >= 0x7f; };
    boost::json::error_code ec;
    if (std::any_of(line.begin(), line.end(), foreign) && (boost::json::parse(line, ec), ec))
        std::replace_if(line.begin(), line.end(), foreign, '?');
    return line;
}

bool needs_quotes(std::string_view text) {
    return text.empty() || std::any_of(text.begin(), text.end(), [](unsigned char c) {
               return c <= ' ' || c == '"' || c == '=' || c == '\\' || c >= 0x7f;
           });
}

} // namespace

void configure(level lowest, format shape) {
    lowest_level = lowest;
    line_format = shape;
}

bool enabled(level at) noexcept {
    return at >= lowest_level.load(std::memory_order_relaxed);
}

std::string render(format shape, sys_time at, level severity, std::string_view event, fields more) {
    auto level_name = level_names[static_cast<std::size_t>(severity)];
    std::string line;
    if (shape == format::json) {
        line = R"({"time":")" + to_iso8601(at, true) + R"(","level":")" + std::string(level_name) +
               R"(","event":)" + in_quotes(event);
        for (auto const& f : more) {
            line += "," + in_quotes(f.key) + ":";
            line += f.value.bare() ? f.value.text() : in_quotes(f.value.text());
        }
        return line + "}";
    }
    line = to_iso8601(at, true) + " " + std::string(level_name) + " ";
    line += needs_quotes(event) ? in_quotes(event) : event;
    for (auto const& f : more) {
        line.append(" ").append(f.key).append("=");
        line += needs_quotes(f.value.text()) ? in_quotes(f.value.text()) : f.value.text();
    }
    return line;
}

void write(level at, std::string_view event, fields more) {
    if (!enabled(at)) return;
    sink().log(urgency_of(at), render(line_format, system_clock().now(), at, event, more));
}

} // namespace postrider::base::log
