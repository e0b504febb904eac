#include "agent/flow/parts/models.hpp"

#include "agent/flow/parts/model_step.hpp"
#include "base/log.hpp"

#include <utility>

namespace postrider::agent::flow {

namespace {

// Stands for a model that an earlier run of the job has asked and that cannot be had any more: what the
// record has of it is replayed, and whoever asks it anew is told that it is gone.
class absent_model final : public model {
public:
    std::string const& name() const override { return name_; }
    agent::capabilities capabilities() const override { return {}; }
    base::awaitable<base::result<chat_reply>> chat(chat_request) override {
        co_return base::error(base::errc::not_found, "the model is not configured any more");
    }

private:
    std::string name_ = "absent";
};

model_part absent() noexcept {
    static absent_model only;
    return {.model = &only};
}

// Another one answers. Looking at what happened logs nothing.
void report_left_out(
    queue::workflow const& steps, std::string const& step, base::error const& failure
) {
    if (steps.is_read_only()) return;
    base::log::warn(
        "turn.model_left_out", {{"job", steps.job().id}, {"step", step}, {"error", failure}}
    );
}

} // namespace

base::awaitable<base::result<std::vector<model_choice>>> connected_models(
    node_run& run, std::size_t item
) {
    std::vector<model_choice> choices;
    std::vector<std::pair<std::string, base::error>> left_out; // by the steps that would ask them
    int node = 0;
    auto const parts = run.parts(item);
    for (auto const& connected : parts->connected(ai_model)) {
        ++node;
        auto offer = co_await parts->make(ai_model, connected);
        models_part models;
        if (offer)
            models = std::move(*offer);
        else
            models.in_order.emplace_back(offer.error());
        for (std::size_t entry = 0;; ++entry) {
            auto step = model_step(node, static_cast<int>(entry) + 1);
            bool const is_listed = entry < models.in_order.size();
            if (is_listed && models.in_order[entry])
                choices.push_back({std::move(*models.in_order[entry]), std::move(step)});
            else if (run.steps().recorded(step))
                choices.push_back({absent(), std::move(step)});
            else if (is_listed)
                left_out.emplace_back(std::move(step), models.in_order[entry].error());
            else
                break;
        }
    }
    if (choices.empty() && left_out.empty())
        co_return base::error(base::errc::not_found, "no model is connected");
    if (choices.empty()) co_return left_out.front().second;
    for (auto const& [step, failure] : left_out) report_left_out(run.steps(), step, failure);
    co_return choices;
}

} // namespace postrider::agent::flow
