#include "server/start/budget_settings.hpp"

#include "agent/flow/budgets.hpp"
#include "agent/models/provider.hpp"
#include "base/time_zone.hpp"
#include "server/start/model_prices.hpp"

#include <fmt/format.h>

#include <array>
#include <deque>

namespace postrider::server {

using enum base::setting_type;

namespace {

constexpr std::int64_t micro_per_cent = 10'000;

// Texts of rows live as long as the program.
std::string_view kept_budget(std::string text) {
    static std::deque<std::string> texts;
    return texts.emplace_back(std::move(text));
}

std::string share_of(std::string_view scope) {
    return scope == "total" ? "in total" : fmt::format("for each {}", scope);
}

struct kind_of_limit {
    std::string_view name;
    std::string_view range;
    std::string_view unit;
};

constexpr std::array kinds{
    kind_of_limit{"calls", "0..1000000000", "model calls per day"},
    kind_of_limit{"tokens", "0..1000000000000", "tokens per day, input and output,"},
    kind_of_limit{"cost", "0..1000000000", "cost per day in US cents"},
};

std::string key_of(std::string_view scope, std::string_view kind) {
    return fmt::format("budgets.{}_{}_per_day", scope, kind);
}

// Built-in models cost nothing.
bool has_price(config const& settings, std::string const& model) {
    auto const& options = settings.models.at(model);
    auto const& owner = *agent::find_provider(options.provider);
    if (owner.is_built_in()) return true;
    auto const prices = prices_of(settings, model, options.model);
    return prices.input > 0 || prices.output > 0;
}

void review_cost(
    config const& settings, std::string const& key, std::vector<std::string>& problems
) {
    for (auto const& [name, model] : settings.models)
        if (!has_price(settings, name))
            problems.push_back(fmt::format(
                "{0}: [models.{1}] has no price; say models.{1}.input_price and output_price",
                key,
                name
            ));
}

} // namespace

std::vector<base::setting> budget_rows() {
    std::vector<base::setting> rows;
    for (auto const scope : agent::budget_scopes())
        for (auto const& kind : kinds)
            rows.push_back(
                {kept_budget(key_of(scope, kind.name)),
                 "",
                 integer,
                 "0",
                 kind.range,
                 kept_budget(fmt::format("Maximum {} {}. 0: no limit.", kind.unit, share_of(scope))
                 )}
            );
    rows.push_back(
        {"budgets.messages_per_minute",
         "",
         integer,
         "0",
         "0..100000",
         "Maximum messages per minute of one user, in all bots and the chat API. 0: no limit."}
    );
    rows.push_back(
        {"budgets.timezone",
         "",
         text,
         "UTC",
         "",
         "Time zone of the days that budgets, usage and due dates of tasks refer to, such as "
         "`Europe/Berlin`."}
    );
    return rows;
}

void read_budgets(
    base::settings const& settings, config& into, std::vector<std::string>& problems
) {
    for (auto const scope : agent::budget_scopes()) {
        storage::spending most;
        most.calls = settings.integer(key_of(scope, "calls"));
        most.tokens = settings.integer(key_of(scope, "tokens"));
        most.cost_micro = settings.integer(key_of(scope, "cost")) * micro_per_cent;
        if (most.cost_micro > 0) review_cost(into, key_of(scope, "cost"), problems);
        if (most.calls > 0 || most.tokens > 0 || most.cost_micro > 0)
            into.budgets.emplace(scope, most);
    }
    into.messages_per_minute = static_cast<int>(settings.integer("budgets.messages_per_minute"));
    into.timezone = settings.text("budgets.timezone");
    if (auto const zone = base::find_time_zone(into.timezone); !zone)
        problems.push_back("budgets.timezone: " + zone.error().detail);
}

} // namespace postrider::server
