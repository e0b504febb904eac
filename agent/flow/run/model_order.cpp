#include "agent/flow/run/model_order.hpp"

#include "agent/flow/budgets.hpp"
#include "agent/flow/parts/model_step.hpp"
#include "agent/flow/run/model_call.hpp"
#include "agent/flow/run/rules_respondent.hpp"
#include "agent/models/vendor_words.hpp"
#include "base/log.hpp"

#include <algorithm>

namespace postrider::agent::flow {

namespace {

constexpr std::string_view fixed_rules = "rules/"; // begins the name of a model that is none

bool has_fixed_rules(model_choice const& model) {
    return model.part.model->name().starts_with(fixed_rules);
}

} // namespace

model_order::model_order(
    node_run& run,
    agent_settings const& settings,
    std::size_t item,
    std::vector<model_choice> models,
    std::shared_ptr<offered_tools const> const& tools
)
    : run_(run),
      is_without_model_(std::ranges::all_of(models, has_fixed_rules)) {
    // The agent's own rules stand behind the last model.
    if (settings.has_rules() && !is_without_model_) std::erase_if(models, has_fixed_rules);
    for (auto& model : models)
        respondents_.push_back(
            std::make_unique<model_call>(run, settings, item, std::move(model), tools)
        );
    if (settings.has_rules())
        respondents_.push_back(std::make_unique<rules_respondent>(run, tools, settings.timezone));
}

respondent* model_order::rules() const {
    auto* last_respondent = respondents_.back().get();
    return last_respondent->is_rules() ? last_respondent : nullptr;
}

// What stands in the record goes before the configuration, which may be another by now.
bool model_order::comes_to_rules() {
    auto const* rules_respondent = rules();
    if (!rules_respondent || current().is_rules()) return rules_respondent;
    bool const is_due =
        !current().recorded() && (rules_respondent->recorded() || is_without_model_);
    return is_due && leave_models();
}

bool model_order::leave_models() {
    if (!rules()) return false;
    at_ = respondents_.size() - 1;
    return true;
}

base::awaitable<base::result<chat_reply>> model_order::ask(round_question const& round) {
    for (;;) {
        auto& respondent = *respondents_[at_];
        bool const is_last = at_ + 1 == respondents_.size();
        was_recorded_ = respondent.recorded();
        auto reply = co_await respondent.ask(round, !is_last);
        if (reply) co_return reply;
        // An earlier run, which had no more models, came to the rules from here.
        bool const came_to_rules = !is_last && was_recorded_ &&
                                   !respondents_[at_ + 1]->recorded() && rules() &&
                                   rules()->recorded();
        if (is_empty_budget(reply.error()) || came_to_rules) (void)leave_models();
        if (is_last || current().is_rules() || is_empty_budget(reply.error())) co_return reply;
        ++at_;
        if (current().is_rules()) co_return reply;
        if (!was_recorded_) report_left(reply.error());
    }
}

bool model_order::recorded() const {
    return current().recorded() || (rules() && rules()->recorded());
}

bool model_order::is_first() const {
    return current().step() == model_step(1, 1);
}

// Looking at what happened logs nothing. The job keeps what the provider said, the log does not.
void model_order::report_left(base::error const& failure) const {
    auto const& steps = run_.steps();
    if (steps.is_read_only()) return;
    base::log::warn(
        "turn.next_model",
        {{"job", steps.job().id},
         {"failed", respondents_[at_ - 1]->name()},
         {"next", current().name()},
         {"error", without_words(failure)}}
    );
}

queue::usage model_order::used() const noexcept {
    queue::usage total;
    for (auto const& respondent : respondents_) total += respondent->used();
    return total;
}

} // namespace postrider::agent::flow
