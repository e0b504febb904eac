#include "server/demo/hanging_call.hpp"

#include "base/log.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::server {

class hanging_call::hanging {
public:
    explicit hanging(hanging_call& next) : next_(next) {
        next_.is_asked_for_ = false;
        ++next_.calls_that_hang_;
        next_.on_change_();
    }
    hanging(hanging const&) = delete;
    hanging& operator=(hanging const&) = delete;
    ~hanging() {
        --next_.calls_that_hang_;
        next_.on_change_();
    }

private:
    hanging_call& next_;
};

class hanging_call::hanging_model final : public agent::model {
public:
    hanging_model(std::unique_ptr<agent::model> model, hanging_call& next)
        : model_(std::move(model)),
          next_(next) {}

    std::string const& name() const override { return model_->name(); }
    agent::capabilities capabilities() const override { return model_->capabilities(); }

    base::awaitable<base::result<agent::chat_reply>> chat(agent::chat_request request) override {
        if (!next_.is_asked_for_) co_return co_await model_->chat(std::move(request));
        std::chrono::milliseconds limit = deadline;
        if (request.timeout > std::chrono::milliseconds::zero())
            limit = std::min(limit, request.timeout);
        hanging const now(next_);
        base::log::warn("demo.model_hangs", {{"model", name()}, {"limit", limit}});
        co_await base::sleep_for(limit);
        co_return base::error(
            base::errc::timeout,
            fmt::format("{} did not answer within {} ms", name(), limit.count())
        );
    }

private:
    std::unique_ptr<agent::model> model_;
    hanging_call& next_;
};

hanging_call::hanging_call(std::unique_ptr<agent::model> stand_in, std::function<void()> on_change)
    : stand_in_(may_hang(std::move(stand_in))),
      on_change_(std::move(on_change)) {}

std::string_view hanging_call::state() const noexcept {
    if (is_asked_for_) return "asked";
    return calls_that_hang_ > 0 ? "hangs" : "off";
}

agent::model* hanging_call::choose(agent::model& usual) {
    bool const is_of_rules = usual.name().starts_with("rules/");
    return is_of_rules && is_asked_for_ ? stand_in_.get() : &usual;
}

std::unique_ptr<agent::model> hanging_call::may_hang(std::unique_ptr<agent::model> model) {
    return std::make_unique<hanging_model>(std::move(model), *this);
}

} // namespace postrider::server
