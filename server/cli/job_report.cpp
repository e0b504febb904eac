#include "server/cli/job_report.hpp"

#include "base/clock.hpp"
#include "server/cli/table.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

namespace postrider::cli {

namespace {

namespace json = boost::json;

constexpr std::size_t error_width = 60;
constexpr std::size_t result_width = 100;

std::string tokens(job_line const& job) {
    if (!job.tokens_in && !job.tokens_out) return "-";
    return fmt::format("{}/{}", job.tokens_in.value_or(0), job.tokens_out.value_or(0));
}

std::string failure(std::string const& error_class, std::string const& text) {
    if (error_class.empty()) return {};
    return one_line(text.empty() ? error_class : error_class + ": " + text, error_width);
}

std::string after(std::chrono::microseconds since_creation) {
    return "+" + base::to_text(since_creation);
}

// Under its step: what it returned, or when it comes again.
std::string sequel(step_line const& step) {
    if (step.next) return fmt::format("     again at {}\n", after(*step.next));
    if (step.result.is_null()) return {};
    return "     → " + one_line(json::serialize(step.result), result_width) + "\n";
}

// The table's lines with each step's sequel below its own.
std::string timeline(std::vector<step_line> const& steps) {
    std::vector<cells> lines;
    for (auto const& s : steps)
        lines.push_back(
            {fmt::format("{:>3}", s.number),
             s.key,
             std::to_string(s.attempt),
             s.outcome,
             after(s.begins),
             base::to_text(s.took),
             failure(s.error_class, s.error)}
        );
    auto drawn = table({"  #", "step", "try", "outcome", "begins", "took", ""}, lines);
    std::string text;
    std::size_t line = 0;
    for (std::size_t start = 0; start < drawn.size(); ++line) {
        auto end = drawn.find('\n', start) + 1;
        text += drawn.substr(start, end - start);
        if (line > 0) text += sequel(steps[line - 1]);
        start = end;
    }
    return text;
}

std::string effects_table(std::vector<effect_line> const& effects) {
    std::vector<cells> lines;
    for (auto const& e : effects)
        lines.push_back(
            {"  " + e.key, e.kind, e.how, e.state, e.flagged ? "may have been done twice" : ""}
        );
    return table({"  effect", "kind", "class", "state", ""}, lines);
}

double in_ms(std::chrono::microseconds d) {
    return std::chrono::duration<double, std::milli>(d).count();
}

json::value number_or_null(std::optional<std::int64_t> number) {
    return number ? json::value(*number) : json::value();
}

json::value text_or_null(std::string const& text) {
    return text.empty() ? json::value() : json::value(text);
}

json::object job_object(job_line const& job) {
    return {
        {"job_id", job.id},
        {"lane", job.lane},
        {"kind", job.kind},
        {"state", job.state},
        {"runs", job.runs},
        {"lost", job.lost},
        {"created_at", job.created_at},
        {"age_ms", in_ms(job.age)},
        {"tokens_in", number_or_null(job.tokens_in)},
        {"tokens_out", number_or_null(job.tokens_out)},
        {"error_class", text_or_null(job.error_class)},
        {"error", text_or_null(job.error)}};
}

json::object step_object(step_line const& step) {
    return {
        {"seq", step.number},
        {"key", step.key},
        {"attempt", step.attempt},
        {"outcome", step.outcome},
        {"begins_ms", in_ms(step.begins)},
        {"took_ms", in_ms(step.took)},
        {"next_ms", step.next ? json::value(in_ms(*step.next)) : json::value()},
        {"error_class", text_or_null(step.error_class)},
        {"error", text_or_null(step.error)},
        {"result", step.result}};
}

json::object effect_object(effect_line const& effect) {
    return {
        {"key", effect.key},
        {"kind", effect.kind},
        {"class", effect.how},
        {"state", effect.state},
        {"flagged", effect.flagged},
        {"request", effect.request},
        {"result", effect.result}};
}

} // namespace

std::string to_text(std::vector<job_line> const& jobs) {
    std::vector<cells> lines;
    for (auto const& job : jobs)
        lines.push_back(
            {std::to_string(job.id),
             job.kind,
             job.state,
             job.lane,
             job.created_at.substr(0, 19) + "Z",
             base::to_text(job.age),
             std::to_string(job.runs),
             tokens(job),
             failure(job.error_class, job.error)}
        );
    return table({"job", "kind", "state", "lane", "created", "took", "runs", "tokens", ""}, lines);
}

std::string to_text(job_report const& report) {
    auto const& job = report.job;
    std::string text = fmt::format("job {}  {}  {}\n", job.id, job.kind, job.state);
    auto say = [&](std::string_view name, std::string const& value) {
        if (!value.empty()) text += fmt::format("  {:<9}{}\n", name, one_line(value, result_width));
    };
    say("lane", job.lane);
    say("created", job.created_at);
    say("took", base::to_text(job.age));
    say("runs",
        fmt::format("{}{}", job.runs, job.lost > 0 ? fmt::format(", {} lost", job.lost) : ""));
    say("tokens", tokens(job));
    say("waits", report.waits_for);
    if (!job.error_class.empty())
        say("error", job.error.empty() ? job.error_class : job.error_class + ": " + job.error);
    if (!report.output.is_null()) say("output", json::serialize(report.output));
    if (!report.steps.empty()) text += "\n" + timeline(report.steps);
    if (!report.effects.empty()) text += "\n" + effects_table(report.effects);
    return text;
}

json::value to_json(std::vector<job_line> const& jobs) {
    json::array all;
    for (auto const& job : jobs) all.push_back(job_object(job));
    return {{"jobs", std::move(all)}};
}

json::value to_json(job_report const& report) {
    auto all = job_object(report.job);
    all["waits_for"] = text_or_null(report.waits_for);
    all["input"] = report.input;
    all["output"] = report.output;
    json::array steps, effects;
    for (auto const& step : report.steps) steps.push_back(step_object(step));
    for (auto const& effect : report.effects) effects.push_back(effect_object(effect));
    all["steps"] = std::move(steps);
    all["effects"] = std::move(effects);
    return all;
}

} // namespace postrider::cli
