#include "agent/flow/run/model_order.hpp"

#include "agent/budgets.hpp"
#include "agent/flow/run/rules_call.hpp"
#include "agent/models/vendor_words.hpp"
#include "base/log.hpp"

namespace postrider::agent::flow {

model_order::model_order(
    node_run& run,
    agent_settings const& settings,
    std::size_t item,
    std::vector<model_choice> models,
    std::shared_ptr<offered_tools const> const& tools
)
    : run_(run),
      has_rules_(settings.has_rules()) {
    calls_.reserve(models.size());
    for (auto& model : models) calls_.emplace_back(run, settings, item, std::move(model), tools);
}

base::awaitable<base::result<chat_reply>> model_order::ask(model_call::round const& asked) {
    for (;;) {
        auto& model = calls_[at_];
        bool const is_last = at_ + 1 == calls_.size();
        was_recorded_ = model.recorded();
        auto reply = co_await model.ask(asked, !is_last || has_rules_);
        if (reply || is_last || is_empty_budget(reply.error()) || is_for_rules()) co_return reply;
        if (!was_recorded_) report_left(reply.error());
        ++at_;
    }
}

// An earlier run, which had no more models, came to the rules from here.
bool model_order::is_for_rules() const {
    return has_rules_ && was_recorded_ && !calls_[at_ + 1].recorded() &&
           run_.steps().recorded(rules_call::step);
}

// Looking at what happened logs nothing. The job keeps what the provider said, the log does not.
void model_order::report_left(base::error const& failure) const {
    auto const& steps = run_.steps();
    if (steps.looks_on()) return;
    base::log::warn(
        "turn.next_model",
        {{"job", steps.job().id},
         {"failed", calls_[at_].name()},
         {"next", calls_[at_ + 1].name()},
         {"error", without_words(failure)}}
    );
}

queue::usage model_order::used() const noexcept {
    queue::usage all;
    for (auto const& call : calls_) all += call.used();
    return all;
}

} // namespace postrider::agent::flow
