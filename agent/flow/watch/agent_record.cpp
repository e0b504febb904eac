#include "agent/flow/watch/agent_record.hpp"

#include "agent/models/reply_json.hpp"
#include "base/json/json.hpp"

#include <algorithm>
#include <deque>
#include <utility>

namespace postrider::agent::flow {

namespace {

constexpr std::string_view tool_step_prefix = "tool:";

// Of the node's own steps, in the order of the record.
std::vector<queue::step_summary const*> steps_of_agent(
    queue::job_details const& record, std::string_view node_id
) {
    std::vector<queue::step_summary const*> own;
    auto const prefix = std::string(node_id) + '/';
    for (auto const& step : record.steps)
        if (queue::part_of_the_run(step) && step.key.starts_with(prefix)) own.push_back(&step);
    std::ranges::sort(own, {}, [](auto const* step) {
        return std::pair(step->number, step->attempt);
    });
    return own;
}

bool is_reply(boost::json::value const& result) {
    base::json_reader const fields(result);
    return fields["stop"] && fields["usage"] && fields["text"];
}

void add_payment(queue::model_payment& sum, queue::model_payment const& paid) {
    sum.tokens_in += paid.tokens_in;
    sum.tokens_out += paid.tokens_out;
    sum.tokens_cached += paid.tokens_cached;
    if (paid.cost_micro) sum.cost_micro = sum.cost_micro.value_or(0) + *paid.cost_micro;
}

class agent_reader {
public:
    explicit agent_reader(std::size_t prefix) : prefix_(prefix) {}

    void take(queue::step_summary const& step) {
        std::string_view const name = std::string_view(step.key).substr(prefix_);
        if (name.find('/') != name.npos) return;
        if (read.first_step.empty()) read.first_step = step.key;
        bool const is_call = name.starts_with(tool_step_prefix);
        if (step.paid) add_payment(read.paid, *step.paid);
        if (is_call)
            take_call(step);
        else if (is_reply(step.result))
            take_reply(step);
        else if (step.outcome != "done" && name.starts_with("model"))
            take_failure(step);
    }
    bool has_asked() const { return asked_; }

    agent_record read;

private:
    void take_failure(queue::step_summary const& step) {
        asked_ = true;
        read.failure = queue::failure_of(step);
    }
    void take_reply(queue::step_summary const& step) {
        auto reply = reply_from_json(step.result);
        if (!reply) return;
        asked_ = true;
        read.failure.reset();
        read.model = step.model.empty() ? reply->model : step.model;
        read.text = std::move(reply->text);
        open_.assign(reply->calls.begin(), reply->calls.end());
    }
    // Steps run the calls of the reply before them in its order; those beyond a limit have none.
    void take_call(queue::step_summary const& step) {
        if (open_.empty() || step.outcome == "retry") return;
        auto const call = std::move(open_.front());
        open_.pop_front();
        queue::step_value result = step.result;
        if (step.outcome != "done") result = queue::failure_of(step);
        read.calls.push_back({call.name, call.arguments, std::move(result)});
    }

    std::size_t prefix_;
    std::deque<tool_call> open_; // of the last reply, that no step has run yet
    bool asked_ = false;
};

} // namespace

std::optional<agent_record> read_agent_record(
    queue::job_details const& record, std::string_view node_id
) {
    agent_reader reader(node_id.size() + 1);
    for (auto const* step : steps_of_agent(record, node_id)) reader.take(*step);
    if (!reader.has_asked()) return std::nullopt;
    return std::move(reader.read);
}

} // namespace postrider::agent::flow
