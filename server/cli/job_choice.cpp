#include "server/cli/job_choice.hpp"

#include "agent/talk/degradation.hpp"
#include "base/time_text.hpp"
#include "server/cli/parser/suggestion.hpp"
#include "server/views/job_kinds.hpp"

#include <fmt/format.h>

namespace postrider::cli {

namespace {

constexpr char const* const states[] = {
    "available",
    "scheduled",
    "running",
    "waiting",
    "retryable",
    "completed",
    "degraded",
    "failed",
    "cancelled",
    "paused"};

base::result<std::optional<base::sys_time>> time_of(
    std::string_view option, std::string const& text
) {
    std::optional<base::sys_time> when;
    if (text.empty()) return when;
    auto const read = base::time_from_text(text, base::system_clock().now());
    if (!read)
        return base::error(base::errc::invalid, fmt::format("{}: {}", option, read.error().detail));
    when = *read;
    return when;
}

} // namespace

void add_states(option_parser& parser, job_choice& choice) {
    parser
        .add_option(
            "--state",
            choice.states,
            "Only jobs in this state, or a,b in one of these; may be repeated. degraded: completed "
            "without the requested result"
        )
        ->delimiter(',')
        ->check(word_of({std::begin(states), std::end(states)}))
        ->allow_extra_args(false)
        ->type_name("STATE");
    std::vector<std::string> reasons;
    for (auto const& kind : agent::degradation_kinds()) reasons.emplace_back(kind.word);
    parser.add_option("--reason", choice.reason, "Only degraded jobs with this reason")
        ->check(word_of(std::move(reasons)))
        ->type_name("REASON");
}

void add_times(option_parser& parser, job_choice& choice) {
    static std::string const accepted = fmt::format("; {}. UTC by default", base::time_examples);
    parser
        .add_option("--after", choice.after, "Only those created at or after this time" + accepted)
        ->check(some_text())
        ->type_name("TIME");
    parser.add_option("--before", choice.before, "Only those created before this time; as --after")
        ->check(some_text())
        ->type_name("TIME");
}

void add_choice(option_parser& parser, job_choice& choice) {
    add_states(parser, choice);
    parser.add_option("--kind", choice.kind, "Only jobs of this kind")->type_name("KIND");
    parser.add_option("--flow", choice.flow, "Only jobs that run this flow")->type_name("NAME");
    parser.add_option("--lane", choice.lane, "Only jobs of the lane with this key")
        ->type_name("KEY");
    parser.add_option("--lane-has", choice.lane_text, "Only lanes with this text in their key")
        ->type_name("TEXT");
    parser.add_option("--error", choice.error_class, "Only jobs with an error of this class")
        ->type_name("CLASS");
    add_times(parser, choice);
}

std::string error_class_hint(job_choice const& choice) {
    if (choice.error_class.empty()) return {};
    return suggestion(choice.error_class, server::known_error_classes());
}

base::result<queue::job_filter> filter_of(job_choice const& choice) {
    queue::job_filter filter;
    for (auto const& state : choice.states) {
        filter.degraded = filter.degraded || state == "degraded";
        if (auto parsed = queue::job_state_from_string(state)) filter.states.push_back(*parsed);
    }
    filter.degraded_reason = choice.reason;
    filter.degraded = filter.degraded || (!choice.reason.empty() && filter.states.empty());
    filter.kind = choice.kind;
    filter.lane = choice.lane;
    filter.lane_text = choice.lane_text;
    filter.flow = choice.flow;
    filter.error_class = choice.error_class;
    auto after = time_of("--after", choice.after);
    if (!after) return after.error();
    filter.created_after = *after;
    auto before = time_of("--before", choice.before);
    if (!before) return before.error();
    filter.created_before = *before;
    return filter;
}

} // namespace postrider::cli
