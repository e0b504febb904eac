#pragma once
// One run of one durable node within a walk.
#include "agent/flow/run/walk.hpp"
#include "agent/talk/degradation.hpp"

namespace postrider::agent::flow {

class visit final : public node_run {
public:
    // All outlive it.
    visit(walk& owner, std::size_t index, items const& input);
    ~visit() override;

    flow::node const& node() const override { return *compiled_.node; }
    flow::items const& input() const override { return input_.items(); }
    execution_input const& started_by() const override { return walk_.context_.input; }
    node_services const& services() const override { return walk_.context_.services; }
    queue::workflow& steps() override { return steps_; }
    budget_reservations* reservations() override { return walk_.context_.reservations; }
    audit_trail* audit() override { return walk_.context_.audit; }
    base::awaitable<base::result<boost::json::object>> parameters(std::size_t item) override;
    std::string_view input_port(std::size_t item) const override {
        return walk_.input_port(index_, item);
    }
    bool is_connected(std::string_view input) const override;
    base::retry_policy retry(base::retry_policy otherwise) const override;

    std::unique_ptr<node_parts> parts(std::size_t item) override;

    flow::conversation& conversation() override { return walk_.context_.conversation; }
    std::int64_t position(int k) const override;
    base::awaitable<void> commit(queue::commit_with additions) override;
    boost::json::value const* spare(std::string const& question) const override;
    void keep_spare(std::string question, boost::json::value work) override;
    void give_answer(storage::message_row row) override;
    std::optional<storage::message_row> take_answer(std::string_view text) override;

    base::awaitable<base::result<items>> call(
        std::string flow, boost::json::value data, flow_call_name call_name
    ) override;

    base::awaitable<base::result<outputs>> run_round(items batch) override {
        return walk_.run_round(index_, std::move(batch));
    }

    void note(std::string_view key, boost::json::value value) override;
    void degrade(queue::degradation reason) override {
        keep_graver(walk_.context_.degraded, std::move(reason));
    }
    void add_last_row(storage::write row) override { walk_.last_rows_.push_back(std::move(row)); }
    bool is_watched() const override { return walk_.context_.watcher.is_watched(); }
    stop_wish* stop() const override { return walk_.context_.watcher.stop(); }
    void tell(std::string_view event, boost::json::object detail) override;

private:
    connection const* find_connection_to(std::string_view node) const;

    walk& walk_;
    std::size_t index_;
    compiled_node const& compiled_;
    node_input input_;
    queue::workflow steps_;
};

} // namespace postrider::agent::flow
