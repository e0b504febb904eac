#include "agent/flow/document/read_parts.hpp"

#include <fmt/format.h>

#include <map>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

constexpr text_rule port_name{
    .most = 60, .fits = one_line, .description = "characters on one line"};

class reader {
public:
    reader(std::vector<node> const& nodes, gaps const& unread, problem_list& problems)
        : nodes_(nodes),
          unread_(unread),
          problems_(problems) {
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            auto const [named, fresh] = by_id_.emplace(nodes[i].id, i);
            if (!fresh) named->second = several;
        }
    }

    std::optional<connection> read(json::object const& object, std::string path) {
        form in(object, path, "", problems_);
        auto const type = in.text("type", port_name); // the validator knows which there are
        auto const output = in.text("output", port_name);
        auto const input = in.text("input", port_name);
        auto const source = end(in, "from");
        auto const target = end(in, "to");
        bool const fit = (type || !object.contains("type")) &&
                         (output || !object.contains("output")) &&
                         (input || !object.contains("input"));
        if (!fit || !source || !target) return std::nullopt;
        connection connection;
        if (type) connection.type = *type;
        connection.output = output.value_or(connection.type);
        connection.input = input.value_or(connection.type);
        connection.from = *source;
        connection.to = *target;
        connection.path = std::move(path);
        return connection;
    }

private:
    static constexpr auto several = static_cast<std::size_t>(-1);

    // Which of several nodes of one id is meant, nobody knows; that there are is told elsewhere.
    std::optional<std::size_t> end(form& members, std::string_view member) {
        auto const id = members.text(member, prose, presence::required);
        if (!id) return std::nullopt;
        auto const named = by_id_.find(*id);
        if (named != by_id_.end() && named->second == several) return std::nullopt;
        if (named != by_id_.end()) return named->second;
        if (unread_.nodes) return std::nullopt;
        members.complain(
            member, "unknown_node", fmt::format("there is no node {}", in_quotes(*id)), hint(*id)
        );
        return std::nullopt;
    }

    std::string hint(std::string_view word) const {
        if (problems_.full()) return {};
        std::vector<std::string> ids;
        for (auto const& node : nodes_) {
            if (node.name == word) return fmt::format("this is a name; the id is \"{}\"", node.id);
            ids.push_back(node.id);
        }
        return hint_for(word, ids);
    }

    std::vector<node> const& nodes_;
    gaps const& unread_;
    problem_list& problems_;
    std::map<std::string_view, std::size_t> by_id_;
};

} // namespace

std::vector<connection> read_connections(
    json::array const& list, std::vector<node> const& nodes, gaps& unread, problem_list& problems
) {
    reader reader(nodes, unread, problems);
    std::vector<connection> connections;
    for (std::size_t i = 0; i < list.size(); ++i) {
        auto path = below("/connections", i);
        auto const* from = list[i].if_object();
        if (!from)
            problems.add({
                .code = "wrong_type",
                .path = path,
                .message = "a connection must be an object",
            });
        auto connection = from ? reader.read(*from, std::move(path)) : std::nullopt;
        if (connection)
            connections.push_back(std::move(*connection));
        else
            unread.connections = true;
    }
    return connections;
}

} // namespace postrider::agent::flow
