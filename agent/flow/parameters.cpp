#include "agent/flow/parameters.hpp"

#include "agent/expression/expression.hpp"
#include "base/ascii.hpp"
#include "base/json/nul.hpp"
#include "base/json/pointer.hpp"

#include <algorithm>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

json::object const* schema_properties(json::object const& schema) {
    auto const* properties = schema.if_contains("properties");
    return properties ? properties->if_object() : nullptr;
}

// In place of the name of a parameter that decides.
constexpr std::string_view always_markup = "always";

// With the pointer to each parameter that may be HTML, and the name of the one that decides.
template<class Call>
void for_each_markup(node_type const& type, Call const& call) {
    for (auto const& [name, property] : *schema_properties(type.parameters))
        if (auto const* markup = property.get_object().if_contains("x-markup"))
            call("/" + base::pointer_step(name), markup->get_string());
}

bool scalar(json::value const& value) {
    return value.is_number() || value.is_bool();
}

} // namespace

void fill_defaults(json::object& parameters, node_type const& type) {
    for (auto const& [name, property] : *schema_properties(type.parameters))
        if (auto const* fallback = property.as_object().if_contains("default"))
            parameters.emplace(name, *fallback);
}

base::result<json::object> fit_parameters(
    json::object evaluated, node_type const& type, catalog const& types
) {
    bool may_have_formats = false;
    for (auto const& rule : types.rules_of(type)) {
        auto* value = evaluated.if_contains(rule.name);
        if (value && value->is_null() && !rule.may_be_null) {
            evaluated.erase(rule.name);
            value = nullptr;
        }
        if (value && rule.only_text && scalar(*value)) *value = text_of(*value);
        if (!value && rule.fallback) evaluated[rule.name] = *rule.fallback;
        may_have_formats = may_have_formats || (rule.may_have_formats && (value || rule.fallback));
    }
    json::value fitted(std::move(evaluated));
    if (base::holds_nul(fitted)) return base::nul_refusal("the parameters");
    auto const violations = types.schema_of(type).check(fitted);
    if (!violations.empty())
        return base::error(base::errc::invalid, json_schema::to_text(violations, "the parameters"));
    if (!may_have_formats) return std::move(fitted.get_object());
    std::string wrong;
    for_each_described(type.parameters, fitted, [&](described const& parameter) {
        auto reason = format_violation(parameter.mark("x-format"), parameter.value);
        if (wrong.empty() && !reason.empty()) wrong = parameter.path + " " + reason;
    });
    if (!wrong.empty()) return base::error(base::errc::invalid, std::move(wrong));
    return std::move(fitted.get_object());
}

bool holds_expression(std::string_view text) noexcept {
    return text.find("{{") != text.npos;
}

bool holds_expression(json::value const& value) noexcept {
    if (auto const* text = value.if_string())
        return holds_expression(std::string_view(text->data(), text->size()));
    if (auto const* array = value.if_array())
        return std::ranges::any_of(*array, [](auto const& item) { return holds_expression(item); });
    if (auto const* object = value.if_object())
        return std::ranges::any_of(*object, [](auto const& member) {
            return holds_expression(member.value());
        });
    return false;
}

std::string_view described::mark(std::string_view name) const noexcept {
    auto const* text = schema.if_contains(name);
    return text && text->is_string() ? std::string_view(text->get_string()) : std::string_view();
}

void for_each_described(
    json::object const& schema,
    json::value const& value,
    std::function<void(described const&)> const& call
) {
    struct walk {
        std::function<void(described const&)> const& call;

        void visit(json::object const& schema, json::value const& value, std::string const& path) {
            call({schema, value, path});
            auto const* properties = schema_properties(schema);
            if (auto const* members = value.if_object(); members && properties)
                for (auto const& [name, member] : *members)
                    if (auto const* property = properties->if_contains(name))
                        visit(property->as_object(), member, below(path, name));
            auto const* item_schema = schema.if_contains("items");
            if (auto const* array = value.if_array(); array && item_schema)
                for (std::size_t i = 0; i < array->size(); ++i)
                    visit(item_schema->as_object(), (*array)[i], below(path, i));
        }
    };
    walk{call}.visit(schema, value, "");
}

// text/html, application/xhtml+xml, image/svg+xml.
bool says_html(json::value const& markup) {
    if (auto const* headers = markup.if_object())
        return std::ranges::any_of(*headers, [](auto const& header) {
            auto const* value = header.value().if_string();
            if (!value || !base::equals_without_case(header.key(), "content-type")) return false;
            auto const type = base::to_lower(std::string(*value));
            return type.find("html") != type.npos || type.find("svg") != type.npos;
        });
    return markup == "html";
}

std::vector<std::string> html_texts(json::object const& parameters, node_type const& type) {
    std::vector<std::string> paths;
    for_each_markup(type, [&](std::string path, json::string const& decided_by) {
        auto const* written = given_or_default(parameters, type, decided_by);
        bool const is_html = decided_by == always_markup || (written && says_html(*written));
        if (is_html) paths.push_back(std::move(path));
    });
    return paths;
}

markup_rule markup_of(node_type const& type) {
    markup_rule rule;
    for_each_markup(type, [&](std::string path, auto const&) {
        rule.members.push_back(std::move(path));
    });
    rule.html = [&type](json::object const& evaluated) { return html_texts(evaluated, type); };
    return rule;
}

json::value const* given_or_default(
    json::object const& parameters, node_type const& type, std::string_view name
) {
    if (auto const* value = parameters.if_contains(name)) return value;
    auto const* property = schema_properties(type.parameters)->if_contains(name);
    return property ? property->as_object().if_contains("default") : nullptr;
}

} // namespace postrider::agent::flow
