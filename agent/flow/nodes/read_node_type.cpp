#include "agent/flow/nodes/read_node_type.hpp"

#include "agent/flow/nodes/shared_members.hpp"
#include "base/json/json.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include <optional>
#include <stdexcept>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

// Takes the members of one object of the file, and refuses those that nobody took.
class member_reader {
public:
    member_reader(json::value value, std::string place) : place_(std::move(place)) {
        if (!value.is_object()) fail("is no object");
        rest_ = std::move(value.get_object());
    }

    [[noreturn]] void fail(std::string_view reason) const {
        throw std::logic_error(place_ + " " + std::string(reason));
    }

    bool has(std::string_view name) const { return rest_.contains(name); }
    json::value take(std::string_view name, json::value fallback = nullptr) {
        auto* member = rest_.if_contains(name);
        if (!member) return fallback;
        auto value = std::move(*member);
        rest_.stable_erase(rest_.find(name));
        return value;
    }
    std::string text(std::string_view name) {
        auto const value = take(name);
        if (!value.is_string() || value.get_string().empty())
            fail(fmt::format("has no text \"{}\"", name));
        return std::string(value.get_string());
    }
    std::string text_or_none(std::string_view name) {
        return has(name) ? text(name) : std::string();
    }
    int number(std::string_view name, int fallback) {
        auto const value = take(name, fallback);
        if (!value.is_int64()) fail(fmt::format("has no number \"{}\"", name));
        return static_cast<int>(value.get_int64());
    }
    bool flag(std::string_view name) {
        auto const value = take(name, false);
        if (!value.is_bool()) fail(fmt::format("has no flag \"{}\"", name));
        return value.get_bool();
    }
    json::array list(std::string_view name) {
        auto value = take(name, json::array());
        if (!value.is_array()) fail(fmt::format("has no list \"{}\"", name));
        return std::move(value.get_array());
    }
    json::object object(std::string_view name) {
        auto value = take(name, json::object());
        if (!value.is_object()) fail(fmt::format("has no object \"{}\"", name));
        return std::move(value.get_object());
    }

    void finish() const {
        if (!rest_.empty())
            fail(fmt::format("has an unknown member \"{}\"", std::string_view(rest_.begin()->key()))
            );
    }

private:
    std::string place_;
    json::object rest_;
};

port read_port(json::value value, std::string const& type) {
    member_reader members(std::move(value), "a port of " + type);
    port result;
    result.name = members.text("name");
    if (members.has("type")) result.type = members.text("type");
    result.title = members.text("title");
    result.least = members.number("least", result.least);
    result.most = members.number("most", result.most);
    result.from_parameter = members.text_or_none("from_parameter");
    result.is_loop = members.flag("loop");
    result.items = members.take("items");
    if (!result.items.is_null() && !result.items.is_object() && !has_same_items(result))
        members.fail("has items that are no schema");
    members.finish();
    return result;
}

std::vector<port> read_ports(json::array entries, std::string const& type) {
    std::vector<port> ports;
    for (auto& entry : entries) ports.push_back(read_port(std::move(entry), type));
    return ports;
}

std::vector<node_example> read_examples(json::array entries, std::string const& type) {
    std::vector<node_example> examples;
    for (auto& entry : entries) {
        member_reader members(std::move(entry), "an example of " + type);
        auto title = members.text("title");
        examples.push_back({std::move(title), members.object("parameters")});
        members.finish();
    }
    return examples;
}

json::object read_parameters(json::object const& declared, std::string const& type) {
    json::object schema{{"type", "object"}, {"properties", json::object()}};
    schema["additionalProperties"] = false;
    for (auto const& [word, value] : declared) {
        if (word == "type" || word == "additionalProperties")
            throw std::logic_error("the parameters of " + type + " say what all of them say");
        schema[word] = value;
    }
    return schema;
}

// The description, and behind it the sentences that are written on their own.
std::string read_documentation(
    std::string text, json::array const& sentences, std::string_view type_name
) {
    for (auto const& sentence : sentences) {
        if (!sentence.is_string())
            throw std::logic_error(fmt::format("a sentence about {} is no text", type_name));
        text.append(" ").append(sentence.get_string());
    }
    return text;
}

} // namespace

node_type read_node_type(std::string_view text, flow::behaviour action) {
    auto document = base::parse_json(text);
    if (!document) throw std::logic_error("a node type is no JSON: " + document.error().detail);
    member_reader members(with_shared_members(*document), "a node type");
    node_type type;
    type.name = members.text("name");
    type.version = members.number("version", type.version);
    type.title = members.text("title");
    if (members.has("group")) {
        auto const group = group_named(members.text("group"));
        if (!group) members.fail("has a \"group\" that there is not: " + type.name);
        type.group = *group;
    }
    type.description = members.text("description");
    type.documentation =
        read_documentation(type.description, members.list("documentation"), type.name);
    type.inputs = read_ports(members.list("inputs"), type.name);
    type.outputs = read_ports(members.list("outputs"), type.name);
    type.parameters = read_parameters(members.object("parameters"), type.name);
    type.examples = read_examples(members.list("examples"), type.name);
    members.finish();
    type.behaviour = std::move(action);
    return type;
}

void set_documentation(node_type& type, std::string_view sentences) {
    type.documentation = sentences;
    type.description = sentences.substr(0, sentences.find(". "));
    if (!type.description.ends_with('.')) type.description += '.';
}

} // namespace postrider::agent::flow
