#include "server/api/inputs.hpp"

#include "base/json/json.hpp"
#include "base/json/members.hpp"
#include "base/json/nul.hpp"
#include "base/setting.hpp"
#include "base/time_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace postrider::api {

namespace {

std::optional<std::int64_t> whole_number(std::string_view text) {
    std::int64_t value = 0;
    auto const* end = text.data() + text.size();
    auto [stop, ec] = std::from_chars(text.data(), end, value);
    if (ec != std::errc{} || stop != end) return std::nullopt;
    return value;
}

bool is_blank(std::string_view text) {
    return text.find_first_not_of(" \t\r\n") == text.npos;
}

} // namespace

std::optional<std::int64_t> id_from(std::string_view text) {
    auto id = whole_number(text);
    if (!id || text.front() == '0' || *id < 1 || *id > largest_number) return std::nullopt;
    return id;
}

std::vector<std::string> inputs::mistakes() {
    auto mistakes = mistakes_;
    for (auto const& name : given_) {
        if (std::ranges::find(known_, name) != known_.end()) continue;
        mistakes.push_back(fmt::format(
            "there is no {} {}{}", noun_, name.substr(0, 60), base::suggestion(name, known_)
        ));
    }
    return mistakes;
}

void inputs::know(std::string_view name) {
    known_.emplace_back(name);
}

bool inputs::storable(std::string_view name, std::string_view text, std::size_t most_bytes) {
    if (text.size() > most_bytes)
        mistake(fmt::format("{} is longer than {} bytes", name, most_bytes));
    else if (base::has_nul(text))
        mistake(base::nul_refusal(name).detail);
    else
        return true;
    return false;
}

std::optional<std::int64_t> inputs::in_range(
    std::string_view name, std::int64_t number, std::int64_t least, std::int64_t most
) {
    if (number >= least && number <= most) return number;
    mistake(fmt::format("{} is not between {} and {}", name, least, most));
    return std::nullopt;
}

std::optional<base::sys_time> inputs::time_from(std::string_view name, std::string_view text) {
    auto const time = base::time_from_text(text, base::system_clock().now());
    if (time) return *time;
    mistake(fmt::format("{}: {}", name, time.error().detail));
    return std::nullopt;
}

parameters::parameters(net::http_request const& request) : inputs("parameter") {
    for (auto& [name, value] : net::parse_query(request.query)) {
        if (!name || !value) {
            mistake("the query's percent encoding is malformed");
            return;
        }
        if (!values_.emplace(*name, std::move(*value)).second)
            mistake(fmt::format("{} is given twice", name->substr(0, 60)));
        else
            given_.push_back(std::move(*name));
    }
}

std::optional<std::string> parameters::text(std::string_view name, std::size_t most_bytes) {
    know(name);
    auto const entry = values_.find(name);
    if (entry == values_.end() || !storable(name, entry->second, most_bytes)) return std::nullopt;
    return entry->second;
}

std::optional<std::int64_t> parameters::integer(
    std::string_view name, std::int64_t least, std::int64_t most
) {
    auto const value = text(name);
    if (!value) return std::nullopt;
    if (auto number = whole_number(*value)) return in_range(name, *number, least, most);
    mistake(fmt::format("{} is not an integer", name));
    return std::nullopt;
}

std::optional<base::sys_time> parameters::time(std::string_view name) {
    auto const value = text(name);
    if (!value) return std::nullopt;
    return time_from(name, *value);
}

members::members(net::http_request const& request) : inputs("member") {
    if (request.body.empty()) return;
    auto parsed = base::parse_json(request.body);
    if (!parsed)
        mistake("the body is " + parsed.error().detail);
    else if (!parsed->is_object())
        mistake("the body is not a JSON object");
    else
        object_ = std::move(parsed->as_object());
    unreadable_ = !parsed || !parsed->is_object();
    if (auto const name = base::repeated_member(request.body); name && !unreadable_)
        mistake(fmt::format("{} is given twice", name->substr(0, 60)));
    for (auto const& member : object_)
        given_.emplace_back(member.key().data(), member.key().size());
}

boost::json::value const* members::find(std::string_view name) {
    know(name);
    auto const* member = object_.if_contains({name.data(), name.size()});
    return member && !member->is_null() ? member : nullptr;
}

void members::wrong_type(std::string_view name, std::string_view expected) {
    mistake(fmt::format("{} is not {}", name, expected));
}

std::optional<std::string> members::text(std::string_view name, std::size_t most_bytes) {
    auto const* member = find(name);
    if (!member) return std::nullopt;
    auto const* text = member->if_string();
    if (!text) wrong_type(name, "a string");
    if (!text || !storable(name, {text->data(), text->size()}, most_bytes)) return std::nullopt;
    return std::string(text->data(), text->size());
}

std::string members::required_text(std::string_view name, std::size_t most_bytes) {
    if (!find(name)) mistake(fmt::format("{} is missing", name));
    auto value = text(name, most_bytes);
    if (value && is_blank(*value)) mistake(fmt::format("{} is empty", name));
    return value.value_or("");
}

std::optional<std::int64_t> members::integer(
    std::string_view name, std::int64_t least, std::int64_t most
) {
    auto const* member = find(name);
    if (!member) return std::nullopt;
    if (auto const* number = member->if_int64()) return in_range(name, *number, least, most);
    if (member->is_uint64()) return in_range(name, INT64_MAX, least, most);
    wrong_type(name, "an integer");
    return std::nullopt;
}

std::int64_t members::required_integer(
    std::string_view name, std::int64_t least, std::int64_t most
) {
    if (!find(name)) mistake(fmt::format("{} is missing", name));
    return integer(name, least, most).value_or(least);
}

std::optional<base::sys_time> members::time(std::string_view name) {
    auto const value = text(name);
    if (!value) return std::nullopt;
    return time_from(name, *value);
}

std::vector<std::string> members::texts(std::string_view name) {
    auto const* member = find(name);
    if (!member) return {};
    if (member->is_string()) return {text(name).value_or("")};
    std::vector<std::string> items;
    auto const* array = member->if_array();
    if (!array) wrong_type(name, "a string or an array of strings");
    if (!array) return items;
    for (auto const& item : *array) {
        auto const* text = item.if_string();
        if (!text)
            wrong_type(name, "an array of strings");
        else if (storable(name, {text->data(), text->size()}, 500))
            items.emplace_back(text->data(), text->size());
    }
    return items;
}

std::optional<std::set<std::int64_t>> members::ids(std::string_view name, std::size_t most) {
    auto const* member = find(name);
    if (!member) return std::nullopt;
    std::set<std::int64_t> ids;
    auto const* array = member->if_array();
    if (!array || array->empty() || array->size() > most) {
        wrong_type(name, fmt::format("an array of 1 to {} ids", most));
        return ids;
    }
    for (auto const& item : *array) {
        std::optional<std::int64_t> id;
        if (auto const* text = item.if_string()) id = id_from({text->data(), text->size()});
        if (auto const* number = item.if_int64()) id = id_from(std::to_string(*number));
        if (id) {
            ids.insert(*id);
            continue;
        }
        wrong_type(name, "an array of ids, which are positive integers");
        return ids;
    }
    return ids;
}

bool members::flag(std::string_view name) {
    auto const* member = find(name);
    if (!member) return false;
    if (auto const* value = member->if_bool()) return *value;
    wrong_type(name, "a boolean");
    return false;
}

std::optional<boost::json::value> members::json(std::string_view name) {
    know(name);
    auto const* member = object_.if_contains({name.data(), name.size()});
    if (!member) return std::nullopt;
    if (base::holds_nul(*member)) {
        mistake(base::nul_refusal(name).detail);
        return std::nullopt;
    }
    return *member;
}

} // namespace postrider::api
