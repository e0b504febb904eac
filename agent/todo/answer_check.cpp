#include "agent/todo/answer_check.hpp"

#include "agent/approvals/request.hpp"
#include "agent/todo/claims.hpp"
#include "agent/todo/task_definitions.hpp"
#include "agent/todo/task_words.hpp"

#include <algorithm>
#include <map>

namespace postrider::agent::todo {

namespace {

using kind = intent::kind;

// Of a task's change; the same one, told of twice, is one.
struct confirmation {
    std::string tool;
    task_id id{};
    std::string line;

    bool operator==(confirmation const&) const = default;
};

struct happened {
    std::set<kind> changes;
    std::vector<confirmation> confirmations;
    std::vector<std::string> failures; // the tools' own words
    std::string shown;                 // of the last list or task that was read
};

kind change_of(std::string_view tool) {
    if (tool == create_tool) return kind::create;
    if (tool == update_tool) return kind::update;
    if (tool == complete_tool) return kind::complete;
    return kind::remove;
}

void take_reading(tool_result const& result, happened& all) {
    if (auto const list = list_in(result.text); result.tool == list_tool && list)
        all.shown = lines_of(*list);
    else if (auto const task = task_in(result.text); result.tool == get_tool && task)
        all.shown = details_of(*task);
}

happened read(std::vector<tool_result> const& results) {
    happened all;
    for (auto const& result : results) {
        if (!is_task_tool(result.tool)) continue;
        if (result.is_error) {
            // A refusal speaks to the model.
            if (!approvals::verdict_in(result.text)) all.failures.push_back(result.text);
            continue;
        }
        if (!is_mutation(result.tool)) {
            take_reading(result, all);
            continue;
        }
        all.changes.insert(change_of(result.tool));
        auto const told = task_in(result.text);
        if (!told) continue;
        confirmation added{result.tool, told->task.id, confirmation_of(result.tool, *told)};
        if (std::ranges::find(all.confirmations, added) == all.confirmations.end())
            all.confirmations.push_back(std::move(added));
    }
    return all;
}

void add_line(std::string& text, std::string_view line) {
    if (!text.empty()) text += '\n';
    text += line;
}

// "Created task: buy milk" does not tell of "buy milk and bread".
std::size_t times_told(std::string_view text, std::string_view line) {
    constexpr std::string_view ends_a_line = "\n.,;!?*_`\"')";
    std::size_t times = 0;
    for (auto at = text.find(line); at != text.npos; at = text.find(line, at + line.size())) {
        auto const rest = text.substr(at + line.size());
        times += rest.empty() || ends_a_line.find(rest.front()) != ends_a_line.npos;
    }
    return times;
}

// Before what was said: a person reads what was done first.
std::string with_missing(std::string said, happened const& all) {
    std::string missing;
    std::map<std::string_view, std::size_t> told; // what is said of each line and not used up
    for (auto const& done : all.confirmations) {
        auto const known = told.try_emplace(done.line, times_told(said, done.line)).first;
        if (known->second > 0)
            --known->second;
        else
            add_line(missing, done.line);
    }
    if (missing.empty()) return said;
    if (!said.empty()) missing += "\n\n" + said;
    return missing;
}

std::string account_of(happened const& all) {
    std::string text;
    for (auto const& done : all.confirmations) add_line(text, done.line);
    add_line(
        text, all.confirmations.empty() ? "Nothing was changed." : "Nothing else was changed."
    );
    for (auto const& line : all.failures) add_line(text, line);
    if (!all.shown.empty()) add_line(text, all.shown);
    return text;
}

} // namespace

std::string checked_answer(std::string said, std::vector<tool_result> const& results) {
    auto const all = read(results);
    auto const claimed = claims_in(said);
    if (!std::ranges::includes(all.changes, claimed)) return account_of(all);
    return with_missing(std::move(said), all);
}

std::string with_confirmations(std::string said, std::vector<tool_result> const& results) {
    return with_missing(std::move(said), read(results));
}

} // namespace postrider::agent::todo
