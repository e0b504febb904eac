#include "server/views/finding.hpp"

#include "base/names.hpp"

#include <boost/json/object.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace postrider::server {

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

void append(findings& gathered, findings more) {
    gathered.insert(
        gathered.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end())
    );
}

std::string in_psql(std::string_view sql) {
    return fmt::format(R"(postrider psql -- -c "{}")", sql);
}

std::string in_shell(std::string_view word) {
    static constexpr std::string_view plain = "_-.,:/@%+=";
    auto const is_plain = [](char c) {
        auto const byte = static_cast<unsigned char>(c);
        return std::isalnum(byte) != 0 || plain.find(c) != plain.npos;
    };
    if (!word.empty() && word.front() != '-' && std::ranges::all_of(word, is_plain))
        return std::string(word);
    std::string quoted = "'";
    for (char const c : word) quoted += c == '\'' ? std::string(R"('\'')") : std::string(1, c);
    return quoted + "'";
}

json::array to_json(std::span<finding const> list) {
    json::array lines;
    for (auto const& finding : list) {
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

bool any_failed(std::span<finding const> list) {
    return std::ranges::any_of(list, [](auto const& finding) {
        return finding.verdict == verdict::fail;
    });
}

} // namespace postrider::server
