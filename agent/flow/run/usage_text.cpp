#include "agent/flow/run/usage_text.hpp"

#include "agent/flow/budgets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace postrider::agent {

namespace {

constexpr double micro_in_a_cent = 10'000;

double cents(std::int64_t micro) {
    return static_cast<double>(micro) / micro_in_a_cent;
}

std::string counted(std::int64_t number, std::string_view noun) {
    return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

std::string line_of_turns(storage::own_usage const& usage) {
    if (usage.calls == 0) return "Today you have used no model here.";
    auto line = fmt::format(
        "Today you have used here {} with {} ({} read, {} written)",
        counted(usage.calls, "model call"),
        counted(usage.tokens_in + usage.tokens_out, "token"),
        usage.tokens_in,
        usage.tokens_out
    );
    if (usage.cost_micro > 0) line += fmt::format(", {:.2f} US cents", cents(usage.cost_micro));
    return line + ".";
}

bool is_used_up(storage::used_budget const& budget) {
    auto const reached = [](std::int64_t most, std::int64_t used) {
        return most > 0 && used >= most;
    };
    auto const& most = budget.of.most;
    return reached(most.calls, budget.used.calls) || reached(most.tokens, budget.used.tokens) ||
           reached(most.cost_micro, budget.used.cost_micro);
}

std::string remainder_of(storage::used_budget const& budget) {
    auto const& most = budget.of.most;
    auto const& used = budget.used;
    std::string text;
    auto const add = [&](std::string const& part) { text += (text.empty() ? "" : ", ") + part; };
    auto const remaining = [](std::int64_t limit, std::int64_t spent) {
        return std::max<std::int64_t>(limit - spent, 0);
    };
    if (most.calls > 0)
        add(fmt::format("{} of {} model calls", remaining(most.calls, used.calls), most.calls));
    if (most.tokens > 0)
        add(fmt::format("{} of {} tokens", remaining(most.tokens, used.tokens), most.tokens));
    if (most.cost_micro > 0)
        add(fmt::format(
            "{:.2f} of {:.2f} US cents",
            cents(remaining(most.cost_micro, used.cost_micro)),
            cents(most.cost_micro)
        ));
    return text;
}

// What others used is none of the person's business.
bool is_shared(storage::budget const& budget) {
    static constexpr std::array<std::string_view, 2> personal_scopes{"user", "chat"};
    return std::ranges::find(personal_scopes, budget.scope) == personal_scopes.end();
}

} // namespace

std::string usage_text(storage::own_usage const& usage) {
    auto text = line_of_turns(usage);
    for (auto const& budget : usage.budgets) {
        bool const used_up = is_used_up(budget);
        auto const name = name_of_budget(budget.of.scope, budget.of.subject);
        if (used_up)
            text += fmt::format("\nUsed up: {}. It opens again at {}.", name, usage.opens);
        else if (!is_shared(budget.of))
            text +=
                fmt::format("\nLeft of {} until {}: {}.", name, usage.opens, remainder_of(budget));
    }
    return text;
}

} // namespace postrider::agent
