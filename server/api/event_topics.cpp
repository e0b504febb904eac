#include "server/api/event_topics.hpp"

#include "base/ascii.hpp"
#include "base/names.hpp"
#include "server/api/conversation_access.hpp"
#include "server/api/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace postrider::api {

namespace {

constexpr std::string_view execution_prefix = "execution:";
constexpr std::string_view conversation_prefix = "conversation:";
constexpr std::size_t longest_topics = 1500;

constexpr base::names<mark_topic, 5> mark_names{{
    {mark_topic::counts, "counts"},
    {mark_topic::attention, "attention"},
    {mark_topic::lanes, "lanes"},
    {mark_topic::nodes, "nodes"},
    {mark_topic::approvals, "approvals"},
}};

// A name that ends with ":" has an id behind it. False: the id is none.
struct topic_kind {
    std::string_view name;
    audience open_to;
    bool (*add)(event_topics& to, std::string_view id);
};

template<mark_topic Topic>
bool add_mark(event_topics& to, std::string_view) {
    to.marks.insert(Topic);
    return true;
}

bool add_jobs(event_topics& to, std::string_view) {
    to.jobs = true;
    return true;
}

bool add_demo(event_topics& to, std::string_view) {
    to.demo = true;
    return true;
}

bool add_job(event_topics& to, std::string_view id) {
    auto const job = id_from(id);
    if (job) to.single_jobs.insert(job_id{*job});
    return job.has_value();
}

bool add_execution(event_topics& to, std::string_view id) {
    auto const job = id_from(id);
    if (job) to.executions.push_back(job_id{*job});
    return job.has_value();
}

bool add_conversation(event_topics& to, std::string_view id) {
    if (!is_conversation_id(id)) return false;
    to.conversations.emplace_back(id);
    return true;
}

constexpr std::array topic_kinds{
    topic_kind{"counts", audience::operators, add_mark<mark_topic::counts>},
    topic_kind{"attention", audience::operators, add_mark<mark_topic::attention>},
    topic_kind{"jobs", audience::operators, add_jobs},
    topic_kind{"job:", audience::operators, add_job},
    topic_kind{"lanes", audience::operators, add_mark<mark_topic::lanes>},
    topic_kind{"nodes", audience::operators, add_mark<mark_topic::nodes>},
    topic_kind{"approvals", audience::operators, add_mark<mark_topic::approvals>},
    topic_kind{demo_topic, audience::operators, add_demo},
    topic_kind{execution_prefix, audience::operators, add_execution},
    topic_kind{conversation_prefix, audience::people, add_conversation},
};

std::string_view kind_name(std::string_view word) {
    auto const colon = word.find(':');
    return colon == std::string_view::npos ? word : word.substr(0, colon + 1);
}

topic_kind const* find_kind(std::string_view word) {
    auto const kind = std::ranges::find(topic_kinds, kind_name(word), &topic_kind::name);
    return kind == topic_kinds.end() ? nullptr : &*kind;
}

std::string known_topics() {
    std::string text;
    for (auto const& kind : topic_kinds) {
        if (!text.empty()) text += ", ";
        text += kind.name;
        if (kind.name.ends_with(':')) text += "ID";
    }
    return text;
}

void add_topic(event_topics& topics, std::string_view word, inputs& mistakes_to) {
    auto const* kind = find_kind(word);
    auto const start = word.substr(0, 60);
    if (!kind) {
        mistakes_to.mistake(fmt::format("topics: there is no {}, only {}", start, known_topics()));
        return;
    }
    auto topic = base::to_lower(std::string(word)); // an id's letters
    if (std::ranges::find(topics.words, topic) != topics.words.end()) return;
    if (kind->add(topics, std::string_view(topic).substr(kind->name.size())))
        topics.words.push_back(std::move(topic));
    else
        mistakes_to.mistake(fmt::format("topics: {} has no valid id", start));
}

} // namespace

std::string_view to_string(mark_topic topic) noexcept {
    return base::name_of(mark_names, topic);
}

std::optional<bool> event_topics::admits(logged_job const& job) const {
    if (single_jobs.contains(job_id{job.job.id})) return true;
    if (!jobs) return std::nullopt;
    if (job.matches(filter)) return true;
    return job.may_have_matched(filter) ? std::optional(false) : std::nullopt;
}

event_topics read_topics(parameters& query) {
    event_topics topics;
    auto const words = query.text("topics", longest_topics).value_or("");
    for (std::string_view rest = words; !rest.empty();) {
        auto const word = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(word.size() + 1, rest.size()));
        add_topic(topics, word, query);
    }
    if (words.empty())
        query.mistake(fmt::format("topics is missing: one or more of {}", known_topics()));
    if (topics.words.size() > most_topics)
        query.mistake(fmt::format("topics: a stream has {} at most", most_topics));
    topics.filter = read_filter(query);
    if (!topics.jobs && !matches_all(topics.filter))
        query.mistake("a filter is for the topic jobs, which topics does not have");
    return topics;
}

std::optional<std::string> forbidden_topic(event_topics const& topics, storage::token_role role) {
    auto const forbidden = std::ranges::find_if(topics.words, [&](std::string const& word) {
        return !may(role, "GET", find_kind(word)->open_to);
    });
    return forbidden == topics.words.end() ? std::nullopt : std::optional(*forbidden);
}

std::string topic_of(job_id execution) {
    return std::string(execution_prefix) + base::to_string(execution);
}

std::string topic_of(std::string const& conversation) {
    return std::string(conversation_prefix) + conversation;
}

} // namespace postrider::api
