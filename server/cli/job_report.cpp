#include "server/cli/job_report.hpp"

#include "base/clock.hpp"
#include "base/json/json.hpp"
#include "base/json/text.hpp"
#include "server/cli/lane_text.hpp"
#include "server/cli/table.hpp"
#include "server/views/job_json.hpp"
#include "server/views/json_values.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

namespace postrider::cli {

namespace {

namespace json = boost::json;

constexpr std::size_t job_error_width = 60;
constexpr std::size_t wait_width = 80;
constexpr std::size_t said_width = 40;
constexpr std::size_t line_width = 200;

std::string tokens(queue::job_summary const& job) {
    if (!job.tokens_in && !job.tokens_out) return "-";
    return fmt::format("{}/{}", job.tokens_in.value_or(0), job.tokens_out.value_or(0));
}

// As `usage` has them.
std::string cost(queue::job_summary const& job) {
    if (!job.cost_micro) return "-";
    return fmt::format("{:.6f}", static_cast<double>(*job.cost_micro) / 1e6);
}

std::string dollars(std::optional<std::int64_t> micro) {
    if (!micro) return {};
    return fmt::format("{:.6f} US dollars", static_cast<double>(*micro) / 1e6);
}

// "claude-haiku-4-5, 1200 tokens in (900 cached), 80 out, 0.001200 US dollars"
std::string model_call(queue::step_summary const& step) {
    auto text = step.model;
    if (!step.paid) return text;
    auto const& paid = *step.paid;
    text += fmt::format("{}{} tokens in", text.empty() ? "" : ", ", paid.tokens_in);
    if (paid.tokens_cached > 0) text += fmt::format(" ({} cached)", paid.tokens_cached);
    text += fmt::format(", {} out", paid.tokens_out);
    if (paid.cost_micro) text += ", " + dollars(paid.cost_micro);
    return text;
}

std::string failure(
    std::string const& error_class, std::string const& text, std::size_t width = job_error_width
) {
    if (error_class.empty()) return {};
    return one_line(text.empty() ? error_class : error_class + ": " + text, width);
}

// The reason of a degraded job first.
std::string failure_of(queue::job_summary const& job) {
    if (job.degraded_reason.empty()) return failure(job.error_class, job.error);
    return failure(job.degraded_reason, job.error_class + ": " + job.error);
}

std::string after(std::chrono::microseconds since_creation) {
    return "+" + base::to_text(since_creation);
}

// The whole text, its further lines under the first.
std::string indented_column(std::string_view text, std::size_t column) {
    auto shown = printable(text);
    for (auto at = shown.find('\n'); at != shown.npos; at = shown.find('\n', at + 1))
        shown.insert(at + 1, column, ' ');
    return shown;
}

// Under its step: the model that it called, what it returned, uncut, or when it comes again.
std::string sequel(queue::step_summary const& step) {
    std::string text;
    if (auto const call = model_call(step); !call.empty()) text = "     " + printable(call) + "\n";
    if (step.next) return text + fmt::format("     again at {}\n", after(*step.next));
    if (step.result.is_null()) return text;
    return text + "     → " + printable(base::json_text(step.result)) + "\n";
}

// The table's lines with each step's sequel below its own.
std::string timeline(std::vector<queue::step_summary> const& steps) {
    std::vector<cells> lines;
    lines.reserve(steps.size());
    for (auto const& s : steps)
        lines.push_back(
            {fmt::format("{:>3}", s.number),
             s.key,
             std::to_string(s.attempt),
             s.outcome,
             after(s.begins),
             base::to_text(s.took),
             failure(s.error_class, s.error, std::string::npos)}
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

std::string waits_table(std::vector<queue::job_wait> const& waits) {
    std::vector<cells> lines;
    lines.reserve(waits.size());
    for (auto const& wait : waits)
        lines.push_back(
            {"  " + base::to_text(wait.took),
             after(wait.begins),
             one_line(wait.reason, line_width),
             wait.until.empty() ? "it waits still" : wait.ended_by}
        );
    return table({"  waited", "began", "for", "until"}, lines);
}

std::string effects_table(std::vector<queue::effect_summary> const& effects) {
    std::vector<cells> lines;
    lines.reserve(effects.size());
    for (auto const& e : effects)
        lines.push_back(
            {"  " + e.key,
             e.kind,
             e.effect_class,
             e.state,
             e.flagged ? "may have been done twice" : ""}
        );
    return table({"  effect", "kind", "class", "state", ""}, lines);
}

std::string lost_table(std::vector<queue::lost_attempt> const& attempts) {
    std::vector<cells> lines;
    lines.reserve(attempts.size());
    for (auto const& a : attempts)
        lines.push_back(
            {"  " + a.key,
             std::to_string(a.run),
             "lost",
             fmt::format("{} at {}", a.node, a.host),
             a.since,
             a.last_beat_at,
             a.lost_at}
        );
    return table({"  step", "run", "outcome", "node", "since", "last heartbeat", "found"}, lines);
}

// Both commands of each, to be copied.
std::string commands_for(std::vector<std::string> const& approvals) {
    std::string text;
    for (auto const& id : approvals)
        text += fmt::format(
            "{}postrider approvals approve {}\npostrider approvals reject {}",
            text.empty() ? "" : "\n",
            id,
            id
        );
    return text;
}

// To the second; empty stays empty.
std::string short_instant(std::string const& instant) {
    return instant.empty() ? instant : instant.substr(0, 19) + "Z";
}

} // namespace

std::string to_text(std::vector<queue::job_summary> const& jobs) {
    std::vector<cells> lines;
    lines.reserve(jobs.size());
    for (auto const& job : jobs)
        lines.push_back(
            {std::to_string(job.id),
             job.kind,
             job.degraded ? "degraded" : job.state,
             name_or_key(job.lane_name, job.lane),
             job.created_at.substr(0, 19) + "Z",
             base::to_text(job.took),
             std::to_string(job.runs),
             tokens(job),
             cost(job),
             one_line(job.said.value_or(""), said_width),
             job.error_class.empty() ? one_line(job.waiting_for, wait_width) : failure_of(job)}
        );
    return table(
        {"job",
         "kind",
         "state",
         "lane",
         "created",
         "took",
         "runs",
         "tokens",
         "US dollars",
         "said",
         ""},
        lines
    );
}

namespace {

// "Ivana (@ivana_k, 5401122337)".
std::string author_text(json::value const& author) {
    base::json_reader const from{author};
    auto const id = from["chat_id"].int64_or(from["id"].int64_or(0));
    if (id == 0) return {};
    auto text = from["name"].string_or("");
    if (text.empty()) return std::to_string(id);
    auto const name = from[from["chat_id"] ? "chat_username" : "username"].string_or("");
    return text + fmt::format(" ({}{})", name.empty() ? "" : "@" + name + ", ", id);
}

} // namespace

std::string to_text(
    queue::job_details const& report,
    std::vector<queue::job_wait> const& waited,
    std::vector<std::string> const& approvals
) {
    auto const job = queue::with_payments(report);
    std::string text = fmt::format("job {}  {}  {}\n", job.id, job.kind, job.state);
    if (job.degraded)
        text.replace(text.size() - 1, 1, ", degraded: without the requested result\n");
    auto say = [&](std::string_view name, std::string const& value) {
        if (!value.empty()) text += fmt::format("  {:<9}{}\n", name, indented_column(value, 11));
    };
    say("reason", job.degraded_reason);
    say("lane", name_and_key(job.lane_name, job.lane));
    say("said", report.said.value_or(""));
    say("by", author_text(report.said_by));
    say("created", job.created_at);
    say("took", base::to_text(job.took));
    say("runs",
        fmt::format("{}{}", job.runs, job.lost > 0 ? fmt::format(", {} lost", job.lost) : ""));
    say("tokens", tokens(job));
    say("cost", dollars(job.cost_micro));
    if (job.restarts > 0) say("restarts", std::to_string(job.restarts));
    if (job.forked_from) say("fork of", std::to_string(*job.forked_from));
    say("due", job.due_at);
    say("deadline", job.deadline_at);
    say("waits", job.waiting_for);
    say("decide", commands_for(approvals));
    if (!job.asked.empty()) say("asked", job.asked + ": its worker does so at its next step");
    if (!job.error_class.empty())
        say("error", job.error.empty() ? job.error_class : job.error_class + ": " + job.error);
    if (!report.input.is_null()) say("input", base::json_text(report.input));
    if (!report.output.is_null()) say("output", base::json_text(report.output));
    if (!waited.empty()) text += "\n" + waits_table(waited);
    if (!report.steps.empty()) text += "\n" + timeline(report.steps);
    if (!report.lost_attempts.empty()) text += "\n" + lost_table(report.lost_attempts);
    if (!report.effects.empty()) text += "\n" + effects_table(report.effects);
    return text;
}

json::value to_json(queue::job_page const& page) {
    json::array all;
    for (auto const& job : page.jobs) all.push_back(server::job_json(job));
    json::object body{{"jobs", std::move(all)}};
    if (page.continues) body["next"] = base::raw(*page.continues);
    return body;
}

std::string to_text(std::vector<queue::lane_summary> const& lanes) {
    std::vector<cells> lines;
    lines.reserve(lanes.size());
    for (auto const& lane : lanes)
        lines.push_back(
            {lane.key,
             lane.name == lane.key ? "" : lane.name,
             lane.status,
             std::to_string(lane.live_jobs),
             short_instant(lane.ready_at),
             lane.paused_by.empty() ? lane.wait_reason : "paused: " + lane.paused_by}
        );
    return table({"lane", "name", "status", "jobs", "ready", ""}, lines);
}

json::value to_json(std::vector<queue::lane_summary> const& lanes) {
    json::array all;
    for (auto const& lane : lanes) all.push_back(server::lane_json(lane));
    return {{"lanes", std::move(all)}};
}

std::string to_text(std::vector<queue::doubtful_effect> const& effects) {
    std::vector<cells> lines;
    lines.reserve(effects.size());
    for (auto const& effect : effects)
        lines.push_back(
            {std::to_string(effect.job),
             effect.effect.key,
             effect.effect.kind,
             effect.effect.effect_class,
             effect.effect.state,
             name_or_key(effect.lane_name, effect.lane),
             short_instant(effect.planned_at),
             effect.effect.flagged ? "may have been done twice" : ""}
        );
    return table({"job", "effect", "kind", "class", "state", "lane", "planned", ""}, lines);
}

json::value to_json(queue::doubtful_effects_page const& page) {
    json::array all;
    for (auto const& effect : page.effects) all.push_back(server::effect_json(effect));
    json::object body{{"effects", std::move(all)}};
    if (page.continues) body["next"] = base::raw(*page.continues);
    return body;
}

std::string to_text(queue::job_event const& event) {
    auto const& job = event.job;
    auto line = fmt::format(
        "{}  {}  {}  {}  ",
        short_instant(event.at),
        job.id,
        job.kind,
        name_or_key(job.lane_name, job.lane)
    );
    if (auto const& step = event.step) {
        line +=
            fmt::format("step {} {} in {}", step->key, step->outcome, base::to_text(step->took));
        if (auto const call = model_call(*step); !call.empty()) line += "  " + call;
        auto const reason = failure(step->error_class, step->error);
        if (!reason.empty()) line += "  " + reason;
        return one_line(line, line_width);
    }
    line += event.before.empty() ? job.state : event.before + " → " + job.state;
    auto const reason = failure_of(job);
    if (!reason.empty()) line += "  " + reason;
    if (!job.waiting_for.empty()) line += "  " + job.waiting_for;
    if (event.before.empty() && job.said) line += "  said: " + *job.said;
    return one_line(line, line_width);
}

json::value to_json(queue::job_event const& event) {
    json::object object{{"at", event.at}, {"event", event.step ? "step" : "state"}};
    object["before"] = server::text_or_null(event.before);
    object["job"] = server::job_json(event.job);
    if (event.step) object["step"] = server::step_json(*event.step);
    return object;
}

std::string to_text(queue::operation_result const& result) {
    auto line = result.job ? "job " + base::to_string(*result.job) : result.scope;
    if (!result.done)
        line += ": refused (" + result.code + ")";
    else
        line += ": " + (result.state.empty() ? result.code : result.state);
    if (result.code == "asked") line += ", asked";
    if (!result.detail.empty()) line += ": " + result.detail;
    return printable(line);
}

json::value to_json(queue::operation_result const& result) {
    json::object object{
        {"done", result.done},
        {"state", server::text_or_null(result.state)},
        {"code", result.code},
        {"detail", server::text_or_null(result.detail)}};
    if (result.job)
        object["job_id"] = base::raw(*result.job);
    else
        object["scope"] = result.scope;
    return object;
}

} // namespace postrider::cli
