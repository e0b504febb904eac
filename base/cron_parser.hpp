#pragma once
// Reads the text of a cron expression; see cron.hpp, which is the face of it. Used once, on one
// text that outlives it.
#include "base/cron.hpp"

#include <vector>

namespace postrider::base {

struct cron_field;

class cron_parser {
public:
    explicit cron_parser(std::string_view text) : text_(text) {}

    result<cron> parse();

private:
    struct word {
        std::string_view text;
        std::size_t column; // from 0
    };
    // Values as bits, and what the first character said.
    struct values {
        std::bitset<64> set;
        bool starred = false;
        bool last_day = false;
    };

    std::vector<word> words() const;
    result<cron> parse_macro(word const& name) const;
    result<values> parse_field(cron_field const& field, word const& token) const;
    result<void> parse_part(cron_field const& field, word part, values& into) const;
    result<int> parse_value(cron_field const& field, word token) const;

    std::string_view text_;
};

} // namespace postrider::base
