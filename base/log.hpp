#pragma once
// One line per event: a stable name, then key=value. ids, never contents: no secret, no message
// text, no URL that could hold a token. Levels: error = someone must act, warn = degraded, info =
// life cycle, debug = detail. docs/reference.md lists the events.
//
//     log::info("job.settled", {{"job", id}, {"outcome", "completed"}, {"took", 12ms}});
//
// Threads: any, once configure() has been called; before it, lines go to stderr as logfmt.
#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/ids.hpp"

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>

namespace postrider::base::log {

enum class level { debug, info, warn, error };
enum class format { logfmt, json };

// A value that knows whether it is quoted in JSON.
class value {
public:
    value(std::string_view text) : text_(text) {}
    value(char const* text) : text_(text) {}
    value(std::string text) : text_(std::move(text)) {}
    // Constrained, or a pointer and a double would turn into a flag.
    template<std::same_as<bool> Flag>
    value(Flag flag) : text_(flag ? "true" : "false"),
                       bare_(true) {}
    template<std::integral Number>
    requires(!std::same_as<Number, bool>) value(Number number)
        : text_(std::to_string(number)),
          bare_(true) {}
    template<class Id>
    requires std::is_enum_v<Id> && requires(Id id) { raw(id); }
    value(Id id) : text_(std::to_string(raw(id))), bare_(true) {}
    value(errc code) : text_(to_string(code)) {}
    value(error const& e) : text_(to_string(e)) {}
    template<class Rep, class Period>
    value(std::chrono::duration<Rep, Period> d) : text_(to_text(duration{d})) {}

    std::string const& text() const noexcept { return text_; }
    bool bare() const noexcept { return bare_; }

private:
    std::string text_;
    bool bare_ = false;
};

struct field {
    std::string_view key;
    log::value value;
};

using fields = std::initializer_list<field>;

void configure(level lowest, format shape);
bool enabled(level at) noexcept;

void write(level at, std::string_view event, fields more);

inline void debug(std::string_view event, fields more = {}) {
    if (enabled(level::debug)) write(level::debug, event, more);
}
inline void info(std::string_view event, fields more = {}) {
    write(level::info, event, more);
}
inline void warn(std::string_view event, fields more = {}) {
    write(level::warn, event, more);
}
inline void error(std::string_view event, fields more = {}) {
    write(level::error, event, more);
}

// The line without its end, as write() prints it; for tests and for write().
std::string render(format shape, sys_time at, level severity, std::string_view event, fields more);

} // namespace postrider::base::log
