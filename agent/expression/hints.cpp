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

constexpr std::array foreign_functions{
    translation{"all", "`$input` has all items: $input.map(i, i.name)"},
    translation{"append", "`+` appends: items + [item]"},
    translation{"at", "items[0] is the first item, last() the last one"},
    translation{"base64Decode", "use base64.decode()"},
    translation{"base64Encode", "use base64.encode()"},
    translation{"beginningOf", "use startOf(): $now.startOf(\"month\")"},
    translation{"bytes", "hash and encode the string itself; its UTF-8 bytes count"},
    translation{"compact", "use filter(): items.filter(i, i != null)"},
    translation{"concat", "`+` joins strings, and arrays"},
    translation{"count", "size() counts: items.filter(i, i.ok).size()"},
    translation{"date", "timestamp(\"2026-11-21\") reads a date"},
    translation{"diff", "use until() for the duration: from.until(to)"},
    translation{"diffTo", "use until() for the duration: from.until(to)"},
    translation{"diffToNow", "use until() for the duration: from.until($now)"},
    translation{"encodeURIComponent", "use urlEncode()"},
    translation{
        "endOf", "use the start of the next one: $now.startOf(\"month\").plus(1, \"month\")"},
    translation{
        "endOfMonth", "use the start of the next one: $now.startOf(\"month\").plus(1, \"month\")"},
    translation{"every", "use `all`: items.all(i, i.ok)"},
    translation{"extractDomain", "use regex.extract(text, pattern)"},
    translation{"extractEmail", "use regex.extract(text, pattern)"},
    translation{"extractUrl", "use regex.extract(text, pattern)"},
    translation{"findAll", "use regex.extractAll(text, pattern)"},
    translation{
        "findIndex",
        "use a macro with two names: items.transformList(i, item, item.ok, i).first()"},
    translation{"flatMap", "use map() and flatten(): items.map(i, i.tags).flatten()"},
    translation{"forEach", "use `map`: items.map(i, i.name)"},
    translation{"formatDate", "use format(instant, \"%Y-%m-%d\")"},
    translation{"getDay", "use getDayOfWeek(); Sunday is 0"},
    translation{"getTime", "use unixMillis(), the milliseconds since 1970"},
    translation{"getYear", "use getFullYear()"},
    translation{"hasField", "use has($json.name)"},
    translation{"hasOwnProperty", "use `in`: \"name\" in $json"},
    translation{"if", "use `condition ? a : b`"},
    translation{"ifEmpty", "use optional.ofNonZeroValue(a).orValue(b)"},
    translation{"includes", "use contains(), or `in`: \"a\" in [\"a\", \"b\"]"},
    translation{"isArray", "use type(): type(value) == \"array\""},
    translation{"isBetween", "use `<=`: timestamp(a) <= timestamp(b)"},
    translation{"isEmail", "use matches(): text.matches(r\"^\\S+@\\S+$\")"},
    translation{"isEven", "use `%`: n % 2 == 0"},
    translation{"isInteger", "use floor(): floor(n) == n"},
    translation{"isNotEmpty", "put `!` in front: !$json.tags.isEmpty()"},
    translation{"isNumeric", "use matches(): text.matches(r\"^-?\\d+(\\.\\d+)?$\")"},
    translation{"isOdd", "use `%`: n % 2 != 0"},
    translation{"isSorted", "use sort(): items.sort() == items"},
    translation{"isUrl", "use matches(): text.matches(r\"^https?://\")"},
    translation{"isWeekend", "use getDayOfWeek(): $now.getDayOfWeek() in [0, 6]"},
    translation{"len", "size() counts"},
    translation{"length", "size() counts"},
    translation{"log", "there is no logarithm, and no console"},
    translation{"match", "use matches() for true or false, captures() for the groups"},
    translation{"now", "`$now` is the time"},
    translation{"number", "double() reads a number"},
    translation{"orderBy", "use sortBy(): items.sortBy(i, i.price)"},
    translation{"parse", "fromJson() reads JSON, timestamp() a time"},
    translation{"parseFloat", "double() reads a number"},
    translation{"parseInt", "int() reads a whole number"},
    translation{"parseJson", "fromJson() reads JSON"},
    translation{"pluck", "use a macro: items.map(i, i.name)"},
    translation{"pop", "last() gives the last item"},
    translation{"push", "`+` appends: items + [item]"},
    translation{"random", "there are no random values; uuid() is new in each execution"},
    translation{"randomItem", "there are no random values; uuid() is new in each execution"},
    translation{"removeDuplicates", "distinct() drops repetitions"},
    translation{"removeField", "use omit(): value.omit([\"name\"])"},
    translation{"removeTags", "use regex.replace(text, r\"<[^>]*>\", \"\")"},
    translation{"renameKeys", "write a new object: {\"title\": value.name}"},
    translation{"replaceAll", "replace() replaces all"},
    translation{"setZone", "use inZone()"},
    translation{"shift", "first() gives the first item"},
    translation{
        "smartJoin", "use a macro: items.transformMapEntry(i, item, {item.name: item.value})"},
    translation{"some", "use `exists`: items.exists(i, i.ok)"},
    translation{"splice", "slice() gives a part"},
    translation{"str", "string() makes a string"},
    translation{"stringify", "toJson() writes JSON"},
    translation{"strip", "trim() trims both ends"},
    translation{"substr", "substring(from, to) gives a part"},
    translation{"test", "use matches(): text.matches(r\"\\d+\")"},
    translation{"toBoolean", "bool() reads it"},
    translation{"toDate", "timestamp() reads a time"},
    translation{"toDateTime", "timestamp() reads a time"},
    translation{"today", "`$now.startOf(\"day\")` is today"},
    translation{
        "toFixed", "format() writes digits: \"%.2f\".format([price]); round(price, 2) is a number"},
    translation{"toFormat", "use format(instant, \"%Y-%m-%d\")"},
    translation{"toInt", "int() reads a whole number"},
    translation{"toISO", "an instant is a text in ISO 8601 already"},
    translation{"toISOString", "an instant is a text in ISO 8601 already"},
    translation{"toJsonString", "toJson() writes JSON"},
    translation{"toLocaleDateString", "use format(instant, \"%d.%m.%Y\")"},
    translation{"toLocaleString", "format() writes it: \"%.2f\".format([price])"},
    translation{"toLower", "use lower()"},
    translation{"toLowerCase", "use lower()"},
    translation{"toMillis", "use unixMillis(), the milliseconds since 1970"},
    translation{"toNumber", "double() reads a number"},
    translation{"toSentenceCase", "capitalize() changes the first letter"},
    translation{"toSnakeCase", "use lower() and replace()"},
    translation{"toString", "string() makes a string"},
    translation{"toTitleCase", "capitalize() changes the first letter"},
    translation{"toUpper", "use upper()"},
    translation{"toUpperCase", "use upper()"},
    translation{"trimEnd", "trim() trims both ends"},
    translation{"trimStart", "trim() trims both ends"},
    translation{"typeof", "use type()"},
    translation{"union", "use distinct(): (a + b).distinct()"},
    translation{"unique", "distinct() drops repetitions"},
    translation{"zfill", "use padStart()"},
};

constexpr std::array members{
    translation{"all", "`$input` has all items: $input.map(i, i.name)"},
    translation{"item", "`$json` is the current item"},
    translation{"json", "an item is the value itself, and `$json` the current one"},
    translation{"length", "size() counts"},
};

constexpr std::array variables{
    translation{"$binary", "an item is JSON and contains no files"},
    translation{"$env", "settings of the operator are in `$vars`"},
    translation{"$fromAI", "write $from_ai(\"key\", \"description\")"},
    translation{"$if", "use `condition ? a : b`"},
    translation{"$ifEmpty", "use optional.ofNonZeroValue(a).orValue(b)"},
    translation{"$item", "`$json` is the current item"},
    translation{"$itemIndex", "use a macro with two names: $input.transformList(i, item, i)"},
    translation{"$items", "`$input` has all items"},
    translation{"$jmespath", "use members, indices and macros: $json.items.map(i, i.name)"},
    translation{"$max", "use max()"},
    translation{"$min", "use min()"},
    translation{"$prevNode", "the result of a node is $node[\"Name\"].json"},
    translation{"$secrets", "expressions cannot read secrets; parameters refer to them by name"},
    translation{"$today", "use $now.startOf(\"day\")"},
    translation{"$workflow", "use `$execution`"},
};

constexpr std::array words{
    translation{"and", "here it is `&&`"},
    translation{"Array", "use type(): type(value) == \"array\""},
    translation{"b", "there are no bytes; write the string without the b"},
    translation{"bool", "type() gives a string, such as \"bool\""},
    translation{"Boolean", "bool() reads a text"},
    translation{"console", "there is no console"},
    translation{"Date", "`$now` is the time, and timestamp() reads one"},
    translation{"DateTime", "`$now` is the time, and timestamp() reads one"},
    translation{"double", "type() gives a string, such as \"number\""},
    translation{"else", "use `condition ? a : b`"},
    translation{"False", "here it is `false`"},
    translation{"function", "a macro names its variable: items.map(i, i.price)"},
    translation{"if", "use `condition ? a : b`"},
    translation{"Infinity", "there is none: a result that is too large is an error"},
    translation{"int", "type() gives a string, such as \"number\""},
    translation{"Intl", "format() writes numbers and times"},
    translation{"is", "`==` compares"},
    translation{"item", "`$json` is the current item"},
    translation{"items", "`$input` has all items"},
    translation{"JSON", "toJson() writes JSON, fromJson() reads it"},
    translation{"lambda", "a macro names its variable: items.map(i, i.price)"},
    translation{"let", "cel.bind(name, value, expression) names a value"},
    translation{"list", "type() gives a string, such as \"array\""},
    translation{"map", "type() gives a string, such as \"object\""},
    translation{"Math", "write the function without Math: round(1.5)"},
    translation{"moment", "`$now` is the time, and timestamp() reads one"},
    translation{"NaN", "there is none: a division by zero is an error"},
    translation{"new", "`$now` is the time, and timestamp() reads one"},
    translation{"nil", "here it is `null`"},
    translation{"None", "here it is `null`"},
    translation{"not", "here it is `!`"},
    translation{"Number", "double() reads a number"},
    translation{"Object", "use keys(), values() or entries()"},
    translation{"or", "here it is `||`"},
    translation{"RegExp", "matches() and captures() take a pattern: text.matches(r\"\\d+\")"},
    translation{"request", "`$json` is the current item"},
    translation{"self", "`$json` is the current item"},
    translation{"String", "string() makes a string"},
    translation{"string", "type() gives a string, such as \"string\""},
    translation{"this", "`$json` is the current item"},
    translation{"True", "here it is `true`"},
    translation{"typeof", "use type(value)"},
    translation{
        "undefined", "check with has(), or use `.?`, which is null if the member is missing"},
};

std::string hint(std::span<translation const> translations, std::string_view name) {
    auto const place = std::ranges::find(translations, name, &translation::foreign);
    return place == translations.end() ? std::string() : "; " + std::string(place->hint);
}

} // namespace

std::string hint_for_function(std::string_view name) {
    return hint(foreign_functions, name);
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
