#include "base/json_row.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <array>

namespace postrider::base {

namespace {

namespace json = boost::json;

void append(std::string& to, std::int64_t number) {
    to += fmt::format_int(number).c_str();
}

void append(std::string& to, bool flag) {
    to += flag ? "true" : "false";
}

void append_special(std::string& to, char c) {
    if (c == '"' || c == '\\')
        to.append({'\\', c});
    else if (c == '\0')
        to += "\xEF\xBF\xBD"; // U+FFFD
    else
        fmt::format_to(std::back_inserter(to), "\\u{:04x}", static_cast<int>(c));
}

// Bytes that cannot stand in a JSON string as they are.
constexpr auto special = [] {
    std::array<bool, 256> table{};
    for (std::size_t c = 0; c < 0x20; ++c) table[c] = true;
    table['"'] = table['\\'] = true;
    return table;
}();

void append(std::string& to, std::string_view text) {
    to += '"';
    std::size_t copied = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!special[static_cast<unsigned char>(text[i])]) continue;
        to.append(text, copied, i - copied);
        append_special(to, text[i]);
        copied = i + 1;
    }
    to.append(text, copied);
    to += '"';
}

void append(std::string& to, json::value const* value);

void append_items(std::string& to, json::array const& items) {
    to += '[';
    for (auto const& item : items) {
        append(to, &item);
        to += ',';
    }
    if (!items.empty()) to.pop_back();
    to += ']';
}

void append_members(std::string& to, json::object const& members) {
    to += '{';
    for (auto const& [name, value] : members) {
        append(to, std::string_view(name));
        to += ':';
        append(to, &value);
        to += ',';
    }
    if (!members.empty()) to.pop_back();
    to += '}';
}

// As deep as base::parse_json() and expressions let values be.
void append(std::string& to, json::value const* value) {
    switch (value->kind()) {
    case json::kind::string:
        return append(to, std::string_view(value->get_string()));
    case json::kind::int64:
        return append(to, value->get_int64());
    case json::kind::bool_:
        return append(to, value->get_bool());
    case json::kind::array:
        return append_items(to, value->get_array());
    case json::kind::object:
        return append_members(to, value->get_object());
    default:
        to += json::serialize(*value);
    }
}

} // namespace

void json_row::add(json_member const& one) {
    if (text_.size() > 1) text_ += ',';
    text_.append("\"").append(one.name_).append("\":");
    std::visit([this](auto value) { append(text_, value); }, one.value_);
}

std::string json_row::text() && {
    text_ += '}';
    return std::move(text_);
}

} // namespace postrider::base
