// The tools that hang on agents.
#include "agent/flow/nodes/tools.hpp"
#include "agent/flow/services.hpp"

namespace postrider::agent::flow {

namespace {

std::string name_of(part_run const& run) {
    auto const* name = run.parameters.if_contains("name");
    return name && name->is_string() ? std::string(name->get_string()) : std::string{};
}

// A tool under the name that its node gives it.
class renamed final : public tool {
public:
    renamed(std::unique_ptr<tool> inner, std::string name)
        : inner_(std::move(inner)),
          spec_(inner_->spec()) {
        if (!name.empty()) spec_.name = std::move(name);
    }

    tool_spec const& spec() const override { return spec_; }
    agent::risk risk() const override { return inner_->risk(); }
    base::awaitable<base::result<std::string>> run(
        boost::json::object arguments, tool_context context
    ) override {
        return inner_->run(std::move(arguments), std::move(context));
    }

private:
    std::unique_ptr<tool> inner_;
    tool_spec spec_;
};

ai_part under_its_name(part_run const& run, std::unique_ptr<tool> made) {
    return tool_part{std::make_shared<renamed>(std::move(made), name_of(run))};
}

} // namespace

base::result<ai_part> make_calculator_tool(part_run const& run) {
    return under_its_name(run, make_calculator());
}

base::result<ai_part> make_current_time_tool(part_run const& run) {
    return under_its_name(run, make_current_time(run.services.clock));
}

} // namespace postrider::agent::flow
