#include "server/api/conversation_events.hpp"

#include "base/json/text.hpp"
#include "base/sort_by.hpp"
#include "server/api/conversation_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

namespace postrider::api {

namespace flow = agent::flow;
namespace json = boost::json;

namespace {

std::optional<std::int64_t> number_from(std::string_view text) {
    std::int64_t number = 0;
    auto const [end, ec] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (ec != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

using heard_events = std::vector<flow::event>;

auto find_call(heard_events& happened) {
    return std::ranges::find(happened, "model_called", &flow::event::type);
}

using speaker_ids = std::set<std::string>;

// Nothing = it is no piece of what people are to hear. An empty piece takes back those before it.
std::optional<std::string_view> words_in(flow::event const& event, speaker_ids const& speakers) {
    if (event.type != flow::model_chunk) return std::nullopt;
    auto const* node = event.data.if_contains("node");
    auto const* detail = event.data.if_contains("detail");
    if (!node || !node->is_string() || !detail || !detail->is_object()) return std::nullopt;
    auto const* text = detail->get_object().if_contains("text");
    bool const is_heard =
        text && text->is_string() && speakers.contains(node->get_string().c_str());
    if (!is_heard) return std::nullopt;
    return std::string_view(text->get_string());
}

// The first call of which no message of these has the words: the others' were said before they were
// committed, however quick that was.
auto find_open_call(
    heard_events& happened,
    std::vector<storage::changed_message> const& committed,
    speaker_ids const& speakers
) {
    auto call = find_call(happened);
    while (call != happened.end()) {
        auto const next_call =
            std::ranges::find(std::next(call), happened.end(), "model_called", &flow::event::type);
        std::string words;
        for (auto event = call; event != next_call; ++event) {
            auto const piece = words_in(*event, speakers);
            if (piece && piece->empty()) words.clear();
            words += piece.value_or("");
        }
        auto const has_them = [&](storage::changed_message const& changed) {
            return changed.message.content.starts_with(words);
        };
        if (words.empty() || std::ranges::none_of(committed, has_them)) break;
        call = next_call;
    }
    return call;
}

std::string_view take_part(std::string_view& text) {
    auto const part = text.substr(0, text.find('/'));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    return part;
}

// Nothing of the failure's own words, which may be a provider's or a flow's.
std::string_view words_for(storage::ended_turn const& end) {
    if (end.state == "cancelled") return "The turn was cancelled.";
    if (end.error_class == "timeout") return "The turn took longer than it may.";
    return "Something went wrong, and the answer is missing or incomplete. The message is saved.";
}

net::sse_event event_of(storage::ended_turn const& end) {
    json::object data{{"job_id", base::raw(end.job)}};
    if (end.state != "completed") {
        data["detail"] = words_for(end);
        return {end.state, base::json_text(data)};
    }
    if (end.answered_by)
        data["answered_by"] = base::raw(*end.answered_by);
    else
        data["reply"] = end.reply ? json::value(*end.reply) : json::value();
    return {"done", base::json_text(data)};
}

net::sse_event event_of(storage::changed_message const& changed) {
    if (changed.removed)
        return {"message_removed", base::json_text(json::object{{"id", changed.message.id}})};
    return {"message", base::json_text(to_json(changed.message))};
}

} // namespace

std::string to_text(conversation_position const& position) {
    if (position.until.empty()) return position.since;
    return fmt::format(
        "{}/{}/{}/{}", position.since, position.until, position.after.job, position.after.position
    );
}

std::optional<conversation_position> conversation_position_from(std::string_view text) {
    conversation_position at;
    if (text.ends_with('/')) return std::nullopt;
    at.since = take_part(text);
    if (!storage::is_snapshot(at.since)) return std::nullopt;
    if (text.empty()) return at;
    at.until = take_part(text);
    auto const job = number_from(take_part(text));
    auto const position = number_from(take_part(text));
    if (!storage::is_snapshot(at.until) || !job || !position || !text.empty()) return std::nullopt;
    if (*job < 0 || *job == INT64_MAX) return std::nullopt;
    at.after = {*job, *position};
    return at;
}

conversation_events::conversation_events(
    std::optional<conversation_position> position, std::optional<job_id> followed
)
    : position_(std::move(position).value_or(conversation_position{})),
      followed_(followed) {}

storage::changes_query conversation_events::query(lane_id lane) const {
    return {lane, position_.since, position_.until, position_.after};
}

void conversation_events::add(
    storage::conversation_changes const& changes,
    std::vector<flow::event> happened,
    std::set<std::string> const& speakers
) {
    if (position_.since.empty()) position_.since = changes.until;
    if (!std::exchange(has_begun_, true)) tell_beginning();
    happened.insert(
        happened.begin(),
        std::make_move_iterator(held_.begin()),
        std::make_move_iterator(held_.end())
    );
    held_.clear();
    // A commit ends a model's words, unless another call began in between. A turn that is over said all
    // of it before its end.
    bool const is_over = turn_ && (!changes.turn || changes.turn->job != turn_->job);
    auto const next_call =
        is_over ? happened.end() : find_open_call(happened, changes.messages, speakers);
    for (auto event = happened.begin(); event != next_call; ++event) happen(*event, speakers);
    add_committed(changes);
    tell_turn(changes.turn);
    for (auto event = next_call; event != happened.end(); ++event) happen(*event, speakers);
}

void conversation_events::hear(
    std::vector<flow::event> happened, std::set<std::string> const& speakers
) {
    auto event = happened.begin();
    auto const next_call = held_.empty() ? find_call(happened) : event;
    for (; event != next_call; ++event) happen(*event, speakers);
    std::move(event, happened.end(), std::back_inserter(held_));
}

// An id says that everything before it was told; the last one, that the watcher knows all that was
// committed, also where the rest of it was told before.
void conversation_events::add_committed(storage::conversation_changes const& changes) {
    std::vector<committed_event> events;
    bool knew_some = false;
    for (auto const& message : changes.messages) {
        committed_event own_event{message.message.at, event_of(message)};
        if (is_new("message/" + message.message.id, own_event.event.type + own_event.event.data))
            events.push_back(std::move(own_event));
        else
            knew_some = true;
    }
    for (auto const& end : changes.ends)
        if (auto event = note_end(end))
            events.push_back({{base::raw(end.job), storage::end_of_turn}, std::move(*event)});
    base::stable_sort_by(events, [](committed_event const& committed) {
        return std::pair(committed.at.job, committed.at.position);
    });
    for (auto& committed : events) {
        committed.event.id = to_text({position_.since, changes.until, committed.at});
        unsent_.push_back(std::move(committed.event));
    }
    position_ = {changes.until};
    if (!events.empty())
        unsent_.back().id = to_text(position_);
    else if (knew_some)
        unsent_.push_back({"", "", to_text(position_)});
}

void conversation_events::add_end(storage::ended_turn const& end) {
    auto event = note_end(end);
    if (!event) return;
    event->id = to_text(position_);
    unsent_.push_back(std::move(*event));
}

std::optional<net::sse_event> conversation_events::note_end(storage::ended_turn const& end) {
    ended_[end.job] = end.state == "completed" ? end.answered_by : std::nullopt;
    auto event = event_of(end);
    auto const content = event.type + end.finished_at;
    if (!is_new("turn/" + base::to_string(end.job), content)) return std::nullopt;
    return event;
}

void conversation_events::happen(flow::event const& event, std::set<std::string> const& speakers) {
    if (!turn_) return;
    json::object data{{"job_id", base::raw(turn_->job)}};
    auto const* detail = event.data.if_contains("detail");
    auto const* about = detail ? detail->if_object() : nullptr;
    auto const say = [&](std::string type, char const* source, char const* name) {
        auto const* value = about ? about->if_contains(source) : nullptr;
        if (value) data[name] = *value;
        unsent_.push_back({std::move(type), base::json_text(data)});
    };
    auto const words = words_in(event, speakers);
    if (words && !words->empty()) {
        say("words", "text", "text");
    } else if (words || event.type == "model_called") {
        data["doing"] = "thinking";
        say("step", "", "");
    } else if (event.type == "tool_called") {
        data["doing"] = "tool";
        say("step", "tool", "tool");
    }
}

void conversation_events::tell_beginning() {
    json::object data;
    if (followed_) data["job_id"] = base::raw(*followed_);
    unsent_.push_back({"watching", base::json_text(data), to_text(position_)});
}

void conversation_events::tell_turn(std::optional<storage::running_turn> const& now) {
    bool const is_told = now == turn_;
    turn_ = now;
    if (is_told || !now) return;
    json::object data{{"job_id", base::raw(now->job)}, {"state", now->state}};
    if (!now->paused.empty()) data["paused"] = now->paused;
    if (now->paused == "lane") data["lane"] = now->lane_key;
    unsent_.push_back({"turn", base::json_text(data)});
}

std::optional<job_id> conversation_events::end_of(job_id turn) const {
    for (;;) {
        auto const entry = ended_.find(turn);
        if (entry == ended_.end()) return std::nullopt;
        if (!entry->second) return turn;
        turn = *entry->second;
    }
}

bool conversation_events::is_new(std::string const& key, std::string const& content) {
    auto const digest = std::hash<std::string>{}(content);
    auto const [entry, inserted] = told_.try_emplace(key, digest);
    return inserted || std::exchange(entry->second, digest) != digest;
}

} // namespace postrider::api
