#include "agent/flow/document/read_parts.hpp"

#include <fmt/format.h>

#include <map>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

using namespace std::chrono_literals;

constexpr std::size_t longest_node_name = 100;
constexpr std::int64_t most_tries = 100;
constexpr std::chrono::milliseconds longest_retry_delay = 24h;

constexpr std::string_view strategies[]{"fail", "continue", "error_output"};

constexpr text_rule node_id{
    .most = 40,
    .fits = made_of_word_characters,
    .description = "of A-Z, a-z, 0-9, \"_\" and \"-\"",
};
constexpr text_rule node_name{
    .most = longest_node_name,
    .fits = one_line,
    .description = "characters on one line",
};
constexpr text_rule type_name{
    .most = 64,
    .fits =
        [](std::string_view text) {
            return !text.empty() && std::ranges::all_of(text, [](char c) {
                return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
            });
        },
    .description = "of a-z, 0-9, \"_\" and \".\"",
};

base::retry_policy read_retry(form members) {
    base::retry_policy policy;
    auto const tries = members.integer("tries", 1, most_tries, presence::required);
    policy.limit = static_cast<int>(tries.value_or(1)) - 1;
    if (auto delay = members.span("delay", longest_retry_delay)) policy.delay = *delay;
    return policy;
}

std::optional<std::pair<double, double>> read_position(form& members) {
    auto const* pair = members.array("position");
    if (!pair) return std::nullopt;
    if (pair->size() != 2 || !(*pair)[0].is_number() || !(*pair)[1].is_number()) {
        members.complain("position", "wrong_type", "\"position\" must be two numbers: [x, y]");
        return std::nullopt;
    }
    return std::pair{(*pair)[0].to_number<double>(), (*pair)[1].to_number<double>()};
}

// For problems, before anything is known of the node: its name, or its id.
std::string called(json::object const& object) {
    for (auto key : {"name", "id"})
        if (auto const* text = object.if_contains(key); text && text->is_string())
            return std::string(text->get_string());
    return {};
}

// One that is not fit names the node nevertheless: others mean it.
std::string read_name(form& members, std::string_view key, text_rule const& rule) {
    auto const fit = members.text(key, rule, presence::required);
    return fit ? *fit : members.as_it_stands(key);
}

// A member that is not fit becomes what nothing follows from: no type, version 0, every output.
node read_node(json::object const& object, std::string path, problem_list& problems) {
    auto const name = called(object);
    form in(object, path, name, problems);
    node node;
    node.id = read_name(in, "id", node_id);
    node.name = read_name(in, "name", node_name);
    node.type = in.text("type", type_name, presence::required).value_or("");
    node.type_version = static_cast<int>(
        in.integer("type_version", 1, 1000).value_or(object.contains("type_version") ? 0 : 1)
    );
    node.position = read_position(in);
    if (auto const* parameters = in.object("parameters")) node.parameters = *parameters;
    node.disabled = in.boolean("disabled").value_or(false);
    node.notes = in.text("notes", prose).value_or("");
    if (auto const strategy = in.word("on_error", strategies))
        node.on_error = error_strategy_from_string(*strategy).value_or(error_strategy::fail);
    else if (object.contains("on_error"))
        node.on_error = error_strategy::error_output;
    if (auto const* retry = in.object("retry"))
        node.retry = read_retry(form(*retry, below(path, "retry"), name, problems));
    node.path = std::move(path);
    return node;
}

class uniqueness {
public:
    uniqueness(std::vector<node> const& nodes, problem_list& problems)
        : nodes_(nodes),
          problems_(problems) {}

    void check() {
        for (auto const& node : nodes_) {
            if (node.id.empty()) continue;
            auto const [there, fresh] = ids_.emplace(node.id, &node);
            if (!fresh) complain(node, "id", "duplicate_id", *there->second);
        }
        for (auto const& node : nodes_) {
            if (node.name.empty()) continue;
            auto const [there, fresh] = names_.emplace(node.name, &node);
            if (!fresh) {
                complain(node, "name", "duplicate_name", *there->second);
                continue;
            }
            auto const same = ids_.find(node.name);
            if (same != ids_.end() && same->second != &node)
                complain(node, "name", "duplicate_name", *same->second);
        }
    }

private:
    void complain(
        node const& repeated, std::string_view member, std::string_view code, node const& other
    ) {
        problems_.add({
            .code = std::string(code),
            .path = below(repeated.path, member),
            .message = fmt::format(
                "{} is taken by the node at {}",
                in_quotes(member == "id" ? repeated.id : repeated.name),
                other.path
            ),
            .hint = "names and ids are unique in a flow, among each other too",
            .node = repeated.name,
        });
    }

    std::vector<node> const& nodes_;
    problem_list& problems_;
    std::map<std::string_view, node const*> ids_;
    std::map<std::string_view, node const*> names_;
};

} // namespace

std::vector<node> read_nodes(json::array const& list, gaps& unread, problem_list& problems) {
    std::vector<node> nodes;
    for (std::size_t i = 0; i < list.size(); ++i) {
        auto path = below("/nodes", i);
        auto const* from = list[i].if_object();
        if (!from) {
            unread.nodes = unread.names = true;
            problems.add({
                .code = "wrong_type",
                .path = std::move(path),
                .message = "a node must be an object",
            });
            continue;
        }
        auto const* parameters = from->if_contains("parameters");
        if (parameters && !parameters->is_object()) unread.parameters.insert(nodes.size());
        nodes.push_back(read_node(*from, std::move(path), problems));
        unread.nodes = unread.nodes || nodes.back().id.empty();
        unread.names = unread.names || nodes.back().name.empty();
    }
    uniqueness(nodes, problems).check();
    return nodes;
}

} // namespace postrider::agent::flow
