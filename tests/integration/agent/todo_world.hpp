#pragma once
// The todo agent that ships, on the real engine with real tasks, and the person who writes to it.
#include "agent/mcp/in_process_caller.hpp"
#include "agent/mcp/servers.hpp"
#include "agent/models/provider.hpp"
#include "agent/todo/task_server.hpp"
#include "tests/integration/agent/approvals_world.hpp"

#include <memory>
#include <string>
#include <vector>

namespace postrider::tests {

class todo_agent : public approvals {
protected:
    todo_agent();
    ~todo_agent() override;

    // Without a key there is the model of fixed rules alone.
    void use_rules() { asked_ = rules_.get(); }
    // As if its flow said so.
    void answer_in_json(json::object schema, int max_iterations);
    // Another process takes over.
    void restart();

    // Says it, and waits for the end of its turn.
    std::string hear(std::string text);
    // Says it, and waits for the question that its turn parks with.
    std::string question_of(std::string text);
    std::string last() const { return chat.sent.back().content.text; }
    std::vector<std::string> answers() const;
    std::string tasks() {
        return w.value("select coalesce(string_agg(task_id || ' ' || title || "
                       "case when completed_at is null then '' else ' done' end, ', ' "
                       "order by task_id), '') from postrider.task");
    }
    // The model's breaker keeps everybody out.
    void open_breaker() { engine_node_->limits->stop_using(breaker_, "it is down"); }
    int turns = 0;

private:
    std::unique_ptr<storage::batcher> make_batcher(std::string name, bool read_only);
    void serve_tasks();

    std::string const breaker_ = "provider:scripted";
    std::unique_ptr<agent::model> rules_ = agent::find_provider("rules")->make_built_in();
    agent::model* asked_ = &model;
    std::unique_ptr<storage::batcher> writes_ = make_batcher("tasks", false);
    std::unique_ptr<storage::batcher> reads_ = make_batcher("reads", true);
    agent::mcp::server const server_{agent::todo::make_task_server(
        {*writes_, *reads_, base::find_time_zone("Europe/Berlin").value()}, "1"
    )};
    agent::mcp::in_process_caller caller_{w.io.executor(), server_, {"postrider", "1"}};
    agent::mcp::servers servers_{clock, {}};
};

} // namespace postrider::tests
