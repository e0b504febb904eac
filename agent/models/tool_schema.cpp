#include "agent/models/tool_schema.hpp"

#include "agent/models/schema_keywords.hpp"
#include "net/http.hpp"

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace postrider::agent::wire {

namespace json = boost::json;

namespace {

constexpr int deepest = 64;      // schemas within each other
constexpr int most_merged = 200; // alternatives and references at the root

constexpr std::array<std::string_view, 7> known_types{
    "object", "array", "string", "number", "integer", "boolean", "null"};
constexpr std::array<std::string_view, 3> alternatives{"anyOf", "oneOf", "allOf"};

json::object* object_in(json::object& schema, std::string_view name) {
    auto* member = schema.if_contains(name);
    return member ? member->if_object() : nullptr;
}

bool is_known_type(json::value const& type) {
    auto const* name = type.if_string();
    return name && std::ranges::find(known_types, std::string_view(*name)) != known_types.end();
}

bool has_type(json::object const& schema, std::string_view sought) {
    auto const* type = schema.if_contains("type");
    if (!type) return false;
    if (auto const* list = type->if_array())
        return std::ranges::find(*list, json::value(sought)) != list->end();
    return *type == json::value(sought);
}

// Null: it leads nowhere, or out of the document. Providers know no names of anchors.
json::value const* find_target(json::value const& reference, json::value const& document) {
    auto const* text = reference.if_string();
    if (!text || !std::string_view(*text).starts_with("#")) return nullptr;
    auto const pointer = net::percent_decode(std::string_view(*text).substr(1));
    boost::system::error_code none;
    return pointer ? document.find_pointer(*pointer, none) : nullptr;
}

json::object const* target_of(json::object const& schema, json::value const& document) {
    auto const* reference = schema.if_contains("$ref");
    auto const* target = reference ? find_target(*reference, document) : nullptr;
    return target ? target->if_object() : nullptr;
}

// A member that two alternatives describe differently may be as either has it.
void merge_property(json::object& properties, json::string_view name, json::value const& added) {
    auto* existing = properties.if_contains(name);
    if (!existing) {
        properties[name] = added;
        return;
    }
    if (*existing == added) return;
    auto* members = existing->if_object();
    auto* choices = members && members->size() == 1 ? members->if_contains("anyOf") : nullptr;
    if (choices && choices->is_array())
        choices->get_array().push_back(added);
    else
        *existing = json::object{{"anyOf", json::array{*existing, added}}};
}

json::array strings_in(json::object const& schema, std::string_view name) {
    auto const* member = schema.if_contains(name);
    auto const* list = member ? member->if_array() : nullptr;
    json::array strings;
    if (!list) return strings;
    for (auto const& item : *list)
        if (item.is_string() && std::ranges::find(strings, item) == strings.end())
            strings.push_back(item);
    return strings;
}

void require_all(json::object& schema, json::array const& names) {
    if (names.empty()) return;
    auto all = strings_in(schema, "required");
    for (auto const& name : names)
        if (std::ranges::find(all, name) == all.end()) all.push_back(name);
    schema["required"] = std::move(all);
}

json::array common(json::array const& left, json::array const& right) {
    json::array shared;
    for (auto const& name : left)
        if (std::ranges::find(right, name) != right.end()) shared.push_back(name);
    return shared;
}

// What the alternatives and references at a root say of the object's members.
class flattener {
public:
    explicit flattener(json::value const& document) : document_(document) {}

    void flatten(json::object& root) {
        while (auto const* target = target_of(root, document_)) {
            if (left_-- <= 0) return;
            json::object const referred = *target;
            root.erase("$ref");
            for (auto const& [name, value] : referred)
                if (!root.contains(name)) root[name] = value;
        }
        for (auto const word : alternatives)
            if (root.contains(word)) merge_all(root, word);
    }

private:
    void merge_all(json::object& root, std::string_view word) {
        auto const& member = root.at(word);
        auto const all = member.is_array() ? member.get_array() : json::array();
        root.erase(word);
        std::optional<json::array> required; // by each of them
        for (auto const& item : all) {
            auto const* alternative = item.if_object();
            if (!alternative || left_-- <= 0) continue;
            json::object flat = *alternative;
            flatten(flat);
            auto const own = strings_in(flat, "required");
            if (word == "allOf")
                require_all(root, own);
            else
                required = required ? common(*required, own) : own;
            // It would close the object to the members of the others.
            root.erase("additionalProperties");
            merge(root, flat);
        }
        if (required) require_all(root, *required);
    }

    static void merge(json::object& root, json::object& alternative) {
        auto& properties = root["properties"];
        if (!properties.is_object()) properties.emplace_object();
        if (auto const* added = object_in(alternative, "properties"))
            for (auto const& [name, property] : *added)
                merge_property(properties.get_object(), name, property);
    }

    json::value const& document_;
    int left_ = most_merged;
};

void mend(json::value& schema, schema_form form, int depth);

void mend_all(json::value& schemas, schema_form form, int depth) {
    if (auto* list = schemas.if_array())
        for (auto& item : *list) mend(item, form, depth);
    if (auto* named = schemas.if_object())
        for (auto& member : *named) mend(member.value(), form, depth);
}

// Of draft 4: whether "minimum" itself is left out.
void mend_bound(json::object& schema, std::string_view exclusive, std::string_view bound) {
    auto const* flag = schema.if_contains(exclusive);
    if (!flag || !flag->is_bool()) return;
    bool const is_exclusive = flag->get_bool();
    schema.erase(exclusive);
    auto const* limit = schema.if_contains(bound);
    if (!is_exclusive || !limit) return;
    json::value const value = *limit;
    schema.erase(bound);
    schema[exclusive] = value;
}

void mend_type(json::object& schema) {
    auto* type = schema.if_contains("type");
    if (!type) return;
    if (is_known_type(*type)) return;
    auto* list = type->if_array();
    if (!list || list->empty() || !std::ranges::all_of(*list, is_known_type)) {
        schema.erase("type"); // "any" beside "null" allows more than null
        return;
    }
    json::array allowed_types;
    for (auto const& item : *list)
        if (std::ranges::find(allowed_types, item) == allowed_types.end())
            allowed_types.push_back(item);
    *list = std::move(allowed_types);
}

// Of drafts before 2020-12: a list of items by their places, and what follows them.
void mend_items(json::object& schema) {
    if (auto const* items = schema.if_contains("items"); items && items->is_array()) {
        json::value places = *items;
        schema.erase("items");
        if (auto const* rest = schema.if_contains("additionalItems")) {
            json::value further = *rest;
            schema["items"] = std::move(further);
        }
        if (!places.get_array().empty()) schema["prefixItems"] = std::move(places);
    }
    schema.erase("additionalItems");
    auto* items = schema.if_contains("items");
    if (items && *items == json::value(true)) items->emplace_object();
}

void mend_required(json::object& schema) {
    auto* required = schema.if_contains("required");
    if (required && required->is_array()) *required = strings_in(schema, "required");
}

void add_missing(json::object& schema) {
    if (has_type(schema, "array")) schema.emplace("items", json::object());
    if (has_type(schema, "object")) schema.emplace("properties", json::object());
}

// Null is no schema and no list. As a value it means something.
void drop_null(json::object& schema) {
    std::vector<json::string> names;
    for (auto const& [name, value] : schema)
        if (value.is_null() && name != "const" && name != "default") names.emplace_back(name);
    for (auto const& name : names) schema.erase(name);
}

void mend(json::value& value, schema_form form, int depth) {
    if (value != json::value(false) && !value.is_object()) value.emplace_object();
    auto* schema = value.if_object();
    if (!schema || depth > deepest) return;
    drop_null(*schema);
    mend_type(*schema);
    mend_bound(*schema, "exclusiveMinimum", "minimum");
    mend_bound(*schema, "exclusiveMaximum", "maximum");
    mend_items(*schema);
    mend_required(*schema);
    drop_unusable_keywords(*schema);
    if (form == schema_form::complete) add_missing(*schema);
    for (auto const word : maps_of_schemas)
        if (auto* within = schema->if_contains(word); within && word != "dependencies")
            mend_all(*within, form, depth + 1);
    for (auto const word : lists_of_schemas)
        if (auto* within = schema->if_contains(word)) mend_all(*within, form, depth + 1);
    for (auto const word : single_schemas)
        if (auto* within = schema->if_contains(word); within && within->is_object())
            mend(*within, form, depth + 1);
    // They refuse what fits the schemas in them, which may have lost all that they say.
    json::value const anything = json::object();
    if (auto const* unwanted = schema->if_contains("not"); unwanted && *unwanted == anything)
        schema->erase("not");
    if (auto const* choices = schema->if_contains("oneOf");
        choices && std::ranges::find(choices->get_array(), anything) != choices->get_array().end())
        schema->erase("oneOf");
}

// In a map of schemas the members' names are no keywords.
void drop_lost_references(json::value& value, json::value const& document, int depth, bool is_map) {
    constexpr std::array<std::string_view, 4> plain_values{"const", "default", "enum", "examples"};
    auto const is_among = [](auto const& words, std::string_view word) {
        return std::ranges::find(words, word) != words.end();
    };
    if (depth > 2 * deepest) return;
    if (auto* list = value.if_array())
        for (auto& item : *list) drop_lost_references(item, document, depth + 1, false);
    auto* schema = value.if_object();
    if (!schema) return;
    for (auto& [key, within] : *schema) {
        std::string_view const name(key.data(), key.size());
        if (is_map || !is_among(plain_values, name))
            drop_lost_references(
                within, document, depth + 1, !is_map && is_among(maps_of_schemas, name)
            );
    }
    auto const* reference = is_map ? nullptr : schema->if_contains("$ref");
    auto const* target = reference ? find_target(*reference, document) : nullptr;
    if (reference && (!target || !is_schema(*target))) schema->erase("$ref");
}

} // namespace

json::object accepted_schema(json::object const& schema, schema_form form) {
    json::value const document = schema;
    json::value whole = schema;
    auto& root = whole.get_object();
    flattener(document).flatten(root);
    // Draft 4 has "id" for "$id". No reference that is left is relative to it.
    for (std::string_view const word : {"$schema", "$id", "id", "not", "enum", "const", "$ref"})
        root.erase(word);
    root["type"] = "object";
    mend(whole, form, 0);
    drop_lost_references(whole, json::value(whole), 0, false);
    return std::move(root);
}

} // namespace postrider::agent::wire
