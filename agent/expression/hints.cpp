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
    translation{"base64Decode", "base64.decode() does it"},
    translation{"base64Encode", "base64.encode() does it"},
    translation{"beginningOf", "startOf() does it: $now.startOf(\"month\")"},
    translation{"bytes", "a string is hashed and encoded as its UTF-8"},
    translation{"compact", "filter() drops them: items.filter(i, i != null)"},
    translation{"concat", "`+` joins strings, and arrays"},
    translation{"count", "size() counts: items.filter(i, i.ok).size()"},
    translation{"date", "timestamp(\"2026-11-21\") reads a date"},
    translation{"diff", "until() gives the duration between: from.until(to)"},
    translation{"diffTo", "until() gives the duration between: from.until(to)"},
    translation{"diffToNow", "until() gives the duration between: from.until($now)"},
    translation{"encodeURIComponent", "urlEncode() does it"},
    translation{"endOf", "the next one begins there: $now.startOf(\"month\").plus(1, \"month\")"},
    translation{
        "endOfMonth", "the next one begins there: $now.startOf(\"month\").plus(1, \"month\")"},
    translation{"every", "`all` tells it: items.all(i, i.ok)"},
    translation{"extractDomain", "regex.extract(text, pattern) does it"},
    translation{"extractEmail", "regex.extract(text, pattern) does it"},
    translation{"extractUrl", "regex.extract(text, pattern) does it"},
    translation{"findAll", "regex.extractAll(text, pattern) does it"},
    translation{
        "findIndex",
        "a macro of two names counts: items.transformList(i, item, item.ok, i).first()"},
    translation{"flatMap", "map() and flatten() do it: items.map(i, i.tags).flatten()"},
    translation{"forEach", "`map` goes through an array: items.map(i, i.name)"},
    translation{"formatDate", "format(instant, \"%Y-%m-%d\") does it"},
    translation{"getDay", "getDayOfWeek() gives it, from Sunday, 0"},
    translation{"getTime", "unixMillis() gives milliseconds since 1970"},
    translation{"getYear", "getFullYear() gives it"},
    translation{"hasField", "has($json.name) tells it"},
    translation{"hasOwnProperty", "`in` tells it: \"name\" in $json"},
    translation{"if", "`condition ? a : b` chooses"},
    translation{"ifEmpty", "optional.ofNonZeroValue(a).orValue(b) does it"},
    translation{"includes", "contains() tells it, and `in`: \"a\" in [\"a\", \"b\"]"},
    translation{"isArray", "type() tells it: type(value) == \"array\""},
    translation{"isBetween", "`<=` tells it: timestamp(a) <= timestamp(b)"},
    translation{"isEmail", "matches() tells it: text.matches(r\"^\\S+@\\S+$\")"},
    translation{"isEven", "`%` tells it: n % 2 == 0"},
    translation{"isInteger", "floor() tells it: floor(n) == n"},
    translation{"isNotEmpty", "`!` stands in front: !$json.tags.isEmpty()"},
    translation{"isNumeric", "matches() tells it: text.matches(r\"^-?\\d+(\\.\\d+)?$\")"},
    translation{"isOdd", "`%` tells it: n % 2 != 0"},
    translation{"isSorted", "sort() tells it: items.sort() == items"},
    translation{"isUrl", "matches() tells it: text.matches(r\"^https?://\")"},
    translation{"isWeekend", "getDayOfWeek() tells it: $now.getDayOfWeek() in [0, 6]"},
    translation{"len", "size() counts"},
    translation{"length", "size() counts"},
    translation{"log", "there is no logarithm, and no console"},
    translation{"match", "matches() tells whether, captures() gives the groups"},
    translation{"now", "`$now` is the time"},
    translation{"number", "double() reads a number"},
    translation{"orderBy", "sortBy() does it: items.sortBy(i, i.price)"},
    translation{"parse", "fromJson() reads JSON, timestamp() a time"},
    translation{"parseFloat", "double() reads a number"},
    translation{"parseInt", "int() reads a whole number"},
    translation{"parseJson", "fromJson() reads JSON"},
    translation{"pluck", "a macro does it: items.map(i, i.name)"},
    translation{"pop", "last() gives the last item"},
    translation{"push", "`+` appends: items + [item]"},
    translation{"random", "nothing is random here; uuid() is new in each execution"},
    translation{"randomItem", "nothing is random here; uuid() is new in each execution"},
    translation{"removeDuplicates", "distinct() drops repetitions"},
    translation{"removeField", "omit() does it: value.omit([\"name\"])"},
    translation{"removeTags", "regex.replace(text, r\"<[^>]*>\", \"\") does it"},
    translation{"renameKeys", "an object is written anew: {\"title\": value.name}"},
    translation{"replaceAll", "replace() replaces all"},
    translation{"setZone", "inZone() does it"},
    translation{"shift", "first() gives the first item"},
    translation{
        "smartJoin",
        "a macro makes members: items.transformMapEntry(i, item, {item.name: item.value})"},
    translation{"some", "`exists` tells it: items.exists(i, i.ok)"},
    translation{"splice", "slice() gives a part"},
    translation{"str", "string() makes a string"},
    translation{"stringify", "toJson() writes JSON"},
    translation{"strip", "trim() trims both ends"},
    translation{"substr", "substring(from, to) gives a part"},
    translation{"test", "matches() tells it: text.matches(r\"\\d+\")"},
    translation{"toBoolean", "bool() reads it"},
    translation{"toDate", "timestamp() reads a time"},
    translation{"toDateTime", "timestamp() reads a time"},
    translation{"today", "`$now.startOf(\"day\")` is today"},
    translation{
        "toFixed", "format() writes digits: \"%.2f\".format([price]); round(price, 2) is a number"},
    translation{"toFormat", "format(instant, \"%Y-%m-%d\") does it"},
    translation{"toInt", "int() reads a whole number"},
    translation{"toISO", "an instant is a text in ISO 8601 already"},
    translation{"toISOString", "an instant is a text in ISO 8601 already"},
    translation{"toJsonString", "toJson() writes JSON"},
    translation{"toLocaleDateString", "format(instant, \"%d.%m.%Y\") does it"},
    translation{"toLocaleString", "format() writes it: \"%.2f\".format([price])"},
    translation{"toLower", "lower() does it"},
    translation{"toLowerCase", "lower() does it"},
    translation{"toMillis", "unixMillis() gives milliseconds since 1970"},
    translation{"toNumber", "double() reads a number"},
    translation{"toSentenceCase", "capitalize() changes the first letter"},
    translation{"toSnakeCase", "lower() and replace() do it"},
    translation{"toString", "string() makes a string"},
    translation{"toTitleCase", "capitalize() changes the first letter"},
    translation{"toUpper", "upper() does it"},
    translation{"toUpperCase", "upper() does it"},
    translation{"trimEnd", "trim() trims both ends"},
    translation{"trimStart", "trim() trims both ends"},
    translation{"typeof", "type() gives it"},
    translation{"union", "distinct() does it: (a + b).distinct()"},
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
    translation{"$binary", "an item is JSON: it holds no files"},
    translation{"$env", "what the operator has configured is in `$vars`"},
    translation{"$fromAI", "it is $from_ai(\"key\", \"description\")"},
    translation{"$if", "`condition ? a : b` chooses"},
    translation{"$ifEmpty", "optional.ofNonZeroValue(a).orValue(b) does it"},
    translation{"$item", "`$json` is the current item"},
    translation{"$itemIndex", "a macro of two names counts: $input.transformList(i, item, i)"},
    translation{"$items", "`$input` has all items"},
    translation{
        "$jmespath", "members, indices and macros go through data: $json.items.map(i, i.name)"},
    translation{"$max", "max() is a function"},
    translation{"$min", "min() is a function"},
    translation{"$prevNode", "what a node gave is $node[\"Name\"].json"},
    translation{"$secrets", "an expression sees no secret; parameters name them"},
    translation{"$today", "it is $now.startOf(\"day\")"},
    translation{"$workflow", "this execution is `$execution`"},
};

constexpr std::array words{
    translation{"and", "here it is `&&`"},
    translation{"Array", "type() tells it: type(value) == \"array\""},
    translation{"b", "there are no bytes; a string stands without a b"},
    translation{"bool", "type() gives a string, such as \"bool\""},
    translation{"Boolean", "bool() reads a text"},
    translation{"console", "there is no console"},
    translation{"Date", "`$now` is the time, and timestamp() reads one"},
    translation{"DateTime", "`$now` is the time, and timestamp() reads one"},
    translation{"double", "type() gives a string, such as \"number\""},
    translation{"else", "`condition ? a : b` chooses"},
    translation{"False", "here it is `false`"},
    translation{"function", "a macro names its variable: items.map(i, i.price)"},
    translation{"if", "`condition ? a : b` chooses"},
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
    translation{"Math", "the functions stand alone: round(1.5)"},
    translation{"moment", "`$now` is the time, and timestamp() reads one"},
    translation{"NaN", "there is none: a division by zero is an error"},
    translation{"new", "`$now` is the time, and timestamp() reads one"},
    translation{"nil", "here it is `null`"},
    translation{"None", "here it is `null`"},
    translation{"not", "here it is `!`"},
    translation{"Number", "double() reads a number"},
    translation{"Object", "keys(), values() and entries() are functions"},
    translation{"or", "here it is `||`"},
    translation{"RegExp", "matches() and captures() take a pattern: text.matches(r\"\\d+\")"},
    translation{"request", "`$json` is the current item"},
    translation{"self", "`$json` is the current item"},
    translation{"String", "string() makes a string"},
    translation{"string", "type() gives a string, such as \"string\""},
    translation{"this", "`$json` is the current item"},
    translation{"True", "here it is `true`"},
    translation{"typeof", "type(value) gives it"},
    translation{"undefined", "what is missing is asked for by has(), or is null behind `.?`"},
};

std::string hint(std::span<translation const> known, std::string_view name) {
    auto const found = std::ranges::find(known, name, &translation::foreign);
    return found == known.end() ? std::string() : "; " + std::string(found->hint);
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
