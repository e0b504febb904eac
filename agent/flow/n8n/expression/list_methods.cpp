// Methods of lists. Functions become macros, which name their item: items.map(i, i.price).
#include "agent/flow/n8n/expression/converter.hpp"

#include <fmt/format.h>

#include <array>

namespace postrider::agent::flow::n8n {

using script::node_kind;

namespace {

// A list of the same kind of items, or of others.
term list_from(term const& of, std::string text, bool same_items) {
    auto result =
        term_of(std::move(text), same_items && of.is(shape::items) ? shape::items : shape::list);
    if (same_items) result.renamed = of.renamed;
    return result;
}

term with_function(
    converter& in,
    term const& of,
    script::node const& call,
    std::string_view macro,
    bool condition,
    std::string_view with_position = {}
) {
    auto const function = in.function_of(*argument(call, 0), kind_of_items(of), condition);
    if (!function) return {};
    bool const positions = function->names.find(',') != std::string::npos;
    auto const name = positions && !with_position.empty() ? with_position : macro;
    return calling(of, name, function->names + ", " + function->body, function->shape);
}

term mapped_list(converter& in, term const& of, script::node const& call) {
    return list_from(of, with_function(in, of, call, "map", false, "transformList").text, false);
}

term filtered(converter& in, term const& of, script::node const& call) {
    return list_from(of, with_function(in, of, call, "filter", true).text, true);
}

term found_item(converter& in, term const& of, script::node const& call) {
    auto result = with_function(in, of, call, "find", true);
    result.shape = kind_of_items(of);
    result.renamed = of.renamed;
    return result;
}

term flat_mapped(converter& in, term const& of, script::node const& call) {
    return calling(mapped_list(in, of, call), "flatten", {}, shape::list);
}

term any_of_list(converter& in, term const& of, script::node const& call) {
    auto result = with_function(in, of, call, "exists", true);
    result.shape = shape::boolean;
    return result;
}

term all_of_list(converter& in, term const& of, script::node const& call) {
    auto result = with_function(in, of, call, "all", true);
    result.shape = shape::boolean;
    return result;
}

term reduced(converter& in, term const& of, script::node const& call) {
    auto const& function = *argument(call, 0);
    if (!function.is(node_kind::arrow) || function.names.size() != 2)
        return in.refuse("reduce() needs a function of two parameters");
    auto const start = in.value_of(*argument(call, 1));
    auto const sum = term{
        .text = in.local_name(function.names[0]),
        .simple = true,
    };
    return in.with_name(function.names[0], sum, [&] {
        auto const item = term{
            .text = in.local_name(function.names[1]), .shape = kind_of_items(of), .simple = true};
        return in.with_name(function.names[1], item, [&] {
            auto const body = in.value_of(function[0]);
            return calling(
                of,
                "reduce",
                fmt::format("{}, {}, {}, {}", sum.text, item.text, start.text, body.text),
                start.shape == body.shape ? start.shape : shape::unknown
            );
        });
    });
}

// (a, b) => a.x - b.x, or a.x.localeCompare(b.x): the key of both, in this order or the other one.
struct sort_key {
    std::string name; // of the item
    std::string key;
    bool descending = false;
};
std::optional<sort_key> key_of(converter& in, script::node const& function, shape of) {
    auto const& body = function[0];
    bool const difference = body.is(node_kind::binary) && body.text == "-";
    bool const comparison = body.is(node_kind::call) && body.size() == 2 &&
                            body[0].is(node_kind::member) && body[0].text == "localeCompare";
    if (!difference && !comparison) return std::nullopt;
    auto const& left = difference ? body[0] : body[0][0];
    auto const& right = body[1];
    auto const& first = function.names[0];
    auto const& second = function.names[1];
    bool const ascending = same_tree(left, right, first, second);
    if (!ascending && !same_tree(left, right, second, first)) return std::nullopt;
    // Both sides say the same of one item each, so that the key is one of the item alone.
    auto const& name = ascending ? first : second;
    auto const item = term{.text = in.local_name(name), .shape = of, .simple = true};
    auto const key = in.with_name(name, item, [&] { return in.value_of(left).text; });
    return sort_key{item.text, key, !ascending};
}

term sorted(converter& in, term const& of, script::node const& call) {
    auto const* function = argument(call, 0);
    if (!function) return list_from(of, calling(of, "sort").text, true);
    bool const fits = function->is(node_kind::arrow) && function->names.size() == 2;
    auto const key = fits ? key_of(in, *function, kind_of_items(of)) : std::nullopt;
    if (!key) return in.refuse("sort() is converted where it compares one value of both items");
    auto text = fmt::format("{}.sortBy({}, {})", within(of), key->name, key->key);
    if (key->descending) text += ".reverse()";
    return list_from(of, std::move(text), true);
}

struct same_name {
    std::string_view script;
    std::string_view here;
    bool same_items = true;
};
constexpr std::array<same_name, 6> same_names{{
    {"reverse", "reverse"},
    {"unique", "distinct"},
    {"removeDuplicates", "distinct"},
    {"toReversed", "reverse"},
    {"flat", "flatten", false},
    {"chunk", "chunk", false},
}};

term renamed_method(converter& in, term const& of, script::node const& call) {
    auto const* first = argument(call, 0);
    for (auto const& known : same_names)
        if (known.script == call[0].text)
            return list_from(
                of,
                calling(of, known.here, first ? in.value_of(*first).text : "").text,
                known.same_items
            );
    return {};
}

term number_of_list(converter&, term const& of, script::node const& call) {
    return calling(of, call[0].text, {}, shape::number);
}

term joined_items(converter& in, term const& of, script::node const& call) {
    auto const* separator = argument(call, 0);
    auto const text = separator ? as_text(in.value_of(*separator)).text : "\",\"";
    return calling(of, "join", text, shape::text);
}

template<bool Last>
term end_item(converter& in, term const& of, script::node const& call) {
    if (argument(call, 0)) return in.refuse("a number of first or last items has no counterpart");
    auto result = calling(of, Last ? "last" : "first", {}, kind_of_items(of));
    result.renamed = of.renamed;
    return result;
}

term item_at(converter& in, term const& of, script::node const& call) {
    auto const number = in.constant_number(*argument(call, 0));
    if (!number) return in.refuse("the position of an item is computed");
    if (*number == -1) {
        auto result = calling(of, "last", {}, kind_of_items(of));
        result.renamed = of.renamed;
        return result;
    }
    if (*number < 0) return in.refuse("an index is negative");
    return {
        .text = fmt::format("{}[?{}]", within(of), *number),
        .shape = kind_of_items(of),
        .optional = true,
        .renamed = of.renamed};
}

// splice(-1), splice(2, 1): what it takes out.
term taken_out(converter& in, term const& of, script::node const& call) {
    auto const first = in.constant_number(*argument(call, 0));
    auto const* length = argument(call, 1);
    auto const count = length ? in.constant_number(*length) : std::nullopt;
    if (!first || (length && (!count || *first < 0)))
        return in.refuse("splice() is converted for numbers only");
    return in.bound(of, [&](term const& list) {
        auto const size = within(list) + ".size()";
        auto arguments = *first < 0 ? fmt::format("max({} - {}, 0)", size, -*first)
                                    : fmt::format("min({}, {})", *first, size);
        if (count) arguments += fmt::format(", min({}, {})", *first + *count, size);
        return list_from(of, calling(list, "slice", arguments).text, true);
    });
}

term compacted(converter&, term const& of, script::node const&) {
    return list_from(of, calling(of, "filter", "i, !i.isEmpty()").text, true);
}

term plucked(converter& in, term const& of, script::node const& call) {
    auto const name = in.constant_text(*argument(call, 0));
    if (!name) return in.refuse("the name of a field is computed");
    auto const value = optional_member({.text = "i", .simple = true}, *name);
    return list_from(of, calling(of, "map", "i, " + value.text).text, false);
}

constexpr std::array list_methods_here{
    method{"map", 1, 1, mapped_list},
    method{"filter", 1, 1, filtered},
    method{"find", 1, 1, found_item},
    method{"flatMap", 1, 1, flat_mapped},
    method{"some", 1, 1, any_of_list},
    method{"every", 1, 1, all_of_list},
    method{"reduce", 2, 2, reduced},
    method{"sort", 0, 1, sorted},
    method{"toSorted", 0, 1, sorted},
    method{"reverse", 0, 0, renamed_method},
    method{"toReversed", 0, 0, renamed_method},
    method{"unique", 0, 0, renamed_method},
    method{"removeDuplicates", 0, 0, renamed_method},
    method{"flat", 0, 1, renamed_method},
    method{"chunk", 1, 1, renamed_method},
    method{"sum", 0, 0, number_of_list},
    method{"average", 0, 0, number_of_list},
    method{"min", 0, 0, number_of_list},
    method{"max", 0, 0, number_of_list},
    method{"join", 0, 1, joined_items},
    method{"first", 0, 1, end_item<false>},
    method{"last", 0, 1, end_item<true>},
    method{"at", 1, 1, item_at},
    method{"splice", 1, 2, taken_out},
    method{"compact", 0, 0, compacted},
    method{"pluck", 1, 1, plucked},
};

} // namespace

std::span<method const> list_methods() {
    return list_methods_here;
}

} // namespace postrider::agent::flow::n8n
