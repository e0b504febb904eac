#include "agent/expression/hints.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace postrider::agent::expressions {

namespace {

struct translation {
    std::string_view foreign;
    std::string_view hint;
};

constexpr std::array functions{
    translation{"all", "`$input` has all items: $input.map(i, i.name)"},
    translation{"at", "items[0] is the first item, last() the last one"},
    translation{"bytes", "a string is hashed and encoded as its UTF-8"},
    translation{"concat", "`+` joins strings, and arrays"},
    translation{"count", "size() counts: items.filter(i, i.ok).size()"},
    translation{"date", "timestamp(\"2026-11-21\") reads a date"},
    translation{"encodeURIComponent", "urlEncode() does it"},
    translation{"every", "`all` tells it: items.all(i, i.ok)"},
    translation{"extractEmail", "regex.extract(text, pattern) does it"},
    translation{"forEach", "`map` goes through an array: items.map(i, i.name)"},
    translation{"formatDate", "format(instant, \"%Y-%m-%d\") does it"},
    translation{"hasField", "has($json.name) tells it"},
    translation{"hasOwnProperty", "`in` tells it: \"name\" in $json"},
    translation{"if", "`condition ? a : b` chooses"},
    translation{"ifEmpty", "optional.ofNonZeroValue(a).orValue(b) does it"},
    translation{"includes", "contains() tells it, and `in`: \"a\" in [\"a\", \"b\"]"},
    translation{"isNotEmpty", "`!` stands in front: !$json.tags.isEmpty()"},
    translation{"len", "size() counts"},
    translation{"length", "size() counts"},
    translation{"log", "there is no logarithm, and no console"},
    translation{"match", "matches() tells whether, captures() gives the groups"},
    translation{"now", "`$now` is the time"},
    translation{"number", "double() reads a number"},
    translation{"parse", "fromJson() reads JSON, timestamp() a time"},
    translation{"parseFloat", "double() reads a number"},
    translation{"parseInt", "int() reads a whole number"},
    translation{"pluck", "a macro does it: items.map(i, i.name)"},
    translation{"pop", "last() gives the last item"},
    translation{"push", "`+` appends: items + [item]"},
    translation{"random", "nothing is random here; uuid() is new in each execution"},
    translation{"replaceAll", "replace() replaces all"},
    translation{"shift", "first() gives the first item"},
    translation{"some", "`exists` tells it: items.exists(i, i.ok)"},
    translation{"splice", "slice() gives a part"},
    translation{"str", "string() makes a string"},
    translation{"stringify", "toJson() writes JSON"},
    translation{"substr", "substring(from, to) gives a part"},
    translation{"test", "matches() tells it: text.matches(r\"\\d+\")"},
    translation{"toDate", "timestamp() reads a time"},
    translation{"toDateTime", "timestamp() reads a time"},
    translation{
        "toFixed", "format() writes digits: \"%.2f\".format([price]); round(price, 2) is a number"},
    translation{"toFormat", "format(instant, \"%Y-%m-%d\") does it"},
    translation{"toISO", "an instant is a text in ISO 8601 already"},
    translation{"toISOString", "an instant is a text in ISO 8601 already"},
    translation{"toInt", "int() reads a whole number"},
    translation{"toJsonString", "toJson() writes JSON"},
    translation{"toLocaleString", "format() writes it: \"%.2f\".format([price])"},
    translation{"toLowerCase", "lower() does it"},
    translation{"toNumber", "double() reads a number"},
    translation{"toString", "string() makes a string"},
    translation{"toTitleCase", "capitalize() changes the first letter"},
    translation{"toUpperCase", "upper() does it"},
    translation{"today", "`$now.startOf(\"day\")` is today"},
    translation{"trimEnd", "trim() trims both ends"},
    translation{"trimStart", "trim() trims both ends"},
    translation{"typeof", "type() gives it"},
    translation{"unique", "distinct() drops repetitions"},
    translation{"zfill", "padStart() does it"},
};

constexpr std::array members{
    translation{"all", "`$input` has all items: $input.map(i, i.name)"},
    translation{"item", "`$json` is the current item"},
    translation{"json", "an item is the value itself, and `$json` the current one"},
    translation{"length", "size() counts"},
};

constexpr std::array variables{
    translation{"$env", "what the operator has configured is in `$vars`"},
    translation{"$if", "`condition ? a : b` chooses"},
    translation{"$ifEmpty", "optional.ofNonZeroValue(a).orValue(b) does it"},
    translation{"$item", "`$json` is the current item"},
    translation{"$itemIndex", "a macro of two names counts: $input.transformList(i, item, i)"},
    translation{"$items", "`$input` has all items"},
    translation{
        "$jmespath", "members, indices and macros go through data: $json.items.map(i, i.name)"},
    translation{"$prevNode", "what a node gave is $node[\"Name\"].json"},
    translation{"$today", "it is $now.startOf(\"day\")"},
    translation{"$workflow", "this execution is `$execution`"},
};

constexpr std::array words{
    translation{"False", "here it is `false`"},
    translation{"None", "here it is `null`"},
    translation{"True", "here it is `true`"},
    translation{"and", "here it is `&&`"},
    translation{"DateTime", "`$now` is the time, and timestamp() reads one"},
    translation{"Date", "`$now` is the time, and timestamp() reads one"},
    translation{"b", "there are no bytes; a string stands without a b"},
    translation{"bool", "type() gives a string, such as \"bool\""},
    translation{"double", "type() gives a string, such as \"number\""},
    translation{"else", "`condition ? a : b` chooses"},
    translation{"if", "`condition ? a : b` chooses"},
    translation{"int", "type() gives a string, such as \"number\""},
    translation{"is", "`==` compares"},
    translation{"JSON", "toJson() writes JSON, fromJson() reads it"},
    translation{"let", "cel.bind(name, value, expression) names a value"},
    translation{"list", "type() gives a string, such as \"array\""},
    translation{"map", "type() gives a string, such as \"object\""},
    translation{"Math", "the functions stand alone: round(1.5)"},
    translation{"new", "`$now` is the time, and timestamp() reads one"},
    translation{"nil", "here it is `null`"},
    translation{"not", "here it is `!`"},
    translation{"Number", "double() reads a number"},
    translation{"Object", "keys(), values() and entries() are functions"},
    translation{"or", "here it is `||`"},
    translation{"String", "string() makes a string"},
    translation{"string", "type() gives a string, such as \"string\""},
    translation{"typeof", "type(value) gives it"},
    translation{"undefined", "what is missing is asked for by has(), or is null behind `.?`"},
};

std::string hint(std::span<translation const> known, std::string_view name) {
    auto const found = std::ranges::find(known, name, &translation::foreign);
    return found == known.end() ? std::string() : "; " + std::string(found->hint);
}

} // namespace

std::string hint_for_function(std::string_view name) {
    return hint(functions, name);
}

std::string hint_for_member(std::string_view name) {
    return hint(members, name);
}

std::string hint_for_variable(std::string_view name) {
    return hint(variables, name);
}

std::string hint_for_word(std::string_view name) {
    return hint(words, name);
}

} // namespace postrider::agent::expressions
