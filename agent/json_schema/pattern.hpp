#pragma once
// The regular expressions of schemas: ECMA-262 as far as RE2 can follow it, in linear time.
//
// Translated is what the two write differently: \uXXXX, \u{X}, \cX, \p{Letter}, (?<name>…), and
// what \s and, outside brackets, \S stand for. Refused is what RE2 lacks.
#include "base/error.hpp"

#include <memory>
#include <string_view>

namespace re2 {
class RE2;
}

namespace postrider::agent::json_schema {

// Immutable; copies share the machine.
class pattern {
public:
    static base::result<pattern> compile(std::string_view text);
    // Anywhere in the text, as JSON Schema wants it.
    bool found_in(std::string_view text) const;

    // Cheap, whatever the text; a pattern may be valid and yet too large to be compiled.
    static bool is_valid(std::string_view text);

private:
    explicit pattern(std::shared_ptr<re2::RE2 const> machine) : machine_(std::move(machine)) {}

    std::shared_ptr<re2::RE2 const> machine_;
};

} // namespace postrider::agent::json_schema
