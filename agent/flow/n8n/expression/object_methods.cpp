// Methods of objects and numbers, and the functions of Object, JSON, Math and the like.
#include "agent/flow/n8n/expression/converter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace postrider::agent::flow::n8n {

using script::node_kind;

namespace {

term first_argument(converter& in, script::node const& call) {
    return in.value_of(*argument(call, 0));
}

term has_field(converter& in, term const& of, script::node const& call) {
    return {
        .text = within(first_argument(in, call), binding::sum) + " in " + within(of, binding::sum),
        .shape = shape::boolean,
        .binding = binding::relation};
}

term names_of_members(converter&, term const& of, script::node const& call) {
    return calling(of, call[0].text, {}, shape::list);
}

// round, floor, ceil and abs, as methods of n8n and as functions of Math.
term rounded(converter& in, term const& of, script::node const& call) {
    bool const is_function = of.is(shape::type);
    auto const value = is_function ? first_argument(in, call) : of;
    auto text = value.is(shape::unknown) ? value.text : as_number(value).text;
    auto const* places = is_function ? nullptr : argument(call, 0);
    if (places) text += ", " + in.value_of(*places).text;
    return term_of(call[0].text + "(" + text + ")", shape::number);
}

// Math.max(a, b), and $max(a, b).
term of_numbers(converter& in, term const&, script::node const& call) {
    auto name = call[0].text;
    name.erase(0, name.starts_with('$') ? 1 : 0);
    if (name == "trunc" || name == "sign") name = "math." + name;
    std::string arguments;
    for (std::size_t i = 0; auto const* next = argument(call, i); ++i)
        arguments += (i == 0 ? "" : ", ") + in.value_of(*next).text;
    return term_of(name + "(" + arguments + ")", shape::number);
}

// Digits of a new id: a replay has the same ones.
term random_number(converter&, term const&, script::node const&) {
    return term_of(R"(double("0." + regex.replace(uuid(), "[^0-9]", "")))", shape::number);
}

term written_json(converter& in, term const&, script::node const& call) {
    if (argument(call, 2) && in.constant_number(*argument(call, 2)) != 0)
        in.remark("JSON is written without indents");
    return term_of("toJson(" + first_argument(in, call).text + ")", shape::text);
}

term read_json(converter& in, term const&, script::node const& call) {
    return term_of("fromJson(" + first_argument(in, call).text + ")");
}

template<fmt::string_view const& Function>
term members_of_object(converter& in, term const&, script::node const& call) {
    return calling(first_argument(in, call), {Function.data(), Function.size()}, {}, shape::list);
}
constexpr fmt::string_view keys_name = "keys";
constexpr fmt::string_view values_name = "values";

term entries_of_object(converter& in, term const&, script::node const& call) {
    return calling(
        calling(first_argument(in, call), "entries"), "map", "e, [e.key, e.value]", shape::list
    );
}

term object_of_entries(converter& in, term const&, script::node const& call) {
    return calling(
        calling(first_argument(in, call), "map", "e, {\"key\": e[0], \"value\": e[1]}"),
        "fromEntries",
        {},
        shape::object
    );
}

term assigned(converter& in, term const&, script::node const& call) {
    auto result = first_argument(in, call);
    for (std::size_t i = 1; auto const* next = argument(call, i); ++i)
        result = calling(result, "merge", in.value_of(*next).text, shape::object);
    result.shape = shape::object;
    return result;
}

term is_list(converter& in, term const&, script::node const& call) {
    return {
        .text = "type(" + first_argument(in, call).text + ") == \"array\"",
        .shape = shape::boolean,
        .binding = binding::relation};
}

// Array.from(list), and with a function.
term list_of(converter& in, term const&, script::node const& call) {
    auto const list = first_argument(in, call);
    if (!list.is(shape::list) && !list.is(shape::items))
        return in.refuse("Array.from() is converted for lists only");
    auto const* function = argument(call, 1);
    if (!function) return list;
    auto const text = in.function_of(*function, shape::unknown, false);
    return text ? calling(list, "map", text->names + ", " + text->body, shape::list) : term();
}

term distinct_list(converter& in, term const&, script::node const& call) {
    if (!argument(call, 0)) return term_of("[]", shape::list);
    return calling(first_argument(in, call), "distinct", {}, shape::list);
}

term text_of_any(converter& in, term const&, script::node const& call) {
    return as_text(first_argument(in, call));
}

term number_of_any(converter& in, term const&, script::node const& call) {
    auto const value = first_argument(in, call);
    return value.is(shape::number) ? value : as_number(value);
}

term whole_of_any(converter& in, term const&, script::node const& call) {
    auto const* base = argument(call, 1);
    if (base && in.constant_number(*base) != 10)
        return in.refuse("parseInt() in another base has no counterpart");
    return term_of("int(" + first_argument(in, call).text + ")", shape::number);
}

term truth_of_any(converter& in, term const&, script::node const& call) {
    return in.condition_of(*argument(call, 0));
}

term url_encoded(converter& in, term const&, script::node const& call) {
    return calling(as_text(first_argument(in, call)), "urlEncode", {}, shape::text);
}

// encodeURI leaves what a whole address consists of.
term address_encoded(converter& in, term const&, script::node const& call) {
    auto result = calling(as_text(first_argument(in, call)), "urlEncode", {}, shape::text);
    constexpr std::array<std::pair<std::string_view, char>, 16> kept{
        {{"%3B", ';'},
         {"%2C", ','},
         {"%2F", '/'},
         {"%3F", '?'},
         {"%3A", ':'},
         {"%40", '@'},
         {"%26", '&'},
         {"%3D", '='},
         {"%2B", '+'},
         {"%24", '$'},
         {"%23", '#'},
         {"%21", '!'},
         {"%2A", '*'},
         {"%27", '\''},
         {"%28", '('},
         {"%29", ')'}}};
    for (auto const& [code, character] : kept)
        result = calling(
            result,
            "replace",
            text_literal(code) + ", " + text_literal(std::string_view(&character, 1)),
            shape::text
        );
    return result;
}

term url_decoded(converter& in, term const&, script::node const& call) {
    return calling(first_argument(in, call), "urlDecode", {}, shape::text);
}

template<bool Encode>
term base64_of(converter& in, term const&, script::node const& call) {
    return term_of(
        std::string(Encode ? "base64.encode(" : "base64.decode(") + first_argument(in, call).text +
            ")",
        shape::text
    );
}

term chosen(converter& in, term const&, script::node const& call) {
    script::node choice{.kind = node_kind::choice};
    choice.operands.assign(call.operands.begin() + 1, call.operands.end());
    return in.value_of(choice);
}

term if_empty(converter& in, term const&, script::node const& call) {
    auto const other = in.value_of(*argument(call, 1));
    return in.bound(first_argument(in, call), [&](term const& value) {
        return term{
            .text = within(value) + ".isEmpty() ? " + within(other, binding::either) + " : " +
                    value.text,
            .binding = binding::choice};
    });
}

// $jmespath(value, "a.b"): a path of names.
term by_path(converter& in, term const&, script::node const& call) {
    auto value = first_argument(in, call);
    auto const path = in.constant_text(*argument(call, 1));
    if (!path) return in.refuse("a JMESPath is computed");
    for (auto rest = std::string_view(*path);;) {
        auto const name = rest.substr(0, rest.find('.'));
        if (!is_word_of_ours(name)) return in.refuse("a JMESPath is more than a path of names");
        value.renamed = {};
        value = optional_member(value, name);
        if (name.size() == rest.size()) return value;
        rest.remove_prefix(name.size() + 1);
    }
}

// $fromAI("key", "description", "type", default)
term from_model(converter& in, term const&, script::node const& call) {
    std::string arguments;
    for (std::size_t i = 0; i < 3 && argument(call, i); ++i) {
        auto text = in.constant_text(*argument(call, i));
        if (!text) return in.refuse("$fromAI() has constant texts only");
        if (i == 0)
            std::ranges::replace_if(
                *text,
                [](char c) { return !is_word_of_ours("a" + std::string(1, c)) && c != '-'; },
                '_'
            );
        if (i == 2 && *text == "json") text = "object";
        arguments += (i == 0 ? "" : ", ") + text_literal(*text);
    }
    if (argument(call, 3)) in.remark("a value that the model leaves out has no default");
    return term_of("$from_ai(" + arguments + ")");
}

} // namespace

std::span<method const> object_methods() {
    static constexpr std::array all{
        method{"hasOwnProperty", 1, 1, has_field},
        method{"hasField", 1, 1, has_field},
        method{"keys", 0, 0, names_of_members},
        method{"values", 0, 0, names_of_members},
        method{"round", 0, 1, rounded},
        method{"floor", 0, 0, rounded},
        method{"ceil", 0, 0, rounded},
        method{"abs", 0, 0, rounded},
    };
    return all;
}

std::span<method const> value_functions() {
    static constexpr std::array all{
        method{"Math.round", 1, 1, rounded},
        method{"Math.floor", 1, 1, rounded},
        method{"Math.ceil", 1, 1, rounded},
        method{"Math.abs", 1, 1, rounded},
        method{"Math.sqrt", 1, 1, of_numbers},
        method{"Math.trunc", 1, 1, of_numbers},
        method{"Math.sign", 1, 1, of_numbers},
        method{"Math.pow", 2, 2, of_numbers},
        method{"Math.random", 0, 0, random_number},
        method{"Math.max", 1, 8, of_numbers},
        method{"Math.min", 1, 8, of_numbers},
        method{"$max", 1, 8, of_numbers},
        method{"$min", 1, 8, of_numbers},
        method{"JSON.stringify", 1, 3, written_json},
        method{"JSON.parse", 1, 1, read_json},
        method{"Object.keys", 1, 1, members_of_object<keys_name>},
        method{"Object.values", 1, 1, members_of_object<values_name>},
        method{"Object.entries", 1, 1, entries_of_object},
        method{"Object.fromEntries", 1, 1, object_of_entries},
        method{"Object.assign", 1, 8, assigned},
        method{"Array.isArray", 1, 1, is_list},
        method{"Array.from", 1, 2, list_of},
        method{"new Set", 0, 1, distinct_list},
        method{"String", 1, 1, text_of_any},
        method{"Number", 1, 1, number_of_any},
        method{"parseFloat", 1, 1, number_of_any},
        method{"Number.parseFloat", 1, 1, number_of_any},
        method{"parseInt", 1, 2, whole_of_any},
        method{"Number.parseInt", 1, 2, whole_of_any},
        method{"Boolean", 1, 1, truth_of_any},
        method{"encodeURIComponent", 1, 1, url_encoded},
        method{"encodeURI", 1, 1, address_encoded},
        method{"decodeURIComponent", 1, 1, url_decoded},
        method{"decodeURI", 1, 1, url_decoded},
        method{"btoa", 1, 1, base64_of<true>},
        method{"atob", 1, 1, base64_of<false>},
        method{"$if", 3, 3, chosen},
        method{"$ifEmpty", 2, 2, if_empty},
        method{"$jmespath", 2, 2, by_path},
        method{"$fromAI", 1, 4, from_model},
        method{"$fromAi", 1, 4, from_model},
        method{"$fromai", 1, 4, from_model},
    };
    return all;
}

} // namespace postrider::agent::flow::n8n
