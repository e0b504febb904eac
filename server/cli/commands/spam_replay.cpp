// `spam replay`: what changed rules would have done to the messages of groups.
#include "server/views/spam_replay.hpp"

#include "agent/spam/rules.hpp"
#include "base/json/text.hpp"
#include "base/time_text.hpp"
#include "server/cli/database_work.hpp"
#include "server/cli/spam_work.hpp"
#include "server/cli/table.hpp"

#include <fmt/format.h>

#include <limits>
#include <ostream>

namespace postrider::cli {

namespace {

namespace spam = agent::spam;

constexpr int as_the_group_has_it = std::numeric_limits<int>::min();

struct spam_replay_arguments {
    std::string since = "30d";
    std::vector<std::string> assignments;
    std::int64_t chat = 0;
    int until_approved = as_the_group_has_it;
};

void declare_spam_replay(option_parser& parser, spam_replay_arguments& args) {
    parser.add_option("--since", args.since, "How far back: 30d")->type_name("SPAN");
    parser.add_option("--set", args.assignments, "Change a rule: links.weight=100")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    add_spam_chat(parser, args.chat, "Only this group");
    parser
        .add_option(
            "--until-approved",
            args.until_approved,
            "Messages that must pass before a member is approved"
        )
        ->type_name("N");
}

std::string replayed_lines(
    std::string_view title, std::vector<spam::replayed_message> const& messages
) {
    if (messages.empty()) return {};
    std::vector<cells> lines;
    for (auto const& message : messages)
        lines.push_back(
            {base::to_string(message.chat),
             std::to_string(message.message),
             fmt::format("{:.0f}", message.points_before),
             fmt::format("{:.0f}", message.points_after),
             one_line(message.reason, 50),
             one_line(message.text, 60)}
        );
    return fmt::format("\n{}\n", title) +
           table({"chat", "message", "before", "after", "reason", "text"}, lines);
}

// Over all messages: what each check gives by the changed rules, and what it gave.
std::string differences_of_checks(spam::replay_result const& result) {
    if (result.checks.empty()) return "No check gives other points.\n";
    std::vector<cells> lines;
    for (auto const& [check, difference] : result.checks)
        lines.push_back(
            {check,
             std::to_string(difference.more),
             std::to_string(difference.less),
             fmt::format("{:.0f}", difference.before),
             fmt::format("{:.0f}", difference.after)}
        );
    return "\nChecks\n" + table({"check", "more", "less", "before", "after"}, lines);
}

std::string rules_of_today(std::vector<server::replayed_group> const& groups) {
    std::string text;
    for (auto const& [chat, rules] : groups)
        text += fmt::format(
            "Rules of today in {}: {}.\n", base::to_string(chat), rules_source_text(rules)
        );
    return text;
}

std::string spam_replay_text(server::replayed_archive const& replayed) {
    auto const& result = replayed.result;
    auto text = fmt::format(
        "{} messages: {} are spam by the rules of today, {} by the changed ones.\n"
        "{} would be caught, {} missed, and {} get other points.\n",
        result.judged,
        result.spam_before,
        result.spam_after,
        result.caught,
        result.missed,
        result.changed
    );
    if (result.is_cut) text += "There are more messages than one replay judges.\n";
    text += rules_of_today(replayed.groups);
    text += differences_of_checks(result);
    text += replayed_lines("Caught", result.newly_caught);
    return text + replayed_lines("Missed", result.newly_missed);
}

int run_spam_replay(context const& in, spam_replay_arguments const& args) {
    constexpr std::string_view doing = "replay the rules";
    auto const age = base::duration_from_text(args.since);
    if (!age || *age <= base::duration::zero())
        return usage(in, "--since is a span of time, such as 30d or 12h");
    bool const has_number = args.until_approved != as_the_group_has_it;
    if (has_number && args.until_approved < 1)
        return usage(in, "--until-approved is a number from 1 on");
    server::replay_question question;
    question.age = std::chrono::ceil<std::chrono::seconds>(*age);
    if (args.chat != 0) question.chat = chat_id{args.chat};
    if (has_number) question.enough = args.until_approved;
    if (!spam_rules_of(in, args.assignments)) return 1;
    question.change = [&args](spam::rules rules) {
        return with_assignments(std::move(rules), args.assignments);
    };
    server::replayed_archive result;
    auto const work = [&](storage::transaction& tx) {
        result = server::replay_archive(tx, question);
    };
    if (int const code = in_database(in, doing, work); code != 0) return code;
    if (in.json)
        in.out << base::json_text(server::replay_json(result)) << '\n';
    else
        in.out << spam_replay_text(result);
    return 0;
}

} // namespace

namespace commands {

extern constinit command const spam_replay{
    .path = "spam replay",
    .summary = "Show what changed rules would have done to past messages",
    .example = R"(postrider spam replay --since 30d --set links.weight=100
postrider spam replay --since 7d --set forward.on=true --chat -1001234567890)",
    .prepare = with_options<declare_spam_replay, run_spam_replay>};

} // namespace commands

} // namespace postrider::cli
