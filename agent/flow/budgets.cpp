#include "agent/flow/budgets.hpp"

#include "agent/flow/execution_input.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace postrider::agent {

namespace {

constexpr std::string_view empty_reason = "empty_budget";

// Calls in flight take seconds.
constexpr std::chrono::seconds look_again{2};

using name = std::string language::notices::*;
constexpr std::array<std::pair<std::string_view, name>, 3> budget_names{{
    {"total", &language::notices::total_budget},
    {"user", &language::notices::own_budget},
    {"chat", &language::notices::chat_budget},
}};

std::string name_of(storage::empty_budget const& budget) {
    return name_of_budget(budget.scope, budget.subject, language::notices_in("en"));
}

std::string limit_of(storage::empty_budget const& budget) {
    constexpr double micro_in_a_cent = 10'000;
    if (budget.kind == "calls") return fmt::format("{} model calls", budget.most);
    if (budget.kind == "tokens") return fmt::format("{} tokens", budget.most);
    return fmt::format("{} US cents", static_cast<double>(budget.most) / micro_in_a_cent);
}

std::string subject_of(std::string_view scope, flow::execution_input const& input) {
    if (scope == "agent") return input.agent;
    if (scope == "flow") return input.flow;
    if (!input.heard) return {};
    auto const& heard = *input.heard;
    if (scope == "user") return base::raw(heard.user) == 0 ? "" : base::to_string(heard.user);
    return heard.from.is_conversation() ? conversation_of(heard.from)
                                        : base::to_string(heard.from.chat);
}

} // namespace

std::vector<std::string_view> const& budget_scopes() {
    static std::vector<std::string_view> const all{"total", "user", "chat", "agent", "flow"};
    return all;
}

std::string name_of_budget(
    std::string_view scope, std::string_view subject, language::notices const& words
) {
    for (auto const& [budget_scope, name] : budget_names)
        if (scope == budget_scope) return words.*name;
    return language::in_words(words.other_budget, scope, subject);
}

std::vector<storage::budget> budgets_of(
    budgets const& configured, flow::execution_input const& input
) {
    std::vector<storage::budget> bound;
    for (auto const& [scope, most] : configured.limits) {
        auto subject = scope == "total" ? std::string{} : subject_of(scope, input);
        if (scope == "total" || !subject.empty())
            bound.push_back({scope, std::move(subject), most});
    }
    return bound;
}

base::error refusal(storage::empty_budget const& budget) {
    if (!budget.spent) {
        base::error full(base::errc::overloaded, name_of(budget) + " is held by calls in flight");
        full.retry_after = look_again;
        return full;
    }
    return {
        base::errc::budget,
        fmt::format(
            "{} of {} a day is used up; it opens again at {}.",
            name_of(budget),
            limit_of(budget),
            budget.opens
        ),
        empty_reason};
}

bool is_empty_budget(base::error const& failure) {
    return failure == base::errc::budget && failure.reason == empty_reason;
}

} // namespace postrider::agent
