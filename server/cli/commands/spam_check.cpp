// `spam check`: what the spam filter says of a text, and why. Without --chat it needs no database and knows the samples that
// come with the filter.
#include "agent/spam/store/samples.hpp"
#include "base/json/text.hpp"
#include "server/cli/database_work.hpp"
#include "server/cli/spam_work.hpp"
#include "server/cli/table.hpp"
#include "server/views/spam_json.hpp"
#include "server/views/spam_rules_in_force.hpp"

#include <fmt/format.h>

#include <limits>
#include <ostream>

namespace postrider::cli {

namespace {

namespace spam = agent::spam;

// The samples that come with the filter, without a database.
constexpr auto no_group = std::numeric_limits<std::int64_t>::min();

struct spam_check_arguments {
    std::string text;
    std::vector<std::string> assignments;
    std::int64_t chat = no_group;
    bool whole = false;
};

void declare_spam_check(option_parser& parser, spam_check_arguments& args) {
    parser.add_option("TEXT", args.text, "The message")->required()->check(some_text());
    parser.add_option("--set", args.assignments, "Change a rule: links.weight=100")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    add_spam_chat(
        parser,
        args.chat,
        "Use this group's rules and what it has learned; 0: what all groups share"
    );
    parser.add_flag("--all", args.whole, "Print the checks that found nothing, too");
}

std::string verdict_text(spam::verdict const& verdict, bool whole) {
    std::vector<cells> lines;
    for (auto const& result : verdict.results)
        if (whole || !result.reason.empty())
            lines.push_back(
                {std::string(result.check),
                 fmt::format("{:.2f}", result.score),
                 std::to_string(result.weight),
                 fmt::format("{:.0f}", result.points),
                 one_line(result.reason, 80)}
            );
    auto const sum = fmt::format(
        "{}: {:.0f} points of {}.\n",
        verdict.is_spam ? "spam" : "not spam",
        verdict.points,
        verdict.threshold
    );
    if (lines.empty()) return sum;
    return table({"check", "score", "weight", "points", "reason"}, lines) + sum;
}

int run_spam_check(context const& in, spam_check_arguments const& args) {
    auto const defaults = spam_rules_of(in, args.assignments);
    if (!defaults) return 1;
    auto const message = spam::message_of(args.text);
    spam::verdict verdict;
    server::rules_in_force in_force;
    if (args.chat == no_group) {
        verdict = spam::judge(message, spam::default_knowledge(), *defaults);
    } else {
        int const code = in_database(in, "read the samples", [&](storage::transaction& tx) {
            chat_id const chat{args.chat};
            in_force = server::group_rules(tx).find(chat);
            auto const rules = with_assignments(in_force.settings.rules, args.assignments);
            auto const learned = spam::load_knowledge(tx, chat, in_force.settings.samples);
            verdict = spam::judge(message, learned, rules);
        });
        if (code != 0) return code;
    }
    if (in.json) {
        auto answer = server::spam_check_json(verdict);
        answer["rules"] = server::rules_source_json(in_force);
        in.out << base::json_text(answer) << '\n';
        return 0;
    }
    in.out << verdict_text(verdict, args.whole);
    if (args.chat != no_group) in.out << "Rules: " << rules_source_text(in_force) << ".\n";
    return 0;
}

} // namespace

namespace commands {

extern constinit command const spam_check{
    .path = "spam check",
    .summary = "Judge a text with the spam filter, and say why",
    .example = R"(postrider spam check "Earn $500 a day, no experience, write to me now"
postrider spam check "see https://example.org" --set links.weight=100)",
    .prepare = with_options<declare_spam_check, run_spam_check>};

} // namespace commands

} // namespace postrider::cli
