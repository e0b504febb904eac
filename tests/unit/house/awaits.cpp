#include "tests/unit/house/awaits.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <string_view>

namespace postrider::tests {

namespace {

std::size_t line_of(std::string const& code, std::size_t place) {
    auto const end = code.begin() + static_cast<std::ptrdiff_t>(place);
    return static_cast<std::size_t>(std::count(code.begin(), end, '\n')) + 1;
}

void report_each(
    re2::RE2 const& pattern,
    std::string const& file,
    std::string const& code,
    std::string const& rule,
    std::vector<violation>& violations
) {
    re2::StringPiece match;
    for (std::size_t at = 0;
         pattern.Match(code, at, code.size(), re2::RE2::UNANCHORED, &match, 1);) {
        auto const place = static_cast<std::size_t>(match.data() - code.data());
        violations.push_back({file, line_of(code, place), rule});
        at = place + match.size();
    }
}

void check_constant_results(
    std::string const& file, std::string const& code, std::vector<violation>& violations
) {
    static re2::RE2 const awaited(R"(auto const (\w+) = co_await[^;]*;)");
    constexpr std::string_view coroutine = "awaitable<";
    constexpr std::string_view of_a_bool = "awaitable<base::result<bool>>";
    re2::StringPiece groups[2];
    for (std::size_t at = 0;
         awaited.Match(code, at, code.size(), re2::RE2::UNANCHORED, groups, 2);) {
        auto const place = static_cast<std::size_t>(groups[0].data() - code.data());
        at = place + groups[0].size();
        auto const function = code.rfind(coroutine, place);
        if (function == code.npos || code.compare(function, of_a_bool.size(), of_a_bool) != 0)
            continue;
        auto const returned = code.find("co_return " + std::string(groups[1]) + ";", at);
        if (returned != code.npos && returned < code.find(coroutine, at))
            violations.push_back(
                {file, line_of(code, returned), "returns a constant result of bool"}
            );
    }
}

} // namespace

void check_awaits(
    std::string const& file, std::string const& code, std::vector<violation>& violations
) {
    static re2::RE2 const conditional(R"(\?[^;{}?]*\bco_await\b)");
    static re2::RE2 const braces(R"((\w|\(|,\s|return\s)\{\s*[^;{}\s][^;{}]*\bco_await\b)");
    static re2::RE2 const argument(
        R"(\bco_await\b[^;]*?(\w|\(|,\s)\{[^;{}]*(std::move\(|\.text\(\)))"
    );
    report_each(conditional, file, code, "awaits within a conditional expression", violations);
    report_each(braces, file, code, "awaits within braces", violations);
    report_each(argument, file, code, "awaits a call with a value made in braces", violations);
    check_constant_results(file, code, violations);
}

} // namespace postrider::tests
