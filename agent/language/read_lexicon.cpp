#include "agent/language/lexicon_members.hpp"
#include "base/json/json.hpp"

#include <boost/json/value.hpp>

#include <algorithm>
#include <stdexcept>

namespace postrider::agent::language {

namespace json = boost::json;

namespace {

[[noreturn]] void refuse(std::string_view member, std::string_view reason) {
    throw std::logic_error(
        std::string("a language's member ").append(member).append(" ").append(reason)
    );
}

void read(json::value const& document, std::string_view name, std::string& to) {
    if (!document.is_string()) refuse(name, "is no string");
    to = document.get_string();
}

void read(json::value const& document, std::string_view name, bool& to) {
    if (!document.is_bool()) refuse(name, "is not true or false");
    to = document.get_bool();
}

void read(json::value const& document, std::string_view name, int& to) {
    if (!document.is_int64()) refuse(name, "is no number");
    to = static_cast<int>(document.get_int64());
}

template<class Enumeration>
void read_name(
    json::value const& document,
    std::string_view name,
    std::optional<Enumeration> (*named)(std::string_view),
    Enumeration& to
) {
    std::string text;
    read(document, name, text);
    auto const value = named(text);
    if (!value) refuse(name, "has an unknown value: " + text);
    to = *value;
}

void read(json::value const& document, std::string_view name, intent::kind& to) {
    read_name<intent::kind>(document, name, action_named, to);
}

void read(json::value const& document, std::string_view name, list_filter& to) {
    read_name<list_filter>(document, name, filter_named, to);
}

void read(json::value const& document, std::string_view name, priority& to) {
    read_name<priority>(document, name, priority_named, to);
}

void read(json::value const& document, std::string_view name, number_forms& to) {
    read_name<number_forms>(document, name, number_forms_named, to);
}

template<class T>
void read(json::value const& document, std::string_view name, std::optional<T>& to) {
    read(document, name, to.emplace());
}

template<class T>
void read(json::value const& document, std::string_view name, std::vector<T>& to);
template<class T, std::size_t Size>
void read(json::value const& document, std::string_view name, std::array<T, Size>& to);

// A member that the text lacks stays as it is.
template<class T>
requires requires(T& value) {
    each_member(value, [](auto, auto&) {});
}
void read(json::value const& document, std::string_view name, T& to) {
    if (!document.is_object()) refuse(name, "is no object");
    auto const& members = document.get_object();
    std::size_t members_read = 0;
    each_member(to, [&](std::string_view member, auto& value) {
        auto const* member_value = members.if_contains(member);
        if (!member_value) return;
        ++members_read;
        read(*member_value, member, value);
    });
    if (members_read != members.size()) refuse(name, "has a member that none of them is");
}

template<class T>
void read(json::value const& document, std::string_view name, std::vector<T>& to) {
    if (!document.is_array()) refuse(name, "is no array");
    for (auto const& item : document.get_array()) read(item, name, to.emplace_back());
}

template<class T, std::size_t Size>
void read(json::value const& document, std::string_view name, std::array<T, Size>& to) {
    if (!document.is_array() || document.get_array().size() != Size)
        refuse(name, "has another size");
    for (std::size_t i = 0; i < Size; ++i) read(document.get_array()[i], name, to[i]);
}

} // namespace

lexicon read_lexicon(std::string_view json) {
    auto const parsed = base::parse_json(json);
    if (!parsed) throw std::logic_error("a language is no JSON: " + parsed.error().detail);
    lexicon language;
    read(*parsed, "of the top", language);
    return language;
}

} // namespace postrider::agent::language
