#include "server/telemetry/measured_model.hpp"

namespace postrider::telemetry {

namespace {

class measured_model final : public agent::model {
public:
    measured_model(
        std::unique_ptr<agent::model> model,
        agent::token_prices prices,
        model_measures& measures,
        base::clock& clock
    )
        : model_(std::move(model)),
          prices_(prices),
          measures_(measures),
          clock_(clock) {}

    std::string const& name() const override { return model_->name(); }
    agent::capabilities capabilities() const override { return model_->capabilities(); }

    base::awaitable<base::result<agent::chat_reply>> chat(agent::chat_request request) override {
        base::stopwatch watch(&measures_.calls, name(), clock_);
        auto reply = co_await model_->chat(std::move(request));
        if (reply) {
            watch.succeeded();
            count(reply->usage);
        } else {
            watch.failed(reply.error().code);
        }
        co_return reply;
    }

private:
    // A server that does not tell its usage is not counted as if it used none.
    void count(agent::token_usage const& used) {
        if (used.input == 0 && used.output == 0) return;
        auto& tokens = measures_.tokens;
        tokens.at(name(), model_measures::input).observe(static_cast<double>(used.input));
        tokens.at(name(), model_measures::output).observe(static_cast<double>(used.output));
        auto& totals = measures_.totals.at(name());
        totals.cost_micro += agent::cost_micro(used, prices_);
        totals.cached += used.cached;
    }

    std::unique_ptr<agent::model> model_;
    agent::token_prices prices_;
    model_measures& measures_;
    base::clock& clock_;
};

} // namespace

std::unique_ptr<agent::model> measured(
    std::unique_ptr<agent::model> model,
    agent::token_prices prices,
    model_measures& measures,
    base::clock& clock
) {
    return std::make_unique<measured_model>(std::move(model), prices, measures, clock);
}

} // namespace postrider::telemetry
