#pragma once
// What is set of each check: on or off, its weight and its parameters. The keys are "CHECK.on", "CHECK.weight" and
// "CHECK.PARAMETER"; "threshold" is the number of points that makes a message spam. A value.
#include "base/error.hpp"
#include "base/setting.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::spam {

// Of one check.
struct check_settings {
    struct parameter {
        std::int64_t number = 0;        // of an integer
        std::vector<std::string> words; // of a list
    };

    bool on = false;
    int weight = 0; // points at a score of 1
    std::map<std::string, parameter, std::less<>> parameters;

    // Of parameters that the check declares.
    std::int64_t number(std::string_view name) const;
    std::vector<std::string> const& words(std::string_view name) const;
};

class rules {
public:
    rules(); // the defaults of all checks

    // not_found: no such key, with the one that was probably meant; invalid: not fit for it. Nothing changed then.
    base::result<void> set(std::string_view key, std::string_view value);
    // "KEY=VALUE".
    base::result<void> set(std::string_view assignment);

    int threshold() const noexcept { return threshold_; }
    check_settings const& of(std::string_view check) const;

private:
    int threshold_;
    std::map<std::string, check_settings, std::less<>> checks_;
};

// Every key with its default and its constraint, in the order of the checks.
std::vector<base::setting> const& rule_settings();

} // namespace postrider::agent::spam
