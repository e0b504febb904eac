#include "agent/flow/n8n/mapping.hpp"

#include <boost/json/array.hpp>

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view set_types[]{"set"};

bool set_keeps(translation const& in) {
    if (in.node().version < 3) return !in.is_true("keepOnlySet");
    if (in.node().version < 3.3)
        return in.word("include", "all") != "none" && in.word("include") != "selected";
    return in.is_true("includeOtherFields");
}

// "a.b.c" is a field within others, unless n8n was told not to.
void put_field(
    boost::json::object& fields, std::string_view name, boost::json::value value, bool dotted
) {
    auto const dot = dotted ? name.find('.') : name.npos;
    if (dot == name.npos) {
        fields[name] = std::move(value);
        return;
    }
    auto& inner = fields[name.substr(0, dot)];
    if (!inner.is_object()) inner = boost::json::object();
    put_field(inner.get_object(), name.substr(dot + 1), std::move(value), dotted);
}

// {"name", "value"}, or {"name", "stringValue"}, {"name", "numberValue"}, …
void put_assignment(
    translation& in, boost::json::object& fields, boost::json::object const& entry
) {
    auto const* name = entry.if_contains("name");
    if (!name || !name->is_string() || name->get_string().empty()) return;
    auto key = std::string_view(name->get_string().data(), name->get_string().size());
    if (is_template(key)) key.remove_prefix(1);
    boost::json::value const* value = nullptr;
    for (auto member :
         {"value", "stringValue", "numberValue", "booleanValue", "arrayValue", "objectValue"})
        if (!value) value = entry.if_contains(member);
    boost::json::value written = value ? *value : boost::json::value("");
    auto const* type = entry.if_contains("type");
    bool const is_text = !type || !type->is_string() || type->get_string().starts_with("string");
    auto const* text = written.if_string();
    if (text && !is_text && !text->starts_with("="))
        if (auto parsed = read_json_template(*text)) written = std::move(*parsed);
    bool const json_kind =
        type && type->is_string() &&
        (type->get_string().starts_with("object") || type->get_string().starts_with("array"));
    auto converted =
        json_kind ? in.converted_json("fields", written) : in.converted("fields", written);
    put_field(
        fields,
        key,
        std::move(converted),
        !in.is_true("options.dotNotation") && in.find("options.dotNotation") == nullptr
    );
}

void map_set(translation& in) {
    in.become("set");
    boost::json::object fields;
    for (auto path : {"assignments.assignments", "fields.values"}) {
        auto const* list = in.find(path);
        if (!list || !list->is_array()) continue;
        for (auto const& entry : list->get_array())
            if (auto const* object = entry.if_object()) put_assignment(in, fields, *object);
    }
    // Its first versions: {"string": [{"name", "value"}], "number": […]}
    if (auto const* values = in.find("values"); values && values->is_object())
        for (auto const& [kind, list] : values->get_object())
            for (std::size_t i = 0; list.is_array() && i < list.get_array().size(); ++i)
                if (auto const* object = list.get_array()[i].if_object())
                    put_assignment(in, fields, *object);
    auto const* raw = in.find("jsonOutput");
    if (in.word("mode") == "raw" && raw) {
        auto value = in.converted_json("fields", *raw);
        in.put_value("fields", std::move(value));
    } else {
        in.put_value("fields", std::move(fields));
    }
    in.put_value("keep_others", set_keeps(in));
}

} // namespace

extern constinit mapping const set_mapping{
    .types = set_types, .map = map_set, .items = passing::kept, .keeps = set_keeps};

} // namespace postrider::agent::flow::n8n
