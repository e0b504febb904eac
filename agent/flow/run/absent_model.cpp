#include "agent/flow/run/absent_model.hpp"

namespace postrider::agent::flow {

namespace {

class absent final : public model {
public:
    std::string const& name() const override { return name_; }
    agent::capabilities capabilities() const override { return {}; }
    base::awaitable<base::result<chat_reply>> chat(chat_request) override {
        co_return base::error(base::errc::not_found, "the model is not configured any more");
    }

private:
    std::string name_ = "absent";
};

} // namespace

model_part absent_model() noexcept {
    static absent only;
    return {.model = &only};
}

} // namespace postrider::agent::flow
