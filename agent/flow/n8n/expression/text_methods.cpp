// Methods of texts, and those that texts and lists share.
#include "agent/flow/n8n/expression/converter.hpp"

#include <fmt/format.h>

#include <array>

namespace postrider::agent::flow::n8n {

namespace {

struct direct_name {
    std::string_view script;
    std::string_view here;
    shape kind = shape::text;
};
// The same by another name, with the same arguments.
constexpr std::array<direct_name, 12> direct_names{{
    {"toLowerCase", "lower"},
    {"toLocaleLowerCase", "lower"},
    {"toUpperCase", "upper"},
    {"toLocaleUpperCase", "upper"},
    {"trim", "trim"},
    {"urlEncode", "urlEncode"},
    {"urlDecode", "urlDecode"},
    {"toJsonString", "toJson"},
    {"parseJson", "fromJson", shape::unknown},
    {"isEmpty", "isEmpty", shape::boolean},
    {"toInt", "int", shape::number},
    {"toWholeNumber", "int", shape::number},
}};

term direct(converter&, term const& of, script::node const& call) {
    for (auto const& known : direct_names)
        if (known.script == call[0].text) return calling(of, known.here, {}, known.kind);
    return {};
}

// The needle of a search, which is a text of ours.
template<fmt::string_view const& Function>
term searched(converter& in, term const& of, script::node const& call) {
    auto const needle = in.value_of(*argument(call, 0));
    if (needle.is(shape::pattern)) return in.refuse("a pattern is searched for");
    return calling(of, {Function.data(), Function.size()}, needle.text, shape::boolean);
}
constexpr fmt::string_view contains_name = "contains";
constexpr fmt::string_view starts_name = "startsWith";
constexpr fmt::string_view ends_name = "endsWith";

term position_of(converter& in, term const& of, script::node const& call) {
    auto const needle = in.value_of(*argument(call, 0));
    return calling(of, call[0].text, needle.text, shape::number);
}

term padded_text(converter& in, term const& of, script::node const& call) {
    auto arguments = in.value_of(*argument(call, 0)).text;
    if (auto const* fill = argument(call, 1)) arguments += ", " + in.value_of(*fill).text;
    return calling(as_text(of), call[0].text, arguments, shape::text);
}

term repeated(converter& in, term const& of, script::node const& call) {
    return calling(of, "repeat", in.value_of(*argument(call, 0)).text, shape::text);
}

term char_at(converter& in, term const& of, script::node const& call) {
    return calling(of, "charAt", in.value_of(*argument(call, 0)).text, shape::text);
}

// A position, from the end where it is negative, within the value.
std::optional<std::string> bounded_position(
    converter& in, term const& value, script::node const& node, bool from_end
) {
    auto const number = in.constant_number(node);
    auto const size = within(value) + ".size()";
    if (number && *number == 0) return "0";
    if (number && *number < 0)
        return from_end ? fmt::format("max({} - {}, 0)", size, -*number) : "0";
    auto const position = in.value_of(node);
    if (!number && from_end && !position.is(shape::number)) return std::nullopt;
    return "min(" + position.text + ", " + size + ")";
}

// The part from one position to another one.
term part_between(
    converter& in,
    term const& of,
    std::string_view function,
    script::node const& call,
    bool from_end
) {
    auto const* begin = argument(call, 0);
    auto const* end = argument(call, 1);
    auto const first = begin ? in.constant_number(*begin) : std::optional(0.0);
    auto const last = end ? in.constant_number(*end) : std::nullopt;
    if (first && last && *first >= 0 && *last >= 0 && *last < *first)
        return in.refuse("a part ends before it begins");
    bool const list = of.is(shape::list) || of.is(shape::items);
    auto result = in.bound(of, [&](term const& value) {
        auto const from = begin ? bounded_position(in, value, *begin, from_end) : "0";
        auto const to = end ? bounded_position(in, value, *end, from_end) : "";
        if (!from || !to) return in.refuse("the sign of a position is not known");
        return calling(value, function, *from + (end ? ", " + *to : ""));
    });
    result.shape = list ? of.shape : function == "substring" ? shape::text : of.shape;
    if (list) result.renamed = of.renamed;
    result.simple = false;
    return result;
}

term sliced(converter& in, term const& of, script::node const& call) {
    return part_between(in, of, "slice", call, true);
}

term substring_of(converter& in, term const& of, script::node const& call) {
    return part_between(in, of, "substring", call, false);
}

// substr(position, length)
term substr_of(converter& in, term const& of, script::node const& call) {
    auto const first = in.constant_number(*argument(call, 0));
    auto const* length = argument(call, 1);
    auto const count = length ? in.constant_number(*length) : std::nullopt;
    if (!first || *first < 0 || (length && (!count || *count < 0)))
        return in.refuse("substr() is converted for numbers only");
    return in.bound(of, [&](term const& value) {
        auto const size = within(value) + ".size()";
        auto arguments = fmt::format("min({}, {})", *first, size);
        if (count) arguments += fmt::format(", min({}, {})", *first + *count, size);
        return calling(value, "substring", arguments, shape::text);
    });
}

term joined(converter& in, term const& of, script::node const& call) {
    auto result = of;
    for (std::size_t i = 0; auto const* next = argument(call, i); ++i) {
        auto value = in.value_of(*next);
        bool const list = of.is(shape::list);
        if (list && !value.is(shape::list)) {
            if (value.is(shape::unknown)) return in.refuse("concat() joins a list with a value");
            value = term_of("[" + value.text + "]", shape::list);
        }
        if (!list && !of.is(shape::text) && !value.is(shape::text) && !value.is(shape::list))
            return in.refuse("concat() joins values that may be lists or texts");
        result = sum_of(result, value);
        if (list || value.is(shape::list)) result.shape = shape::list;
    }
    return result;
}

term text_of_value(converter& in, term const& of, script::node const& call) {
    if (argument(call, 0)) return in.refuse("toString() in another base has no counterpart");
    return as_text(of);
}

term fixed(converter& in, term const& of, script::node const& call) {
    auto const* places = argument(call, 0);
    auto const count = places ? in.constant_number(*places) : std::optional(0.0);
    if (!count || *count < 0 || *count > 15) return in.refuse("toFixed() has no constant number");
    return term_of(fmt::format("\"%.{}f\".format([{}])", *count, of.text), shape::text);
}

term number_from(converter&, term const& of, script::node const&) {
    return as_number(of);
}

term boolean_from(converter&, term const& of, script::node const&) {
    return term_of(
        "!(" + within(as_text(of)) + ".lower() in [\"false\", \"0\", \"no\", \"\"])", shape::boolean
    );
}

term not_empty(converter&, term const& of, script::node const&) {
    return {
        .text = "!" + within(of) + ".isEmpty()", .shape = shape::boolean, .binding = binding::sign};
}

term hashed(converter& in, term const& of, script::node const& call) {
    auto const* algorithm = argument(call, 0);
    auto const name = algorithm ? in.constant_text(*algorithm) : std::optional<std::string>("md5");
    if (!name || (*name != "md5" && *name != "sha1" && *name != "sha256" && *name != "sha512"))
        return in.refuse("there is no such hash here");
    return calling(of, "hash", text_literal(*name), shape::text);
}

template<bool Encode>
term base64(converter&, term const& of, script::node const&) {
    return term_of(
        std::string(Encode ? "base64.encode(" : "base64.decode(") + of.text + ")", shape::text
    );
}

term domain_of(converter&, term const& of, script::node const&) {
    return term_of(
        "regex.extract(" + of.text + R"re(, r"^(?:[a-zA-Z]+://)?([^/:?#]+)").orValue(null))re"
    );
}

term capitalized_text(converter&, term const& of, script::node const&) {
    return calling(of, "capitalize", {}, shape::text);
}

constexpr std::array text_methods_here{
    method{"toLowerCase", 0, 0, direct},
    method{"toLocaleLowerCase", 0, 0, direct},
    method{"toUpperCase", 0, 0, direct},
    method{"toLocaleUpperCase", 0, 0, direct},
    method{"trim", 0, 0, direct},
    method{"urlEncode", 0, 1, direct},
    method{"urlDecode", 0, 1, direct},
    method{"toJsonString", 0, 0, direct},
    method{"parseJson", 0, 0, direct},
    method{"isEmpty", 0, 0, direct},
    method{"toInt", 0, 0, direct},
    method{"toWholeNumber", 0, 0, direct},
    method{"includes", 1, 1, searched<contains_name>},
    method{"startsWith", 1, 1, searched<starts_name>},
    method{"endsWith", 1, 1, searched<ends_name>},
    method{"indexOf", 1, 1, position_of},
    method{"lastIndexOf", 1, 1, position_of},
    method{"padStart", 1, 2, padded_text},
    method{"padEnd", 1, 2, padded_text},
    method{"repeat", 1, 1, repeated},
    method{"charAt", 1, 1, char_at},
    method{"slice", 0, 2, sliced},
    method{"substring", 1, 2, substring_of},
    method{"substr", 1, 2, substr_of},
    method{"concat", 1, 8, joined},
    method{"toString", 0, 1, text_of_value},
    method{"toFixed", 0, 1, fixed},
    method{"toNumber", 0, 0, number_from},
    method{"toFloat", 0, 0, number_from},
    method{"toBoolean", 0, 0, boolean_from},
    method{"isNotEmpty", 0, 0, not_empty},
    method{"hash", 0, 1, hashed},
    method{"base64Encode", 0, 0, base64<true>},
    method{"base64Decode", 0, 0, base64<false>},
    method{"extractDomain", 0, 0, domain_of},
    method{"toSentenceCase", 0, 0, capitalized_text},
};

} // namespace

std::span<method const> text_methods() {
    return text_methods_here;
}

} // namespace postrider::agent::flow::n8n
