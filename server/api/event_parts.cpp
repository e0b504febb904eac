#include "server/api/event_parts.hpp"

#include "base/json/text.hpp"

#include <boost/json/array.hpp>

namespace postrider::api {

namespace json = boost::json;

namespace {

// Few, so that what came in meanwhile has its turn before the next streams have theirs.
constexpr std::size_t jobs_of_a_write = 20;
// A client whose jobs do not change is told its place anew, so that it stays known: after so many changes
// of the log that a tenth of it is behind that place.
constexpr std::size_t shares_of_log = 10;

// Of the same job as the log has it.
std::shared_ptr<std::string const> told_text(job_log::shared_job const& job, bool is_admitted) {
    return {job, is_admitted ? &job->job_event : &job->left_event};
}

} // namespace

net::sse_event reset_event(std::vector<std::string> const& topics) {
    json::array words;
    for (auto const& topic : topics) words.emplace_back(topic);
    return {"reset", base::json_text(json::object{{"topics", std::move(words)}})};
}

job_events::job_events(
    job_rounds& rounds,
    base::clock const& clock,
    event_topics topics,
    base::asio::any_io_executor executor
)
    : rounds_(rounds),
      clock_(clock),
      topics_(std::move(topics)),
      place_(std::make_shared<shared_job_looks::place>(
          std::make_shared<base::waker>(std::move(executor))
      )) {
    rounds_.looks().join(place_);
}

base::awaitable<base::result<bool>> job_events::look(stream_position& position) {
    auto const looked = co_await rounds_.looks().look(*place_, job_query::changes);
    if (!looked) co_return looked.error();
    auto const place = position.at(jobs_place);
    auto const known = log_position_from(place);
    bool const goes_on = known && rounds_.log().reaches(*known);
    position_ = goes_on ? *known : rounds_.log().newest();
    told_ = position_.number;
    bool const is_kept = goes_on || place.empty();
    position.set(std::string(jobs_place), to_text(position_));
    co_return is_kept;
}

base::awaitable<bool> job_events::tell(event_line& line, base::steady_time end) {
    auto looked = clock_.steady();
    for (;;) {
        for (auto events = take(); !events.empty(); events = take()) {
            bool const written =
                co_await line.write_shared(std::string(jobs_place), std::move(events));
            if (!written) co_return true;
            told_ = position_.number;
        }
        auto const now = clock_.steady();
        if (now >= end) co_return true;
        auto const pause = rounds_.pause();
        rounds_.looks().expect(*place_, job_query::changes, looked + pause / 2, looked + pause);
        co_await rounds_.looks().wait(*place_, end - now);
        auto const answer = place_->take();
        if (!answer) continue;
        if (!*answer) co_return false;
        looked = clock_.steady();
    }
}

std::vector<std::string> job_events::topics() const {
    std::vector<std::string> topics;
    if (topics_.jobs) topics.emplace_back(jobs_place);
    for (auto const job : topics_.single_jobs) topics.push_back("job:" + base::to_string(job));
    return topics;
}

std::vector<shared_event> job_events::take() {
    std::vector<shared_event> events;
    auto const& log = rounds_.log();
    if (!log.reaches(position_)) {
        position_ = log.newest();
        auto text = std::make_shared<std::string>(net::to_text(reset_event(topics())));
        events.push_back({to_text(position_), std::move(text)});
        return events;
    }
    while (events.empty()) {
        auto const jobs = log.behind(position_, jobs_of_a_write);
        if (jobs.empty()) break;
        for (auto const& job : jobs) {
            position_.number = job->number;
            auto const admitted = topics_.admits(*job);
            if (admitted) events.push_back({to_text(position_), told_text(job, *admitted)});
        }
    }
    auto const untold = static_cast<std::size_t>(position_.number - told_);
    if (events.empty() && untold > log.most() / shares_of_log)
        events.push_back({to_text(position_), std::make_shared<std::string>("\n")}); // an id alone
    return events;
}

mark_events::mark_events(
    shared_mark_looks& looks,
    base::clock const& clock,
    std::set<mark_topic> topics,
    base::asio::any_io_executor executor
)
    : looks_(looks),
      clock_(clock),
      topics_(std::move(topics)),
      place_(std::make_shared<shared_mark_looks::place>(
          std::make_shared<base::waker>(std::move(executor))
      )) {
    looks_.join(place_);
}

base::awaitable<base::result<void>> mark_events::look(stream_position& position) {
    auto const looked = co_await looks_.look(*place_, mark_query::all);
    if (!looked) co_return looked.error();
    seen_ = *looked;
    for (auto const topic : topics_) {
        std::string const word(to_string(topic));
        std::string place(position.at(word));
        bool const is_list = event_of_mark(topic) == "changed";
        // A client reads the list after its stream has begun.
        if (place.empty() && is_list) {
            place = seen_->at(topic).digest;
            position.set(word, place);
        }
        told_[topic] = place;
    }
    co_return base::result<void>{};
}

base::awaitable<bool> mark_events::tell(event_line& line, base::steady_time end) {
    auto looked = clock_.steady();
    for (;;) {
        bool const written = co_await write(line);
        auto const now = clock_.steady();
        if (!written || now >= end) co_return true;
        looks_.expect(*place_, mark_query::all, looked + mark_pause / 2, looked + mark_pause);
        co_await looks_.wait(*place_, end - now);
        auto const answer = place_->take();
        if (!answer) continue;
        if (!*answer) co_return false;
        seen_ = **answer;
        looked = clock_.steady();
    }
}

std::vector<std::string> mark_events::topics() const {
    std::vector<std::string> topics;
    for (auto const topic : topics_) topics.emplace_back(to_string(topic));
    return topics;
}

base::awaitable<bool> mark_events::write(event_line& line) {
    for (auto const topic : topics_) {
        auto const& mark = seen_->at(topic);
        if (told_[topic] == mark.digest) continue;
        told_[topic] = mark.digest;
        std::vector<net::sse_event> events;
        events.push_back({event_of_mark(topic), mark.data, mark.digest});
        bool const written = co_await line.write(std::string(to_string(topic)), std::move(events));
        if (!written) co_return false;
    }
    co_return true;
}

} // namespace postrider::api
