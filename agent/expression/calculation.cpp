#include "agent/expression/calculation.hpp"

#include "agent/expression/arithmetic.hpp"

#include <initializer_list>
#include <numbers>
#include <optional>
#include <vector>

namespace postrider::agent {

namespace {

using base::errc;
using base::result;
using namespace expressions;

class calculation {
public:
    explicit calculation(std::string_view text) : words_(text), next_(words_.next()) {}

    result<double> whole() {
        auto value = sum();
        if (value && next_.kind != token_kind::end) return unexpected();
        return value;
    }

private:
    result<double> sum() {
        return chain({symbol::plus, symbol::minus}, [this] { return product(); });
    }

    result<double> product() {
        return chain({symbol::times, symbol::divide, symbol::remainder}, [this] {
            return unary();
        });
    }

    template<class Part>
    result<double> chain(std::initializer_list<symbol> operations, Part part) {
        auto left = part();
        while (left) {
            auto const operation = take_any(operations);
            if (!operation) break;
            auto right = part();
            if (!right) return right;
            left = expressions::calculate(*operation, *left, *right);
        }
        return left;
    }

    result<double> unary() {
        nesting const level{depth_, calculation_limits.depth};
        if (level.too_deep())
            return base::error(errc::too_large, "the expression is nested too deeply");
        auto const sign = take_any({symbol::plus, symbol::minus});
        if (!sign) return power();
        auto value = unary();
        if (value && *sign == symbol::minus) value = -*value;
        return value;
    }

    result<double> power() {
        auto root = primary();
        if (!root || !take_any({symbol::power})) return root;
        auto exponent = unary();
        if (!exponent) return exponent;
        return expressions::calculate(symbol::power, *root, *exponent);
    }

    result<double> primary() {
        if (take_any({symbol::open_paren})) return closed(sum());
        if (next_.kind == token_kind::name) return named();
        if (next_.kind != token_kind::number) return unexpected();
        auto const value = next_.number;
        advance();
        return value;
    }

    result<double> closed(result<double> inside) {
        if (inside && !take_any({symbol::close_paren}))
            return base::error(errc::invalid, "a ')' is missing");
        return inside;
    }

    result<double> named() {
        auto const name = next_.spelling;
        advance();
        if (take_any({symbol::open_paren})) return function(name);
        if (name == "pi") return std::numbers::pi;
        if (name == "e") return std::numbers::e;
        return base::error(errc::invalid, "an unknown name; only pi and e are constants");
    }

    result<double> function(std::string_view name) {
        auto const* definition = find_number_function(name);
        if (!definition) return base::error(errc::invalid, "unknown function");
        std::vector<double> arguments;
        do {
            auto value = sum();
            if (!value) return value;
            arguments.push_back(*value);
        } while (take_any({symbol::comma}));
        if (arguments.size() < definition->least || arguments.size() > definition->most)
            return base::error(errc::invalid, "the wrong number of arguments for a function");
        return closed(definition->run(arguments));
    }

    std::optional<symbol> take_any(std::initializer_list<symbol> symbols) {
        for (auto const next : symbols) {
            if (!next_.is(next)) continue;
            advance();
            return next;
        }
        return std::nullopt;
    }

    void advance() { next_ = words_.next(); }

    base::error unexpected() const {
        if (next_.kind == token_kind::end) return {errc::invalid, "the expression ends too early"};
        bool const numeric =
            std::string_view("0123456789.").find(next_.spelling.front()) != std::string_view::npos;
        if (next_.kind == token_kind::wrong && numeric) return {errc::invalid, next_.text};
        return {errc::invalid, "this is not an arithmetic expression"};
    }

    lexer words_;
    token next_;
    std::size_t depth_ = 0;
};

} // namespace

result<double> calculate(std::string_view expression) {
    if (expression.size() > calculation_limits.length)
        return base::error(
            errc::too_large,
            "the expression is longer than " + std::to_string(calculation_limits.length) + " bytes"
        );
    return calculation{expression}.whole();
}

} // namespace postrider::agent
