// Any text as an expression and as a parameter: parsing and evaluating end, and soon; a value is
// JSON, a text of it and an error are UTF-8, and errors point into the text.
#include "agent/expression/template.hpp"
#include "agent/language/unicode.hpp"
#include "base/json/json.hpp"
#include "base/utf8.hpp"
#include "tests/unit/agent/expression_scope.hpp"

#include <boost/json/serialize.hpp>

#include <cstdint>
#include <cstdlib>

namespace {

using namespace postrider;
using namespace postrider::agent;

void require(bool held) {
    if (!held) std::abort();
}

json_scope const& sample() {
    static json_scope const scope{R"({
        "$json": {"name": "Ädà", "age": 36, "big": 9007199254740993, "none": null, "half": 0.5,
                  "tags": ["a", "b"], "items": [{"n": 1, "ok": true}, {"n": 2}]},
        "$input": [1, 2], "$session": {"id": "s"}, "$now": "2026-11-21T15:30:00Z",
        "$execution": {"id": 1}, "$vars": {"key": "name"}, "$from_ai": {"city": "Oslo"},
        "$node": {"A": {"json": {"x": 1}, "items": []}}
    })"};
    return scope;
}

void check(boost::json::value const& value, expression_limits const& limits) {
    auto const text = boost::json::serialize(value);
    require(base::parse_json(text, {.depth = limits.depth}).has_value());
    require(base::is_utf8(text_of(value)));
}

void check(expression_error const& error, std::string_view text) {
    require(!error.reason.empty());
    require(base::is_utf8(to_text(error)));
    require(error.column >= 1 && error.column <= text.size() + 1);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    expression_limits limits;
    limits.steps = 20'000;
    auto const parsed = expression::parse(text, from_ai::allowed, limits);
    if (parsed) {
        auto const value = parsed->evaluate(sample(), limits);
        value ? check(*value, limits) : check(value.error(), text);
    } else {
        check(parsed.error(), text);
    }
    if (!base::is_utf8(text)) return 0; // no parameter of JSON
    auto const parameter = boost::json::value(boost::json::string_view(text.data(), text.size()));
    auto const compiled = parameter_template::compile(parameter, from_ai::allowed, limits);
    if (!compiled) {
        for (auto const& error : compiled.error()) check(error.error, text);
        return 0;
    }
    auto const value = compiled->evaluate(sample(), limits);
    value ? check(*value, limits) : check(value.error().error, text);
    return 0;
}
