#include "server/cli/spam_work.hpp"

#include "base/json/text.hpp"

#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

option* add_spam_chat(option_parser& parser, std::int64_t& chat, std::string const& help) {
    return parser.add_option("--chat", chat, help)->type_name("ID");
}

option* add_spam_kind(option_parser& parser, std::string& kind) {
    return parser.add_option("--kind", kind, "spam, ham or stop_word")
        ->check(word_of({"spam", "ham", "stop_word"}))
        ->type_name("KIND");
}

std::optional<agent::spam::rules> spam_rules_of(
    context const& in, std::vector<std::string> const& assignments
) {
    agent::spam::rules rules;
    for (auto const& assignment : assignments)
        if (auto const set = rules.set(assignment); !set) {
            fail(in, "change the rule", set.error());
            return std::nullopt;
        }
    return rules;
}

agent::spam::rules with_assignments(
    agent::spam::rules rules, std::vector<std::string> const& assignments
) {
    for (auto const& assignment : assignments) rules.set(assignment).value();
    return rules;
}

void tell_lesson(context const& in, std::int64_t sample) {
    if (in.json) {
        in.out << base::json_text(boost::json::object{{"sample", sample}}) << '\n';
        return;
    }
    in.out << fmt::format("Sample {0} is learned.\n", sample);
    in.err << fmt::format("`postrider spam samples withdraw {}` undoes it.\n", sample);
}

} // namespace postrider::cli
