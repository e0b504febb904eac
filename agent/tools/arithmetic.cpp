#include "agent/tools/arithmetic.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <optional>
#include <vector>

namespace postrider::agent {

namespace {

using base::errc;
using base::result;

constexpr bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}
constexpr bool is_letter(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

struct operator_name {
    std::string_view text;
    char meaning;
};
// Longer ones first: "**" is a power.
constexpr std::array<operator_name, 14> operators{{
    {"**", '^'},
    {"\u00d7", '*'},
    {"\u00b7", '*'},
    {"\u00f7", '/'},
    {"\u2212", '-'},
    {"+", '+'},
    {"-", '-'},
    {"*", '*'},
    {"/", '/'},
    {"%", '%'},
    {"^", '^'},
    {"(", '('},
    {")", ')'},
    {",", ','},
}};

constexpr std::string_view space = " \t\r\n";
constexpr std::string_view no_break_space = "\u00a0";

result<double> finite(double number) {
    if (std::isnan(number)) return base::error(errc::invalid, "the result is not a real number");
    if (std::isinf(number)) return base::error(errc::invalid, "the result is too large");
    return number;
}

result<double> call(std::string_view name, std::vector<double> const& given) {
    auto const one = given.size() == 1;
    if (name == "min" && !given.empty()) return *std::min_element(given.begin(), given.end());
    if (name == "max" && !given.empty()) return *std::max_element(given.begin(), given.end());
    if (name == "abs" && one) return std::fabs(given[0]);
    if (name == "round" && one) return std::round(given[0]);
    if (name == "floor" && one) return std::floor(given[0]);
    if (name == "ceil" && one) return std::ceil(given[0]);
    if (name == "sqrt" && one) {
        if (given[0] < 0)
            return base::error(errc::invalid, "the square root of a negative number is not real");
        return std::sqrt(given[0]);
    }
    return base::error(errc::invalid, "unknown function, or the wrong number of arguments");
}

class parser {
public:
    explicit parser(std::string_view text) : rest_(text) {}

    result<double> whole() {
        auto value = sum();
        if (!value) return value;
        if (skip_space(); !rest_.empty()) return unexpected();
        return finite(*value);
    }

private:
    // Counts a level of nesting for as long as it lives.
    class level {
    public:
        explicit level(int& depth) : depth_(++depth) {}
        ~level() { --depth_; }
        level(level const&) = delete;
        level& operator=(level const&) = delete;
        bool too_deep() const noexcept { return depth_ > deepest_expression; }

    private:
        int& depth_;
    };

    result<double> sum() {
        auto left = product();
        while (left) {
            auto sign = take_any("+-");
            if (!sign) break;
            auto right = product();
            if (!right) return right;
            left = finite(*sign == '+' ? *left + *right : *left - *right);
        }
        return left;
    }

    result<double> product() {
        auto left = unary();
        while (left) {
            auto sign = take_any("*/%");
            if (!sign) break;
            auto right = unary();
            if (!right) return right;
            if (*sign != '*' && *right == 0) return base::error(errc::invalid, "division by zero");
            left = finite(
                *sign == '*'   ? *left * *right
                : *sign == '/' ? *left / *right
                               : std::fmod(*left, *right)
            );
        }
        return left;
    }

    result<double> unary() {
        level here{depth_};
        if (here.too_deep())
            return base::error(errc::too_large, "the expression is nested too deeply");
        auto sign = take_any("+-");
        if (!sign) return power();
        auto value = unary();
        if (value && *sign == '-') value = -*value;
        return value;
    }

    result<double> power() {
        auto root = primary();
        if (!root || !take_any("^")) return root;
        auto exponent = unary();
        if (!exponent) return exponent;
        if (*root == 0 && *exponent < 0) return base::error(errc::invalid, "division by zero");
        return finite(std::pow(*root, *exponent));
    }

    result<double> primary() {
        skip_space();
        if (rest_.empty()) return base::error(errc::invalid, "the expression ends too early");
        if (take_any("(")) return closed(sum());
        if (is_letter(rest_.front())) return named();
        if (is_digit(rest_.front()) || rest_.front() == '.') return number();
        return unexpected();
    }

    result<double> closed(result<double> inside) {
        if (inside && !take_any(")")) return base::error(errc::invalid, "a ')' is missing");
        return inside;
    }

    result<double> number() {
        double value = 0;
        auto [end, ec] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
        if (ec == std::errc::result_out_of_range)
            return base::error(errc::invalid, "a number is too large or too small");
        if (ec != std::errc{}) return unexpected();
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        return value;
    }

    result<double> named() {
        std::size_t length = 0;
        while (length < rest_.size() && is_letter(rest_[length])) ++length;
        auto name = rest_.substr(0, length);
        rest_.remove_prefix(length);
        if (take_any("(")) return function(name);
        if (name == "pi") return std::numbers::pi;
        if (name == "e") return std::numbers::e;
        return base::error(errc::invalid, "an unknown name; only pi and e are constants");
    }

    result<double> function(std::string_view name) {
        std::vector<double> given;
        do {
            auto value = sum();
            if (!value) return value;
            given.push_back(*value);
        } while (take_any(","));
        return closed(call(name, given));
    }

    // The operator that comes next, if it is one of these.
    std::optional<char> take_any(std::string_view wanted) {
        skip_space();
        for (auto const& [text, meaning] : operators) {
            if (!rest_.starts_with(text)) continue;
            if (wanted.find(meaning) == wanted.npos) return std::nullopt;
            rest_.remove_prefix(text.size());
            return meaning;
        }
        return std::nullopt;
    }

    void skip_space() {
        for (;;) {
            if (rest_.starts_with(no_break_space))
                rest_.remove_prefix(no_break_space.size());
            else if (!rest_.empty() && space.find(rest_.front()) != space.npos)
                rest_.remove_prefix(1);
            else
                return;
        }
    }

    base::error unexpected() const {
        return {errc::invalid, "this is not an arithmetic expression"};
    }

    std::string_view rest_;
    int depth_ = 0;
};

} // namespace

result<double> evaluate(std::string_view expression) {
    if (expression.size() > longest_expression)
        return base::error(
            errc::too_large,
            "the expression is longer than " + std::to_string(longest_expression) + " bytes"
        );
    return parser{expression}.whole();
}

std::string format_number(double number) {
    // Every whole number below 2^53 is exact.
    constexpr double exact = 9007199254740992.0;
    bool const whole = std::trunc(number) == number && std::fabs(number) < exact;
    std::array<char, 40> text{};
    // + 0.0 turns -0 into 0.
    std::snprintf(text.data(), text.size(), whole ? "%.0f" : "%.15g", number + 0.0);
    return text.data();
}

} // namespace postrider::agent
