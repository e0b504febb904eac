#include "base/json/row.hpp"

#include "base/json/text.hpp"

#include <fmt/format.h>

namespace postrider::base {

namespace {

struct appender {
    std::string& to;

    void operator()(std::int64_t number) const {
        fmt::format_int const digits(number);
        to.append(digits.data(), digits.size());
    }
    void operator()(bool flag) const { to += flag ? "true" : "false"; }
    void operator()(std::string_view text) const { append_json(to, text, nul::replaced); }
    void operator()(boost::json::value const* value) const {
        append_json(to, *value, nul::replaced);
    }
};

} // namespace

void json_row::add(json_member const& member) {
    if (text_.size() > 1) text_ += ',';
    text_.append("\"").append(member.name_).append("\":");
    std::visit(appender{text_}, member.value_);
}

std::string json_row::text() && {
    text_ += '}';
    return std::move(text_);
}

} // namespace postrider::base
