#include "server/api/watched_events.hpp"

#include "base/json/text.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace postrider::api {

namespace flow = agent::flow;

namespace {

std::optional<std::int64_t> sequence_from(std::string_view text) {
    std::int64_t number = 0;
    auto const [end, ec] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (ec != std::errc{} || end != text.data() + text.size() || number < 0) return std::nullopt;
    return number;
}

bool are_words(flow::event const& event) {
    return event.type == flow::model_chunk;
}

} // namespace

std::string to_text(event_position position) {
    auto text = std::to_string(position.number);
    if (position.restarts > 0) text += "." + std::to_string(position.restarts);
    return text;
}

std::optional<event_position> event_position_from(std::string_view text) {
    auto const dot = std::min(text.find('.'), text.size());
    auto const number = sequence_from(text.substr(0, dot));
    auto const restarts =
        dot == text.size() ? std::optional<std::int64_t>(0) : sequence_from(text.substr(dot + 1));
    if (!number || !restarts) return std::nullopt;
    return event_position{*number, *restarts};
}

void watched_events::read(std::vector<flow::event> record, queue::job_summary const& job) {
    if (told_.restarts != job.restarts) {
        told_ = {0, job.restarts};
        begin_behind_ = 0;
        told_between_.clear();
    }
    std::int64_t behind = has_read_ ? told_.number : 0;
    has_read_ = true;
    for (auto& event : record) {
        if (event.number > 0) behind = event.number;
        bool const fresh = event.number > 0 ? event.number > told_.number
                                            : is_new(event) && behind >= begin_behind_;
        if (event.number > 0) told_.number = std::max(told_.number, event.number);
        if (fresh) unsent_.push_back(std::move(event));
    }
    auto const state = queue::job_state_from_string(job.state);
    over_ = state && queue::over(*state);
}

void watched_events::see(std::vector<flow::event> happened) {
    std::ranges::move(happened, std::back_inserter(seen_));
}

// A model's words stand before what the record tells, for a step ends them, unless another call
// began in between; anything else that is not in the record yet stands behind it.
std::vector<flow::event> watched_events::take(bool look_is_due) {
    auto events = std::exchange(unsent_, {});
    bool const from_record = !events.empty();
    auto const end =
        look_is_due && !over_ ? std::ranges::find_if_not(seen_, are_words) : seen_.end();
    std::ptrdiff_t words = 0;
    bool called = false;
    for (auto event = seen_.begin(); event != end; ++event) {
        if (are_words(*event)) {
            bool const before = from_record && (over_ || !called);
            events.insert(before ? events.begin() + words++ : events.end(), std::move(*event));
            continue;
        }
        called = called || event->type == "model_called";
        if (!over_ && is_new(*event)) events.push_back(std::move(*event));
    }
    seen_.erase(seen_.begin(), end);
    return events;
}

std::optional<event_position> watched_events::position_of(flow::event const& happened) const {
    if (happened.number == 0) return std::nullopt;
    return event_position{happened.number, told_.restarts};
}

// What happens between is told once, by whichever way it is seen first; a run that goes on passes
// again what was done before.
bool watched_events::is_new(flow::event const& event) {
    auto data = event.data;
    data.erase("at_ms");
    if (event.type == "node_started") data.erase("items");
    return told_between_.insert(event.type + base::json_text(data)).second;
}

} // namespace postrider::api
