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

std::string in_psql(std::string_view sql) {
    return fmt::format(R"(postrider psql -- -c "{}")", sql);
}

std::string to_text(std::span<finding const> all) {
    std::string text;
    for (auto const& finding : all) {
        text += fmt::format(
            "{:<6} {}: {}\n", to_string(finding.verdict), finding.subject, printable(finding.detail)
        );
        if (!finding.advice.empty()) text += fmt::format("       → {}\n", finding.advice);
    }
    return text;
}

json::array to_json(std::span<finding const> all) {
    json::array lines;
    for (auto const& finding : all) {
        json::object line{
            {"what", finding.subject},
            {"ok", finding.verdict != verdict::fail},
            {"result", to_string(finding.verdict)},
            {"detail", finding.detail}};
        if (!finding.advice.empty()) line["advice"] = finding.advice;
        lines.push_back(std::move(line));
    }
    return lines;
}

bool any_failed(std::span<finding const> all) {
    return std::ranges::any_of(all, [](auto const& finding) {
        return finding.verdict == verdict::fail;
    });
}

} // namespace postrider::cli
