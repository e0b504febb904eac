#include "tests/integration/agent/todo_world.hpp"

#include "agent/flow/catalog.hpp"
#include "base/fault.hpp"
#include "tests/support/paths.hpp"

#include <boost/json/parse.hpp>

#include <fstream>
#include <sstream>

namespace postrider::tests {

using namespace std::chrono_literals;

namespace {

std::string todo_flow() {
    std::ifstream file(source("flows/todo.json"));
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

std::shared_ptr<flow::graph const> todo_graph(std::string const& document) {
    static auto const types = flow::builtin_types();
    auto read = flow::read_definition(document);
    auto graph = flow::graph::compile(std::get<flow::definition>(read), types);
    return std::get<std::shared_ptr<flow::graph const>>(std::move(graph));
}

} // namespace

todo_agent::todo_agent() {
    graph_ = todo_graph(todo_flow());
    model.script.clear();
    servers_.set_tasks(&caller_);
    serve_tasks();
}

todo_agent::~todo_agent() {
    base::fault::arm("").value();
    w.io.run(engine_node_->engine->drain(5s));
    w.io.run(caller_.close());
    writes_->close();
    reads_->close();
}

std::unique_ptr<storage::batcher> todo_agent::make_batcher(std::string name, bool read_only) {
    storage::database_options database;
    database.url = w.url();
    storage::batcher_options options;
    options.name = std::move(name);
    options.read_only = read_only;
    if (!read_only) options.fault_after = "tasks.after_commit";
    return storage::make_batcher(w.io.executor(), std::move(database), std::move(options));
}

void todo_agent::serve_tasks() {
    services_->servers = &servers_;
    services_->agents["assistant"]["timezone"] = "Europe/Berlin";
    services_->model = [this](auto const&) -> base::result<flow::model_part> {
        if (!asked_) return base::error(base::errc::not_found, "no such model");
        flow::model_part part;
        part.model = asked_;
        part.breaker = breaker_;
        return part;
    };
}

void todo_agent::answer_in_json(json::object schema, int max_iterations) {
    auto document = json::parse(todo_flow());
    for (auto& node : document.at("nodes").as_array()) {
        if (node.at("type") != "agent") continue;
        auto& parameters = node.at("parameters").as_object();
        parameters["output_format"] = "json_schema";
        parameters["schema"] = schema;
        parameters["max_iterations"] = max_iterations;
    }
    graph_ = todo_graph(json::serialize(document));
}

void todo_agent::restart() {
    w.io.run(engine_node_->engine->drain(5s));
    start();
    serve_tasks();
}

std::string todo_agent::hear(std::string text) {
    say(std::move(text));
    until_over(++turns);
    return last();
}

std::string todo_agent::question_of(std::string text) {
    auto const asked = chat.sent.size();
    say(std::move(text));
    w.until("select count(*) from postrider.job where state = 'waiting'", "1");
    ++turns;
    return chat.sent.size() > asked ? last() : std::string();
}

std::vector<std::string> todo_agent::answers() const {
    std::vector<std::string> texts;
    for (auto const& message : chat.sent) texts.push_back(message.content.text);
    return texts;
}

} // namespace postrider::tests
