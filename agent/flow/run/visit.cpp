#include "agent/flow/run/visit.hpp"

#include "agent/flow/nodes/mcp_tool.hpp"
#include "agent/flow/run/absent_model.hpp"
#include "agent/flow/run/message_place.hpp"
#include "agent/flow/run/model_step.hpp"
#include "base/log.hpp"

#include <algorithm>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

// Looking at what happened logs nothing.
void report_taken_name(
    queue::workflow const& steps, std::string_view server, std::string const& tool
) {
    if (steps.looks_on()) return;
    base::log::warn(
        "mcp.tool_dropped",
        {{"server", server}, {"tool", tool}, {"reason", "another tool has its name"}}
    );
}

// Another one answers.
void report_left_out(
    queue::workflow const& steps, std::string const& step, base::error const& failure
) {
    if (steps.looks_on()) return;
    base::log::warn(
        "turn.model_left_out", {{"job", steps.job().id}, {"step", step}, {"error", failure}}
    );
}

// That asks somebody outside for a part.
std::string part_step(flow::node const& part) {
    return "part:" + part.id;
}

} // namespace

visit::visit(walk& in, std::size_t at, items const& input)
    : walk_(in),
      at_(at),
      compiled_(in.graph_.nodes()[at]),
      input_(input),
      steps_(in.steps_of(*compiled_.node)) {}

visit::~visit() {
    walk_.committed_ = walk_.committed_ || steps_.served();
}

base::awaitable<base::result<json::object>> visit::parameters(std::size_t item) {
    auto& breather = walk_.context_.breather;
    if (breather.due()) co_await breather.take();
    item_names const names(walk_.names_, at_, input_, item);
    co_return walk_.parameters(at_, names);
}

base::retry_policy visit::retry(base::retry_policy otherwise) const {
    return compiled_.node->tries(otherwise);
}

// An agent reads the first of its memories.
std::optional<std::size_t> visit::part_of(group group) const {
    for (auto at : compiled_.parts)
        if (walk_.graph_.nodes()[at].type->group == group) return at;
    return std::nullopt;
}

base::awaitable<base::result<ai_part>> visit::make_part(std::size_t at, std::size_t item) {
    auto const& compiled = walk_.graph_.nodes()[at];
    std::vector<from_ai_call> calls;
    if (compiled.type->group == group::tool) calls = compiled.parameters.references().from_ai;
    json::object nothing_given;
    for (auto const& call : calls) nothing_given[call.key] = nullptr;
    auto evaluate = [this, at, item](json::object const& arguments, int call) {
        tool_call_names const of{arguments, compiled_.node->id, call};
        item_names const names(walk_.names_, at, input_, item, &of);
        return walk_.parameters(at, names);
    };
    auto const parameters = evaluate(nothing_given, 0);
    if (!parameters) co_return parameters.error();
    auto& context = walk_.context_;
    part_run run{
        *compiled.node,
        *parameters,
        std::move(calls),
        evaluate,
        context.services,
        context.conversation,
        steps_,
        part_step(*compiled.node)};
    co_return co_await std::get<part>(compiled.type->behaviour).make(run);
}

base::awaitable<base::result<std::vector<model_choice>>> visit::models(std::size_t item) {
    std::vector<model_choice> all;
    std::vector<std::pair<std::string, base::error>> left_out; // by the steps that would ask them
    int node = 0;
    for (auto at : compiled_.parts) {
        if (walk_.graph_.nodes()[at].type->group != group::model) continue;
        ++node;
        auto part = co_await make_part(at, item);
        models_part models;
        if (part)
            models = std::get<models_part>(std::move(*part));
        else
            models.in_order.emplace_back(part.error());
        for (std::size_t entry = 0;; ++entry) {
            auto step = model_step(node, static_cast<int>(entry) + 1);
            bool const is_listed = entry < models.in_order.size();
            if (is_listed && models.in_order[entry])
                all.push_back({std::move(*models.in_order[entry]), std::move(step)});
            else if (steps_.recorded(step))
                all.push_back({absent_model(), std::move(step)});
            else if (is_listed)
                left_out.emplace_back(std::move(step), models.in_order[entry].error());
            else
                break;
        }
    }
    if (all.empty() && left_out.empty())
        co_return base::error(base::errc::not_found, "no model is connected");
    if (all.empty()) co_return left_out.front().second;
    for (auto const& [step, failure] : left_out) report_left_out(steps_, step, failure);
    co_return all;
}

base::awaitable<base::result<std::shared_ptr<memory>>> visit::memory(std::size_t item) {
    auto const at = part_of(group::memory);
    if (!at) co_return std::shared_ptr<flow::memory>{};
    auto memory = co_await make_part(*at, item);
    if (!memory) co_return memory.error();
    co_return std::get<memory_part>(std::move(*memory)).memory;
}

base::awaitable<base::result<std::shared_ptr<offered_tools const>>> visit::tools(std::size_t item) {
    // An earlier run of the job may have been told of tools that are there for no other job.
    auto const told = [this](std::size_t at) {
        return steps_.recorded(part_step(*walk_.graph_.nodes()[at].node));
    };
    bool const shared = std::ranges::none_of(compiled_.parts, told);
    if (shared && compiled_.tools) co_return compiled_.tools;
    auto offered = std::make_shared<offered_tools>();
    bool fixed = true; // the same for every execution
    for (auto at : compiled_.parts) {
        auto const& compiled = walk_.graph_.nodes()[at];
        if (compiled.type->group != group::tool) continue;
        auto part = co_await make_part(at, item);
        if (!part) co_return part.error();
        auto& from = std::get<tool_part>(*part);
        if (!from.whole) degrade(degradation_of(degraded_by::tools_missing));
        fixed = fixed && compiled.fitted.has_value() && from.lasting;
        for (auto& tool : from.tools) {
            auto const server = mcp_server_of(tool);
            if (!server.empty() && offered->find(tool.spec.name)) {
                report_taken_name(steps_, server, tool.spec.name);
                degrade(degradation_of(degraded_by::tools_missing));
                continue;
            }
            fixed = fixed && !std::holds_alternative<flow_call>(tool.work);
            tool.node = compiled.node;
            if (!configure(tool, walk_.context_.services.tools)) continue;
            auto added = offered->add(std::move(tool));
            if (!added) co_return added.error();
        }
    }
    if (fixed) compiled_.tools = offered;
    co_return std::shared_ptr<offered_tools const>(std::move(offered));
}

std::int64_t visit::position(int k) const {
    return message_place(walk_.context_.calls, compiled_.rank, k);
}

base::awaitable<void> visit::commit(queue::commit_with with) {
    auto const& context = walk_.context_;
    with.unless_edited = context.input.heard && !walk_.committed_ && !steps_.served() &&
                         context.times_begun <= most_edits;
    auto done = co_await steps_.commit(std::move(with));
    if (!done) throw begin_anew{};
    walk_.committed_ = true;
}

json::value const* visit::spare(std::string const& question) const {
    auto const found = walk_.context_.spares.find({at_, question});
    return found == walk_.context_.spares.end() ? nullptr : &found->second;
}

void visit::keep_spare(std::string question, json::value work) {
    walk_.context_.spares.insert_or_assign({at_, std::move(question)}, std::move(work));
}

void visit::give_answer(storage::message_row row) {
    walk_.answers_.push_back({at_, std::move(row)});
}

std::optional<storage::message_row> visit::take_answer(std::string_view text) {
    return walk_.take_answer(at_, text);
}

void visit::note(std::string_view key, json::value value) {
    walk_.places_[at_].metadata[key] = std::move(value);
}

void visit::tell(std::string_view event, json::object detail) {
    auto& watcher = walk_.context_.watcher;
    if (auto const* part = detail.if_contains("part"))
        if (auto const* way = way_to_part(part->get_string())) watcher.connection_used(*way, 1);
    watcher.told(node(), event, std::move(detail));
}

connection const* visit::way_to_part(std::string_view node) const {
    auto const& connections = walk_.graph_.flow().connections;
    auto const way = std::ranges::find_if(connections, [&](auto const& connection) {
        return connection.to == at_ && walk_.graph_.nodes()[connection.from].node->id == node;
    });
    return way == connections.end() ? nullptr : &*way;
}

} // namespace postrider::agent::flow
