#include "agent/todo/answer_check.hpp"

#include "agent/language/assent.hpp"
#include "agent/language/claims.hpp"
#include "agent/language/reading/understand.hpp"
#include "agent/language/words.hpp"
#include "agent/talk/verdict.hpp"
#include "agent/todo/task_definitions.hpp"
#include "agent/todo/task_words.hpp"
#include "base/json/json.hpp"

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

kind change_of(std::string_view tool) {
    if (tool == create_tool) return kind::create;
    if (tool == update_tool) return kind::update;
    if (tool == complete_tool) return kind::complete;
    return kind::remove;
}

struct happened {
    replies const& words;
    std::set<kind> changes = {};
    std::vector<confirmation> confirmations = {};
    std::vector<std::string> failures = {}; // why the others did nothing
    std::string shown = {};                 // of the last list or task that was read
    std::vector<task> named = {};           // in all of the results
    bool elsewhere = false;                 // a tool of another kind did something

    std::size_t times(kind change) const {
        return static_cast<std::size_t>(std::ranges::count_if(
            confirmations, [&](confirmation const& done) { return change_of(done.tool) == change; }
        ));
    }
};

void take_reading(tool_result const& result, happened& facts) {
    if (auto const list = list_in(result.text); result.tool == list_tool && list) {
        facts.shown = lines_of(*list, facts.words);
        for (auto const& entry : list->tasks) facts.named.push_back(entry.task);
    } else if (auto const task = task_in(result.text); result.tool == get_tool && task) {
        facts.shown = details_of(*task, facts.words);
        facts.named.push_back(task->task);
    }
}

// The tools speak English.
std::string failure_of(tool_result const& failed, replies const& words) {
    base::json_reader const arguments(failed.arguments);
    auto const id = arguments["task_id"].int64_or(0);
    bool const is_unknown = failed.error_reason == no_such_task && id > 0;
    return is_unknown ? in_words(words.unknown_id, id) : failed.text;
}

happened read(std::vector<tool_result> const& results, std::string_view language) {
    happened facts{.words = replies_in(language)};
    for (auto const& result : results) {
        if (!is_task_tool(result.tool)) {
            facts.elsewhere |= !result.is_error;
            continue;
        }
        if (result.is_error) {
            // A refusal speaks to the model.
            if (!verdict_of(result.error_reason))
                facts.failures.push_back(failure_of(result, facts.words));
            continue;
        }
        if (!is_mutation(result.tool)) {
            take_reading(result, facts);
            continue;
        }
        facts.changes.insert(change_of(result.tool));
        auto const changed = task_in(result.text);
        if (!changed) continue;
        facts.named.push_back(changed->task);
        auto line = confirmation_of(result.tool, *changed, facts.words);
        confirmation added{result.tool, changed->task.id, std::move(line)};
        if (std::ranges::find(facts.confirmations, added) == facts.confirmations.end())
            facts.confirmations.push_back(std::move(added));
    }
    return facts;
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
std::string with_missing(std::string answer, happened const& facts) {
    std::string missing;
    std::map<std::string_view, std::size_t> told; // what is said of each line and not used up
    for (auto const& confirmed : facts.confirmations) {
        auto const times =
            times_told(language::without_marks(answer), language::without_marks(confirmed.line));
        auto const unused = told.try_emplace(confirmed.line, times).first;
        if (unused->second > 0)
            --unused->second;
        else
            add_line(missing, confirmed.line);
    }
    if (missing.empty()) return answer;
    if (!answer.empty()) missing += "\n\n" + answer;
    return missing;
}

std::string_view end_of(happened const& facts) {
    return facts.confirmations.empty() ? facts.words.nothing_changed
                                       : facts.words.nothing_else_changed;
}

std::string account_of(happened const& facts) {
    std::string text;
    for (auto const& done : facts.confirmations) add_line(text, done.line);
    add_line(text, end_of(facts));
    for (auto const& line : facts.failures) add_line(text, line);
    if (!facts.shown.empty()) add_line(text, facts.shown);
    return text;
}

bool names_one(std::vector<task> const& tasks, std::string_view title) {
    auto sought = folded(title);
    while (!sought.empty() && std::string_view(".,!;").find(sought.back()) != std::string_view::npos
    )
        sought.pop_back();
    return std::ranges::any_of(tasks, [&](task const& candidate) {
        return folded(candidate.title).find(sought) != std::string::npos;
    });
}

// Every claim has a receipt: of its kind, of as many tasks, and of those that it names.
bool all_true(language::change_claims const& claims, happened const& facts) {
    if (!std::ranges::includes(facts.changes, claims.kinds)) return false;
    for (auto const& [change, number] : claims.numbers)
        if (number > facts.times(change)) return false;
    for (auto const& title : claims.titles)
        if (!names_one(facts.named, title)) return false;
    return std::ranges::all_of(claims.tasks, [&](task_id id) {
        return std::ranges::find(facts.named, id, &task::id) != facts.named.end();
    });
}

// What the person's message asks of the tasks.
struct requested {
    std::set<kind> asked = {};
    std::set<kind> missing = {}; // of those that were not made
    std::vector<language::known_task> titles = {};
    bool of_else = false;
    bool asks_how_it_is = false;
};

// "What is the sum of 3 and 4?" may look for a task. After a greeting alone a claim is of what was said before.
bool is_of_tasks(intent const& asked) {
    return mutates(asked.action) || asked.action == kind::greeting ||
           asked.action == kind::thanks ||
           (asked.action == kind::list && asked.search.empty() && asked.unread.empty());
}

// When it is due plays no part. What another tool did may be what was asked for: "remind me to …". "I watched a
// film" may be no task's. A yes is of what was asked before.
requested read_request(std::string_view message, happened const& facts) {
    requested read;
    if (facts.elsewhere) return read;
    static auto const utc = base::find_time_zone("UTC").value();
    auto const request = language::understand(message, base::sys_time(), utc);
    read.of_else = request.partly;
    for (auto const& intent : request.intents) {
        bool const is_work =
            intent.action == kind::create && language::may_ask_for_work(message, intent.title);
        read.of_else |= is_work || !is_of_tasks(intent);
        if (is_work || !mutates(intent.action)) continue;
        read.asked.insert(intent.action);
        for (auto const& title : {intent.title, intent.task.title})
            if (!title.empty()) read.titles.push_back({.title = title});
        if (intent.task.verbs.empty() && !facts.changes.contains(intent.action))
            read.missing.insert(intent.action);
    }
    if (message.empty() || assent_of(message) != assent::neither ||
        language::speaks_of_tasks(message))
        read.of_else = false;
    read.asks_how_it_is = read.asked.empty() && words_of(message).asks;
    return read;
}

} // namespace

std::string checked_answer(
    std::string answer,
    std::vector<tool_result> const& results,
    std::string_view request,
    std::string_view language
) {
    auto const facts = read(results, language);
    auto const requested = read_request(request, facts);
    language::claim_context context{
        .tasks = requested.titles,
        .asked = requested.asked,
        .undone = requested.missing,
        .of_else = requested.of_else,
        .asks_how_it_is = requested.asks_how_it_is,
        .others_acted = facts.elsewhere};
    for (auto const& changed : facts.named)
        context.tasks.push_back({changed.title, changed.id, changed.done});
    auto const claims = language::claims_in(answer, context);
    if (!all_true(claims, facts)) return account_of(facts);
    bool const lacks = !requested.missing.empty();
    if (lacks && claims.vague) return account_of(facts);
    bool const is_told = answer.find(end_of(facts)) != answer.npos;
    if (lacks && !is_told && !language::asks_back(answer)) {
        if (!answer.empty()) answer += "\n\n";
        answer += end_of(facts);
    }
    return with_missing(std::move(answer), facts);
}

std::string with_confirmations(
    std::string said, std::vector<tool_result> const& results, std::string_view language
) {
    return with_missing(std::move(said), read(results, language));
}

} // namespace postrider::agent::todo
