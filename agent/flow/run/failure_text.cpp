#include "agent/flow/run/failure_text.hpp"

#include "agent/flow/budgets.hpp"

#include <fmt/format.h>

#include <string_view>

namespace postrider::agent {

namespace {

struct failure_words {
    std::string_view statement;
    std::string_view when_to_retry = {}; // if that may help
};

failure_words words_for(base::errc code) noexcept {
    using base::errc;
    switch (code) {
    case errc::unauthorized:
    case errc::not_found:
        return {
            "I cannot answer: my language model is not set up correctly. Please tell the person "
            "who runs me. Your message is saved"};
    case errc::budget:
        return {"I cannot answer: the spending limit for my language model is reached. Please tell "
                "the person who runs me. Your message is saved"};
    case errc::context_too_long:
        return {
            "This conversation is too long for my language model. Your message is saved; send /new "
            "to begin a new conversation, and ask again"};
    case errc::refused:
    case errc::invalid:
    case errc::too_large:
        return {
            "I could not answer this message: my language model did not accept it. Your message "
            "is saved"};
    case errc::rate_limited:
    case errc::overloaded:
        // It may have asked for an hour.
        return {"My language model is too busy right now. Your message is saved", "later"};
    case errc::timeout:
        return {
            "My language model took too long to answer. Your message is saved", "in a few minutes"};
    default:
        return {
            "I cannot reach my language model right now. Your message is saved",
            "in a few minutes"};
    }
}

// "after 16:00 UTC", no earlier than the moment.
std::string time_phrase(base::sys_time moment) {
    auto const text = base::to_iso8601(std::chrono::ceil<std::chrono::minutes>(moment));
    constexpr std::size_t time_at = std::string_view("2026-11-23T").size();
    constexpr std::size_t time_size = std::string_view("16:00").size();
    return fmt::format("after {} UTC", std::string_view(text).substr(time_at, time_size));
}

} // namespace

std::string failure_text(base::error const& failure) {
    if (is_empty_budget(failure)) return empty_budget_text(failure);
    auto const words = words_for(failure.code);
    if (words.when_to_retry.empty()) return fmt::format("{}.", words.statement);
    return fmt::format(
        "{}; please ask again {}.",
        words.statement,
        failure.until ? time_phrase(*failure.until) : std::string(words.when_to_retry)
    );
}

std::string missing_tools_text() {
    return "I cannot answer: my tools are not set up correctly. Please tell the person who runs "
           "me. "
           "Your message is saved.";
}

} // namespace postrider::agent
