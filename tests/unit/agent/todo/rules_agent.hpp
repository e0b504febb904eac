#pragma once
// The smallest agent around the rules: it keeps tasks in memory, asks before it renames or deletes,
// and records its calls. For the table of utterances.
#include "agent/language/reading/understand.hpp"
#include "agent/todo/resolve.hpp"

#include <boost/json/object.hpp>

namespace postrider::agent::todo {

struct recorded_call {
    std::string tool;
    boost::json::object arguments; // `due` as an instant
};

struct agent_answer {
    std::vector<recorded_call> calls; // those that a question waits for included
    std::string asks;                 // "delete", "rename", "which" or ""
    bool mutated = false;
};

class rules_agent {
public:
    rules_agent(std::vector<task> tasks, base::sys_time now, base::time_zone zone)
        : tasks_(std::move(tasks)),
          now_(now),
          zone_(std::move(zone)) {
        for (auto const& shown : tasks_) shown_.push_back(shown.id); // they have just been listed
    }

    agent_answer hear(std::string_view message);

private:
    void act(intent const& intent, agent_answer& answer);
    void act_on_task(intent const& intent, agent_answer& answer);
    void act_on(intent const& intent, resolution const& found, agent_answer& answer);
    void create(intent const& intent, agent_answer& answer);
    void list(intent const& intent, agent_answer& answer);
    void run(intent const& intent, task_id target, agent_answer& answer);
    bool matches(task const& candidate, intent const& intent) const;

    struct parked {
        intent held;
        task_id target;
    };
    std::vector<task> tasks_;
    base::sys_time now_;
    base::time_zone zone_;
    std::vector<task_id> shown_;
    std::optional<task_id> mentioned_;
    std::vector<parked> waiting_;
    std::optional<intent> unclear_; // whose task was asked for
};

} // namespace postrider::agent::todo
