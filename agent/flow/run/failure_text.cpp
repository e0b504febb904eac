#include "agent/flow/run/failure_text.hpp"

#include "agent/flow/budgets.hpp"
#include "agent/language/notices.hpp"

#include <string_view>

namespace postrider::agent {

namespace {

struct failure_words {
    std::string language::notices::*statement;
    std::string language::notices::*when_to_retry =
        &language::notices::in_minutes; // where the statement says when to ask again
};

failure_words words_for(base::errc code) noexcept {
    using base::errc;
    using language::notices;
    switch (code) {
    case errc::unauthorized:
    case errc::not_found:
        return {&notices::not_set_up};
    case errc::budget:
        return {&notices::limit_reached};
    case errc::context_too_long:
        return {&notices::conversation_too_long};
    case errc::refused:
    case errc::invalid:
    case errc::too_large:
        return {&notices::not_accepted};
    case errc::rate_limited:
    case errc::overloaded:
        return {&notices::busy, &notices::later}; // it may have asked for an hour
    case errc::timeout:
        return {&notices::slow};
    default:
        return {&notices::unreachable};
    }
}

// "16:00", no earlier than the moment.
std::string time_of_day(base::sys_time moment) {
    auto const iso = base::to_iso8601(std::chrono::ceil<std::chrono::minutes>(moment));
    constexpr std::size_t time_at = std::string_view("2026-11-23T").size();
    constexpr std::size_t time_size = std::string_view("16:00").size();
    return iso.substr(time_at, time_size);
}

} // namespace

std::string failure_text(base::error const& failure, std::string_view language) {
    using language::in_words;
    auto const& words = language::notices_in(language);
    if (is_empty_budget(failure)) return in_words(words.empty_budget, failure.detail);
    auto const [statement, when_to_retry] = words_for(failure.code);
    auto const when =
        failure.until ? in_words(words.after, time_of_day(*failure.until)) : words.*when_to_retry;
    return in_words(words.*statement, when);
}

} // namespace postrider::agent
