#include "server/cli/finding.hpp"

#include "base/names.hpp"
#include "server/cli/table.hpp"

#include <boost/json/object.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace postrider::cli {

namespace json = boost::json;

namespace {

constexpr base::names<verdict, 3> verdicts{{
    {verdict::ok, "ok"},
    {verdict::warn, "warn"},
    {verdict::fail, "failed"},
}};

} // namespace

std::string_view to_string(verdict result) noexcept {
    return base::name_of(verdicts, result);
}

void append(findings& to, findings from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

std::string to_text(std::span<finding const> all) {
    std::string text;
    for (auto const& one : all) {
        text += fmt::format("{:<6} {}: {}\n", to_string(one.how), one.what, printable(one.detail));
        if (!one.advice.empty()) text += fmt::format("       → {}\n", one.advice);
    }
    return text;
}

json::array to_json(std::span<finding const> all) {
    json::array made;
    for (auto const& one : all) {
        json::object line{
            {"what", one.what},
            {"ok", one.how != verdict::fail},
            {"result", to_string(one.how)},
            {"detail", one.detail}};
        if (!one.advice.empty()) line["advice"] = one.advice;
        made.push_back(std::move(line));
    }
    return made;
}

bool any_failed(std::span<finding const> all) {
    return std::ranges::any_of(all, [](auto const& one) { return one.how == verdict::fail; });
}

} // namespace postrider::cli
