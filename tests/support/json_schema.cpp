#include "tests/support/json_schema.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

namespace postrider::tests {

namespace {

namespace json = boost::json;

std::set<std::string> const& known_words() {
    static std::set<std::string> const all{
        "$ref",
        "type",
        "required",
        "properties",
        "additionalProperties",
        "minProperties",
        "items",
        "enum",
        "const",
        "anyOf",
        "minimum",
        "maximum",
        "maxLength",
        "format",
        "default",
        "description"};
    return all;
}

bool is_type(json::value const& value, std::string_view type) {
    if (type == "null") return value.is_null();
    if (type == "boolean") return value.is_bool();
    if (type == "string") return value.is_string();
    if (type == "array") return value.is_array();
    if (type == "object") return value.is_object();
    if (type == "number") return value.is_number();
    if (type == "integer") return value.is_int64() || value.is_uint64();
    throw std::runtime_error("a schema names the type " + std::string(type));
}

// Of UTF-8.
std::ptrdiff_t characters(std::string_view text) {
    return std::ranges::count_if(text, [](char c) { return (c & '\xC0') != '\x80'; });
}

class checker {
public:
    checker(json::value const& document, bool closed) : document_(document), closed_(closed) {}

    void check(json::value const& schema, json::value const& value, std::string const& at) {
        auto const& words = schema.as_object();
        for (auto const& word : words)
            if (!known_words().contains(std::string(word.key())))
                wrong(at, "its schema uses " + std::string(word.key()));
        if (auto const* to = words.if_contains("$ref")) return check(resolve(*to), value, at);
        check_choice(words, value, at);
        check_type(words, value, at);
        check_range(words, value, at);
        if (value.is_object()) check_object(words, value.as_object(), at);
        if (auto const* items = words.if_contains("items"); items && value.is_array())
            for (std::size_t i = 0; i < value.as_array().size(); ++i)
                check(*items, value.as_array()[i], at + "[" + std::to_string(i) + "]");
    }

    std::vector<std::string> found;

private:
    void wrong(std::string const& at, std::string const& what) {
        found.push_back((at.empty() ? "the value" : at) + ": " + what);
    }

    json::value const& resolve(json::value const& reference) {
        std::string const text(reference.as_string());
        if (!text.starts_with("#/")) throw std::runtime_error("a reference leads to " + text);
        return document_.at_pointer(text.substr(1));
    }

    void check_choice(json::object const& words, json::value const& value, std::string const& at) {
        if (auto const* all = words.if_contains("enum"))
            if (std::ranges::find(all->as_array(), value) == all->as_array().end())
                wrong(at, json::serialize(value) + " is none of the choices");
        if (auto const* only = words.if_contains("const"); only && *only != value)
            wrong(at, json::serialize(value) + " is not " + json::serialize(*only));
        auto const* any = words.if_contains("anyOf");
        if (!any) return;
        bool const fits = std::ranges::any_of(any->as_array(), [&](auto const& each) {
            return schema_mistakes(document_, each, value, closed_).empty();
        });
        if (!fits) wrong(at, json::serialize(value) + " fits none of anyOf");
    }

    void check_type(json::object const& words, json::value const& value, std::string const& at) {
        auto const* type = words.if_contains("type");
        if (!type) return;
        bool const fits = type->is_string()
                              ? is_type(value, type->as_string())
                              : std::ranges::any_of(type->as_array(), [&](auto const& each) {
                                    return is_type(value, each.as_string());
                                });
        if (!fits) wrong(at, json::serialize(value) + " is not " + json::serialize(*type));
    }

    void check_range(json::object const& words, json::value const& value, std::string const& at) {
        if (value.is_number()) {
            auto const number = value.to_number<double>();
            auto const* least = words.if_contains("minimum");
            auto const* most = words.if_contains("maximum");
            if ((least && number < least->to_number<double>()) ||
                (most && number > most->to_number<double>()))
                wrong(at, json::serialize(value) + " is out of range");
        }
        auto const* longest = words.if_contains("maxLength");
        if (longest && value.is_string() &&
            characters(value.as_string()) > longest->to_number<std::ptrdiff_t>())
            wrong(at, "it is too long");
    }

    void check_object(json::object const& words, json::object const& value, std::string const& at) {
        if (auto const* required = words.if_contains("required"))
            for (auto const& name : required->as_array())
                if (!value.contains(name.as_string()))
                    wrong(at, std::string(name.as_string()) + " is missing");
        if (auto const* least = words.if_contains("minProperties");
            least && value.size() < least->to_number<std::size_t>())
            wrong(at, "it has too few members");
        auto const* properties = words.if_contains("properties");
        auto const* more = words.if_contains("additionalProperties");
        bool const only_named =
            (more && more->is_bool() && !more->as_bool()) || (closed_ && properties);
        for (auto const& member : value) {
            auto const place = at + "." + std::string(member.key());
            auto const* named =
                properties ? properties->as_object().if_contains(member.key()) : nullptr;
            if (named)
                check(*named, member.value(), place);
            else if (only_named)
                wrong(place, "it is not described");
        }
    }

    json::value const& document_;
    bool closed_;
};

} // namespace

std::vector<std::string> schema_mistakes(
    json::value const& document, json::value const& schema, json::value const& value, bool closed
) {
    checker made(document, closed);
    made.check(schema, value, "");
    return made.found;
}

} // namespace postrider::tests
