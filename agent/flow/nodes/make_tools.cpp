// The tools that hang on agents.
#include "agent/flow/nodes/tools.hpp"
#include "agent/flow/services.hpp"

namespace postrider::agent::flow {

namespace json = boost::json;

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
    base::awaitable<base::result<std::string>> run(json::object arguments, tool_context context)
        override {
        return inner_->run(std::move(arguments), std::move(context));
    }

private:
    std::unique_ptr<tool> inner_;
    tool_spec spec_;
};

ai_part under_its_name(part_run const& run, std::unique_ptr<tool> made) {
    return tool_part{std::make_shared<renamed>(std::move(made), name_of(run))};
}

// Says what a tool is; whoever offers it runs something else.
class described_tool final : public tool {
public:
    explicit described_tool(tool_spec spec) : spec_(std::move(spec)) {}

    tool_spec const& spec() const override { return spec_; }
    agent::risk risk() const override { return risk::medium; }
    base::awaitable<base::result<std::string>> run(json::object, tool_context) override {
        co_return base::error(base::errc::internal, "a flow is run in its job's steps");
    }

private:
    tool_spec spec_;
};

// The model is to give these as well.
void add_from_ai(json::object& schema, std::vector<from_ai_call> const& calls) {
    if (calls.empty()) return;
    if (!schema["properties"].is_object()) schema["properties"].emplace_object();
    if (!schema["required"].is_array()) schema["required"].emplace_array();
    // Both are there by now: a member that is added may move the others.
    auto& properties = schema["properties"].get_object();
    auto& required = schema["required"].get_array();
    for (auto const& call : calls) {
        properties[call.key] = json::object{{"type", call.type}, {"description", call.description}};
        required.push_back(json::value(call.key));
    }
}

// What the model gave, and over it what the node says.
base::result<json::object> input_of(
    base::result<json::object> const& parameters, json::object const& arguments
) {
    if (!parameters) return parameters.error();
    auto made = arguments;
    if (auto const* own = parameters->if_contains("input"); own && own->is_object())
        for (auto const& [name, value] : own->get_object()) made[name] = value;
    return made;
}

} // namespace

base::result<ai_part> make_calculator_tool(part_run const& run) {
    return under_its_name(run, make_calculator());
}

base::result<ai_part> make_current_time_tool(part_run const& run) {
    return under_its_name(run, make_current_time(run.services.clock));
}

base::result<ai_part> make_flow_tool(part_run const& run) {
    auto const& given = run.parameters;
    tool_spec spec{
        name_of(run),
        std::string(given.at("description").as_string()),
        given.at("parameters").as_object()};
    add_from_ai(spec.parameters, run.from_ai);
    flow_call runs;
    runs.flow = std::string(given.at("flow").as_string());
    runs.input = [evaluate = run.evaluate](json::object const& arguments) {
        return input_of(evaluate(arguments), arguments);
    };
    return ai_part(tool_part{std::make_shared<described_tool>(std::move(spec)), std::move(runs)});
}

} // namespace postrider::agent::flow
