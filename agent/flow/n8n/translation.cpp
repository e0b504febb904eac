#include "agent/flow/n8n/translation.hpp"

#include "agent/flow/n8n/expression/term.hpp"
#include "base/json/text.hpp"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent::flow::n8n {

namespace json = boost::json;

namespace {

std::string_view view_of(json::string const& text) {
    return {text.data(), text.size()};
}

json::value const* member_of(json::value const* value, std::string_view key) {
    auto const* object = value ? value->if_object() : nullptr;
    return object ? object->if_contains(key) : nullptr;
}

bool is_blank(json::value const& value) {
    if (auto const* text = value.if_string()) return text->empty() || *text == "=";
    if (auto const* array = value.if_array()) return array->empty();
    if (auto const* object = value.if_object()) return object->empty();
    return value.is_null();
}

} // namespace

std::string in_braces(std::string_view source) {
    return fmt::format("{{{{ {} }}}}", source);
}

std::string identifier_of(std::string_view name, std::string_view usual) {
    constexpr std::size_t longest = 32;
    std::string result;
    for (char c : name) {
        bool const upper = c >= 'A' && c <= 'Z';
        bool const fits = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || upper;
        if (fits)
            result += upper ? static_cast<char>(c - 'A' + 'a') : c;
        else if (!result.empty() && result.back() != '_')
            result += '_';
        if (result.size() == longest) break;
    }
    while (result.ends_with('_')) result.pop_back();
    return result.empty() ? std::string(usual) : result;
}

json::value const* translation::find(std::string_view path) const {
    auto const* at = node().parameters.if_contains(path.substr(0, path.find('.')));
    while (at && path.find('.') != path.npos) {
        path.remove_prefix(path.find('.') + 1);
        at = member_of(at, path.substr(0, path.find('.')));
    }
    return at;
}

std::string translation::word(std::string_view path, std::string_view usual) const {
    auto const* value = find(path);
    if (value && value->is_object()) value = member_of(value, "value");
    auto const* text = value ? value->if_string() : nullptr;
    if (!text) return std::string(usual);
    auto const word = view_of(*text);
    return std::string(word.substr(is_template(word) ? 1 : 0));
}

std::optional<double> translation::number(std::string_view path) const {
    auto const* value = find(path);
    if (!value || !value->is_number()) return std::nullopt;
    return value->to_number<double>();
}

bool translation::is_true(std::string_view path) const {
    auto const* value = find(path);
    return value && value->is_bool() && value->get_bool();
}

void translation::warn(
    std::string code, std::string_view key, std::string message, std::string hint
) {
    problems_.push_back(
        {.code = std::move(code),
         .path = key.empty() ? "" : "/parameters/" + std::string(key),
         .message = std::move(message),
         .hint = std::move(hint),
         .node = node().name,
         .severity = severity::warning}
    );
}

void translation::remember(conversion const& done) {
    variables.insert(variables.end(), done.variables.begin(), done.variables.end());
    remarks.insert(remarks.end(), done.remarks.begin(), done.remarks.end());
}

void translation::refuse_expression(std::string_view key, unconverted const& reason) {
    warn(
        "n8n_expression",
        key,
        fmt::format("`{}` was not converted: {}", reason.source, reason.reason),
        "n8n's text is in its place; write the expression again"
    );
    problems_.back().severity = severity::error;
}

std::optional<conversion> translation::convert_piece(
    std::string_view key, std::string_view source
) {
    auto done = convert(source, around_);
    if (!done) {
        refuse_expression(key, done.error());
        return std::nullopt;
    }
    remember(*done);
    return std::move(*done);
}

std::string translation::converted_text(std::string_view key, std::string_view text) {
    std::string result;
    for (auto const& piece : pieces_of(text)) {
        if (!piece.is_expression) {
            result += escaped_text(piece.text);
            continue;
        }
        auto const done = convert_piece(key, piece.text);
        if (!done) return std::string(text);
        result += in_braces(done->source);
    }
    return result;
}

json::value translation::converted(std::string_view key, json::value const& value) {
    if (auto const* text = value.if_string())
        return json::value(converted_text(key, view_of(*text)));
    if (auto const* array = value.if_array()) {
        json::array result;
        for (auto const& item : *array) result.push_back(converted(key, item));
        return result;
    }
    auto const* object = value.if_object();
    if (!object) return value;
    json::object result;
    for (auto const& [name, member] : *object) result[name] = converted(key, member);
    return result;
}

json::value translation::converted_json(std::string_view key, json::value const& text) {
    auto const* source = text.if_string();
    if (!source) return converted(key, text);
    auto const pieces = pieces_of(view_of(*source));
    bool const whole = pieces.size() == 1 && pieces.front().is_expression;
    if (whole) return converted(key, text);
    bool const is_marked = is_template(view_of(*source));
    if (auto const value = is_marked ? read_json_template(view_of(*source).substr(1))
                                     : read_json_template(view_of(*source)))
        return converted(key, *value);
    return converted(key, text);
}

bool translation::put(std::string_view key, std::string_view path) {
    auto const* value = find(path);
    if (value && value->is_object() && value->get_object().contains("__rl"))
        value = member_of(value, "value");
    if (!value || is_blank(*value)) return false;
    put_value(key, converted(key, *value));
    return true;
}

void translation::put_value(std::string_view key, json::value value) {
    draft.parameters[key] = std::move(value);
}

std::string translation::field(std::string_view path) const {
    std::string source = "$json";
    while (!path.empty()) {
        auto const name = path.substr(0, path.find('.'));
        source += "[" + text_literal(name) + "]";
        path.remove_prefix(std::min(name.size() + 1, path.size()));
    }
    auto const done = convert(source, around_);
    return done ? done->source : "$json";
}

std::optional<conversion> translation::operand(std::string_view key, json::value const& value) {
    auto const* text = value.if_string();
    if (!text) {
        auto const done = convert(base::json_text(value), around_);
        return done ? std::optional(*done) : std::nullopt;
    }
    auto const pieces = pieces_of(view_of(*text));
    if (pieces.size() == 1 && pieces.front().is_expression)
        return convert_piece(key, pieces.front().text);
    conversion sum{.source = "", .shape = shape::text};
    for (auto const& piece : pieces) {
        std::string part = text_literal(piece.text);
        if (piece.is_expression) {
            auto const done = convert_piece(key, piece.text);
            if (!done) return std::nullopt;
            part = done->shape == shape::text && done->binding > binding::choice
                       ? done->source
                       : "string(" + done->source + ")";
        }
        sum.source += (sum.source.empty() ? "" : " + ") + part;
    }
    if (pieces.size() > 1) sum.binding = binding::sum;
    if (sum.source.empty()) sum.source = "\"\"";
    return sum;
}

std::string translation::credential(std::string_view key, std::string_view usual) {
    std::string name(usual);
    for (auto const& [kind, credential] : node().credentials) {
        auto const* named = member_of(&credential, "name");
        name = named && named->is_string() && !named->get_string().empty()
                   ? identifier_of(view_of(named->get_string()), usual)
                   : identifier_of(kind, usual);
        break;
    }
    warn(
        "n8n_credential",
        key,
        fmt::format("the configuration needs an entry \"{}\"", name),
        "n8n exports no secrets; write the entry, or name another one"
    );
    return name;
}

void translation::become_placeholder(std::string reason) {
    placeholder_reason = std::move(reason);
}

void translation::attach(std::string connection, std::string type, json::object parameters) {
    attached.push_back({std::move(connection), std::move(type), std::move(parameters)});
}

} // namespace postrider::agent::flow::n8n
