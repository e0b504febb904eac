#include "agent/flow/n8n/translation.hpp"

#include "agent/flow/n8n/expression/term.hpp"
#include "agent/flow/n8n/parameter_words.hpp"
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

// No parenthesis closes more than is open. The texts in it are those that text_literal() and patterns write.
bool is_balanced(std::string_view source) {
    int open = 0;
    for (std::size_t at = 0; at < source.size() && open >= 0; ++at) {
        open += source[at] == '(' ? 1 : source[at] == ')' ? -1 : 0;
        if (source[at] != '"') continue;
        bool const is_raw = at > 0 && source[at - 1] == 'r';
        for (++at; at < source.size() && source[at] != '"'; ++at)
            if (source[at] == '\\' && !is_raw) ++at;
    }
    return open == 0;
}

// What toJson() wrote needs no reading.
std::string read_as_json(std::string const& source) {
    constexpr std::string_view writes = "toJson(";
    if (source.starts_with(writes) && source.ends_with(')'))
        if (auto inner = source.substr(writes.size(), source.size() - writes.size() - 1);
            is_balanced(inner))
            return inner;
    return "fromJson(" + source + ")";
}

// The value, and of a text what is made of it, which is called v.
std::string if_text(std::string const& source, std::string_view otherwise) {
    return fmt::format("cel.bind(v, {}, type(v) == \"string\" ? {} : v)", source, otherwise);
}

// A path to a member whose items have numbers here.
bool is_number_here(std::string_view source) {
    constexpr std::string_view names[]{".?chat", ".?user", ".?message", ".?thread", ".?message_id"};
    return source.find(' ') == source.npos &&
           std::ranges::any_of(names, [&](auto name) { return source.ends_with(name); });
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

// Of a resource locator its value.
json::value const* translation::text_value(std::string_view path) const {
    auto const* value = find(path);
    if (value && value->is_object()) value = member_of(value, "value");
    return value && value->is_string() ? value : nullptr;
}

std::string translation::word(std::string_view path, std::string_view usual) const {
    auto const* text = text_value(path);
    if (!text) return std::string(usual);
    auto const word = view_of(text->get_string());
    return std::string(word.substr(is_template(word) ? 1 : 0));
}

bool translation::is_computed(std::string_view path) const {
    auto const* text = text_value(path);
    return text &&
           std::ranges::any_of(pieces_of(view_of(text->get_string())), &piece::is_expression);
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

void translation::add_problem(problem problem, std::string_view key, std::string const& words) {
    if (!words.empty()) problem.message += fmt::format(" (n8n: {})", words);
    if (!key.empty()) problem.path = "/parameters/" + std::string(key);
    problem.node = node().name;
    problems_.add(std::move(problem));
}

void translation::warn(
    std::string code,
    std::string_view key,
    std::string message,
    std::string hint,
    std::string_view path
) {
    auto const source = sources_.find(key);
    if (path.empty() && source != sources_.end()) path = source->second;
    add_problem(
        {.code = std::move(code),
         .message = std::move(message),
         .hint = std::move(hint),
         .severity = severity::warning},
        key,
        parameter_words(path)
    );
}

void translation::remember(conversion const& done) {
    variables.insert(variables.end(), done.variables.begin(), done.variables.end());
    remarks.insert(remarks.end(), done.remarks.begin(), done.remarks.end());
}

void translation::refuse_expression(std::string_view key, unconverted const& reason) {
    add_problem(
        {.code = "n8n_expression",
         .message = fmt::format("`{}` was not converted: {}", reason.source, reason.reason),
         .hint = "n8n's text is in its place; write the expression again"},
        key,
        problems_.full() ? "" : parameter_with(node().parameters, reason.source)
    );
}

std::optional<conversion> translation::convert_piece(
    std::string_view key, std::string_view source
) {
    auto done = convert(source, around_, budget_);
    if (!done) {
        refuse_expression(key, done.error());
        return std::nullopt;
    }
    remember(*done);
    return std::move(*done);
}

std::string translation::converted_text(
    std::string_view key, std::string_view text, bool is_markup
) {
    std::string result;
    for (auto const& piece : pieces_of(text)) {
        if (!piece.is_expression) {
            result += escaped_text(piece.text);
            continue;
        }
        auto const done = convert_piece(key, piece.text);
        if (!done) return std::string(text);
        result += in_braces(is_markup ? "html_raw(" + done->source + ")" : done->source);
    }
    return result;
}

json::value translation::converted_markup(std::string_view key, json::value const& value) {
    auto const* text = value.if_string();
    return text ? json::value(converted_text(key, view_of(*text), true)) : converted(key, value);
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
    if (!whole) {
        auto const value = read_json_template(view_of(*source));
        return converted(key, value ? *value : text);
    }
    auto const done = convert_piece(key, pieces.front().text);
    if (!done) return text;
    if (done->shape == shape::text) return json::value(in_braces(read_as_json(done->source)));
    if (done->shape != shape::unknown) return json::value(in_braces(done->source));
    return json::value(in_braces(if_text(done->source, "fromJson(v)")));
}

json::value translation::converted_number(
    std::string_view key, json::value const& value, std::string_view reader
) {
    auto const* text = value.if_string();
    auto const pieces = text ? pieces_of(view_of(*text)) : std::vector<piece>();
    if (pieces.size() != 1 || !pieces.front().is_expression) return converted(key, value);
    auto const done = convert_piece(key, pieces.front().text);
    if (!done) return value;
    if (done->shape == shape::text)
        return json::value(in_braces(fmt::format("{}({})", reader, done->source)));
    if (done->shape != shape::unknown || is_number_here(done->source))
        return json::value(in_braces(done->source));
    return json::value(in_braces(if_text(done->source, fmt::format("{}(v)", reader))));
}

json::value const* translation::written_value(std::string_view path) const {
    auto const* value = find(path);
    if (value && value->is_object() && value->get_object().contains("__rl"))
        value = member_of(value, "value");
    return value && !is_blank(*value) ? value : nullptr;
}

json::value const* translation::value_for(std::string_view key, std::string_view path) {
    auto const* value = written_value(path);
    if (value) sources_.insert_or_assign(std::string(key), std::string(path));
    return value;
}

bool translation::put(std::string_view key, std::string_view path) {
    auto const* value = value_for(key, path);
    if (value) put_value(key, converted(key, *value));
    return value != nullptr;
}

bool translation::put_markup(std::string_view key, std::string_view path) {
    auto const* value = value_for(key, path);
    if (value) put_value(key, converted_markup(key, *value));
    return value != nullptr;
}

bool translation::put_number(std::string_view key, std::string_view path) {
    auto const* value = value_for(key, path);
    if (value) put_value(key, converted_number(key, *value));
    return value != nullptr;
}

void translation::put_value(std::string_view key, json::value value) {
    draft.parameters[key] = std::move(value);
}

std::string translation::field(std::string_view key, std::string_view path) {
    std::string source = "$json";
    for (auto rest = path; !rest.empty();) {
        auto const name = rest.substr(0, rest.find('.'));
        source += "[" + text_literal(name) + "]";
        rest.remove_prefix(std::min(name.size() + 1, rest.size()));
    }
    auto const done = path.empty() ? convertible<conversion>(unconverted{"", "no field is named"})
                                   : convert(source, around_, budget_);
    if (done) return done->source;
    refuse_expression(key, {std::string(path), done.error().reason});
    return "null";
}

std::optional<translation::items_here> translation::items_of(std::string_view node) const {
    if (!flow_.find(node)) return std::nullopt;
    auto const place = "$node[" + text_literal(around_.node_name(node)) + "]";
    return items_here{
        "has(" + place + ".json) ? " + place + ".items : []", around_.renamed_of(node)};
}

std::optional<conversion> translation::operand(std::string_view key, json::value const& value) {
    auto const* text = value.if_string();
    if (!text) return convert_piece(key, base::json_text(value));
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

std::string translation::credential(
    std::string_view key, std::string_view usual, std::string_view entry
) {
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
        fmt::format(
            "n8n exports no secrets; write the entry{}{}, or name another one",
            entry.empty() ? "" : ", ",
            entry
        )
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
