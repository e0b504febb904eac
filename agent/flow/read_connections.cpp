#include "agent/flow/read_parts.hpp"

#include <fmt/format.h>

#include <map>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

constexpr std::string_view kinds[]{"main", "ai_model", "ai_memory", "ai_tool"};
constexpr text_rule port_name{.most = 60, .fits = one_line, .wanted = "characters on one line"};

class reader {
public:
    reader(std::vector<node> const& nodes, problem_list& found) : nodes_(nodes), found_(found) {
        for (std::size_t i = 0; i < nodes.size(); ++i) by_id_.emplace(nodes[i].id, i);
    }

    std::optional<connection> read(json::object const& from, std::string path) {
        form in(from, path, "", found_);
        connection made;
        if (auto const kind = in.word("type", kinds))
            made.kind = connection_kind_from_string(*kind).value_or(connection_kind::main);
        auto const standard = std::string(to_string(made.kind));
        made.output = in.text("output", port_name).value_or(standard);
        made.input = in.text("input", port_name).value_or(standard);
        auto const source = end(in, "from");
        auto const target = end(in, "to");
        if (!source || !target) return std::nullopt;
        made.from = *source;
        made.to = *target;
        made.path = std::move(path);
        return made;
    }

private:
    std::optional<std::size_t> end(form& in, std::string_view member) {
        auto const id = in.text(member, prose, presence::required);
        if (!id) return std::nullopt;
        auto const there = by_id_.find(*id);
        if (there != by_id_.end()) return there->second;
        in.complain(
            member, "unknown_node", fmt::format("there is no node {}", in_quotes(*id)), hint(*id)
        );
        return std::nullopt;
    }

    std::string hint(std::string_view word) const {
        if (found_.full()) return {};
        std::vector<std::string> ids;
        for (auto const& one : nodes_) {
            if (one.name == word) return fmt::format("this is a name; the id is \"{}\"", one.id);
            ids.push_back(one.id);
        }
        return hint_for(word, ids);
    }

    std::vector<node> const& nodes_;
    problem_list& found_;
    std::map<std::string_view, std::size_t> by_id_; // the first one's where an id is there twice
};

} // namespace

std::vector<connection> read_connections(
    json::array const& list, std::vector<node> const& nodes, problem_list& found
) {
    reader one(nodes, found);
    std::vector<connection> made;
    for (std::size_t i = 0; i < list.size(); ++i) {
        auto path = below("/connections", i);
        auto const* from = list[i].if_object();
        if (!from)
            found.add({
                .code = "wrong_type",
                .path = std::move(path),
                .message = "a connection must be an object",
            });
        else if (auto connection = one.read(*from, std::move(path)))
            made.push_back(std::move(*connection));
    }
    return made;
}

} // namespace postrider::agent::flow
