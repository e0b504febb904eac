#pragma once
// The closed vocabulary of expected failures, and result<T> to return them.
//
// Expected, actionable failures are values: result<T> holds a T or an error {code, detail}. A
// broken environment throws. The codes double as the error classes that drive retries (see
// retryable). A detail is for people and logs: it never holds a secret, a message text or a URL
// with a token, and no code reads it. What code has to know of a failure beyond its code is its
// reason and its time: steps record them with it (base/json/error_data.hpp).
#include <boost/system/result.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace postrider::base {

enum class errc {
    // What the outside did to a request of ours; the first four are worth another try.
    rate_limited = 1, // told to slow down; error.retry_after says for how long
    overloaded,       // the other side is saturated
    timeout,          // no answer within the deadline
    unavailable,      // no connection, or a 5xx
    refused,          // understood and declined, now and always
    invalid,          // our request, or their answer, is malformed
    unauthorized,     // credentials are wrong or revoked
    budget,           // a spending limit is reached
    ambiguous,        // may or may not have happened: the answer was lost
    context_too_long, // a model's request is longer than the model reads
    // What happens inside.
    not_found,
    conflict,   // already there, or changed meanwhile
    too_large,  // beyond a documented limit
    poison,     // the database refuses this row for its content
    lost,       // its process died while it ran alone, as often as is allowed
    lease_lost, // another node owns the lane now: change nothing
    stale,      // the input changed meanwhile: read again
    cancelled,  // asked to stop
    mismatch,   // the code does not do what the record says that it did
    internal,   // a defect of ours; the log has more
};

std::string_view to_string(errc code) noexcept;
std::optional<errc> errc_from_string(std::string_view name) noexcept;

// True for the failures that may pass when the same thing is tried again.
bool retryable(errc code) noexcept;

struct error {
    errc code = errc::internal;
    std::string detail;
    std::optional<std::chrono::milliseconds> retry_after; // asked for by the other side
    // A word of ours that tells this failure from others of its code: "empty_budget". "" = the code
    // says it all. Never a text of somebody else.
    std::string reason = {};
    // Until when the same will fail again, as far as that is known.
    std::optional<std::chrono::sys_seconds> until = {};

    error() = default;
    error(errc c) : code(c) {}
    error(errc c, std::string text) : code(c), detail(std::move(text)) {}
    error(errc c, std::string text, std::string_view recorded)
        : code(c),
          detail(std::move(text)),
          reason(recorded) {}

    bool operator==(errc c) const noexcept { return code == c; }
};

// The reason of what with_timeout() cut off.
inline constexpr std::string_view cut_off = "cut_off";

// "timeout: no first byte within 60s", for logs and for people.
std::string to_string(error const& e);

template<class T>
using result = boost::system::result<T, error>;

// Found by result<T>::value(): a caller that ignores a failure gets an exception.
[[noreturn]] void throw_exception_from_error(error const& e, boost::source_location const& where);

} // namespace postrider::base
