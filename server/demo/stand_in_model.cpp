#include "server/demo/stand_in_model.hpp"

#include "agent/models/provider.hpp"
#include "agent/todo/rules_turn.hpp"

#include <algorithm>
#include <optional>

namespace postrider::server {

namespace {

using agent::chat_reply;
using agent::chat_request;

bool has_tasks(chat_request const& request) {
    return std::ranges::any_of(request.tools, [](auto const& tool) {
        return tool.name == "create_todo_task";
    });
}

class stand_in_model final : public agent::model {
public:
    stand_in_model(base::clock const& clock, base::time_zone zone) : clock_(clock), zone_(zone) {}

    std::string const& name() const override { return name_; }
    agent::capabilities capabilities() const override { return {.tools = true, .vision = false}; }

    // What the rules for tasks do not understand, the others may.
    base::awaitable<base::result<chat_reply>> chat(chat_request request) override {
        std::optional<chat_reply> reply;
        if (has_tasks(request)) {
            auto of_tasks = agent::todo::next_reply({request.messages, clock_.now(), zone_});
            if (of_tasks.understood) co_return std::move(of_tasks.reply);
            reply = std::move(of_tasks.reply);
        }
        bool const behind_tools = request.messages.back().role == agent::role::tool;
        auto fixed = co_await rules_->chat(std::move(request));
        if (!reply || !fixed || behind_tools || !fixed->calls.empty()) co_return fixed;
        co_return std::move(*reply);
    }

private:
    std::string const name_ = "demo/stand-in";
    base::clock const& clock_;
    base::time_zone const zone_;
    std::unique_ptr<agent::model> const rules_ = agent::find_provider("rules")->make_built_in();
};

} // namespace

std::unique_ptr<agent::model> make_stand_in(base::clock const& clock, base::time_zone zone) {
    return std::make_unique<stand_in_model>(clock, zone);
}

} // namespace postrider::server
