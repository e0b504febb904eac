#include "agent/flow/n8n/mapping.hpp"
#include "base/utf8.hpp"

#include <boost/json/array.hpp>

#include <algorithm>

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view set_types[]{"set"};

bool set_keeps(translation const& in) {
    if (in.node().version < 3) return !in.is_true("keepOnlySet");
    if (in.node().version < 3.3)
        return in.word("include", "all") != "none" && in.word("include") != "selected";
    return in.is_true("includeOtherFields");
}

constexpr std::ptrdiff_t deepest_field = 12; // dots; a document of ours has a bounded depth

// "a.b.c" is a field within others.
void put_within(boost::json::object& fields, std::string_view name, boost::json::value value) {
    auto* object = &fields;
    for (auto dot = name.find('.'); dot != name.npos; dot = name.find('.')) {
        auto& inner = (*object)[name.substr(0, dot)];
        if (!inner.is_object()) inner = boost::json::object();
        object = &inner.get_object();
        name.remove_prefix(dot + 1);
    }
    (*object)[name] = std::move(value);
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
    bool const is_number = type && type->is_string() && type->get_string().starts_with("number");
    auto converted = json_kind   ? in.converted_json("fields", written)
                     : is_number ? in.converted_number("fields", written, "double")
                                 : in.converted("fields", written);
    auto const* dotted = in.find("options.dotNotation");
    if (dotted && *dotted == false)
        fields[key] = std::move(converted);
    else if (std::ranges::count(key, '.') <= deepest_field)
        put_within(fields, key, std::move(converted));
    else
        in.refuse_expression(
            "fields",
            {base::shortened(std::string(key), 100), "the field is within too many others"}
        );
}

// Of the other fields those that are named.
void put_selected(translation& in) {
    auto const names = in.word("includeFields");
    auto* fields = in.draft.parameters.at("fields").if_object();
    if (in.word("include") != "selected" || !fields || in.is_computed("includeFields")) return;
    for (auto rest = std::string_view(names); !rest.empty();) {
        auto name = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(name.size() + 1, rest.size()));
        while (name.starts_with(' ')) name.remove_prefix(1);
        while (name.ends_with(' ')) name.remove_suffix(1);
        if (!name.empty() && !fields->contains(name))
            (*fields)[name] = in_braces(in.field("fields", name));
    }
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
    put_selected(in);
    in.put_value("keep_others", set_keeps(in));
}

} // namespace

extern constinit mapping const set_mapping{
    .types = set_types, .map = map_set, .items = passing::kept, .keeps = set_keeps};

} // namespace postrider::agent::flow::n8n
