#pragma once
// An agent with a tool of high risk, on the real engine and a real Postgres, and the person who is asked.
#include "agent/flow/parts/services.hpp"
#include "agent/speech/question.hpp"
#include "agent/speech/question_end.hpp"
#include "storage/stores/approvals.hpp"
#include "tests/integration/queue/world.hpp"
#include "tests/unit/agent/turn_world.hpp"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace postrider::tests {

namespace flow = agent::flow;
namespace json = boost::json;

// What its owner changes while a question is open.
struct removal {
    std::string description = "Removes a file for good.";
    json::object path = {{"type", "string"}}; // the schema of its argument
    std::string harmless = {};                // path that nobody is asked about
    std::vector<std::string> removed;
};
extern removal state;

// Of a document whose agents may have the tool.
std::shared_ptr<flow::graph const> compiled_with_remove(std::string_view document);
// The agent's flow, with its tool as `state` says by now.
std::shared_ptr<flow::graph const> careful_graph(boost::json::object agent = {});
// The same, but it sends its answer nowhere.
std::shared_ptr<flow::graph const> silent_graph(boost::json::object agent = {});

class approvals : public engine_fixture {
protected:
    approvals() {
        state = {};
        lane_ = w.make_lane("1:7:0");
        start();
        model.script = {call("a.txt"), says("It is done."), says("And hello.")};
    }

    void start() {
        engine_node_ = &w.start_node(
            {queue::job_kind{
                 std::string(flow::turn_kind),
                 [this](queue::workflow& steps) {
                     return flow::execute(*graph_, steps, *services_, nobody_);
                 }},
             agent::make_question_ends(chat)}
        );
        services_.emplace(assistant_services(
            *engine_node_->quick,
            chat,
            clock,
            base::system_random(),
            {.model = &model, .max_tool_calls = 20}
        ));
        services_->approval_timeout = timeout;
        services_->is_owner = [](bot_id, user_id user) { return user == owner; };
    }

    static base::result<agent::chat_reply> call(std::string path) {
        return calls({{"remove", {{"path", std::move(path)}}}});
    }

    // `changed`: members of the turn's input that are not as usual.
    void say(
        std::string text, std::optional<user_id> from = std::nullopt, json::object changed = {}
    );
    void ask() {
        say("Remove a.txt");
        w.until("select state from postrider.job order by job_id desc limit 1", "waiting");
    }
    std::string press(std::string choice, user_id by, bool closes = true) {
        auto const id = w.value("select question_id from postrider.question");
        agent::press const pressed{by, "Ann", telegram_message_id{9}, choice, "p1"};
        auto const payload =
            boost::json::serialize(agent::to_json(pressed, {bot_id{1}, pressed_in, {}}));
        auto const outcome = w.value(
            "select postrider.press_button('" + id + "', '" + place + "', " + base::to_string(by) +
            ", false, " + (closes ? "true" : "false") + ", '" + payload + "')"
        );
        engine_node_->engine->wake();
        return outcome;
    }
    void until_over(int jobs) {
        w.until(
            "select count(*) from postrider.job where state = 'completed' and kind = 'turn'",
            std::to_string(jobs)
        );
    }
    std::string approval(std::string column, std::string tail = "") {
        return w.value("select " + column + " from postrider.approval " + tail);
    }
    storage::approval_decision decide(std::string const& id, bool approve) {
        storage::approval_decision decision;
        w.in_transaction([&](storage::transaction& tx) {
            decision = storage::decide_approval(tx, id, approve, user_id{1}, "api");
        });
        engine_node_->engine->wake();
        return decision;
    }
    std::string told() { return model.requests.at(1).messages.back().content; }
    user_id requester() { return user_id{std::stoll(approval("requester"))}; }

    static constexpr user_id owner{99};

    base::manual_clock clock;
    recording_chat chat;
    scripted_model model;
    flow::observer nobody_;
    std::string place = "1:7"; // where buttons are pressed
    chat_id pressed_in{7};
    std::chrono::milliseconds timeout = std::chrono::hours{1};
    std::shared_ptr<flow::graph const> graph_ = careful_graph();
    std::optional<flow::node_services> services_;
    node* engine_node_ = nullptr;
    lane_id lane_{};
};

} // namespace postrider::tests
