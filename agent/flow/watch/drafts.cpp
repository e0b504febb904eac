#include "agent/flow/watch/drafts.hpp"

#include "agent/flow/execution_input.hpp"
#include "agent/flow/watch/speakers.hpp"
#include "base/json/json.hpp"
#include "base/waker.hpp"

#include <algorithm>

namespace postrider::agent::flow {

namespace {

// A longer answer comes as a document in any case.
constexpr std::size_t longest_draft = 24'000;

// The same in every run of the job.
std::int64_t draft_number(job_id job) {
    constexpr std::int64_t most = 2'147'483'646;
    return 1 + base::raw(job) % most;
}

} // namespace

struct drafts::draft {
    draft_screen& screen;
    base::clock& clock;
    draft_times times;
    address chat;
    std::int64_t number;
    base::waker news;
    std::string text = {}; // that the model has written and not ended; "" = it is silent
    bool is_over = false;
    stop_wish stop;
};

class drafts::writer final : public observer {
public:
    writer(drafts& owner, graph const& flow, std::shared_ptr<draft> shown_draft)
        : owner_(owner),
          flow_(flow),
          draft_(std::move(shown_draft)) {
        owner_.growing_[key()] = draft_;
    }
    ~writer() override {
        end();
        auto const own = owner_.growing_.find(key());
        if (own != owner_.growing_.end() && own->second == draft_) owner_.growing_.erase(own);
    }

    bool is_watched() const override { return !draft_->is_over && !speakers().empty(); }
    stop_wish* stop() override { return &draft_->stop; }
    void began() override { draft_->text.clear(); }
    void node_reported(node const& node, std::string_view event, boost::json::object detail)
        override {
        if (draft_->is_over || !speakers().contains(node.id)) return;
        if (event == model_silent) draft_->text.clear();
        if (event != model_chunk) return;
        boost::json::value const members(std::move(detail));
        add(base::json_reader{members}["text"].string_or(""));
    }
    void
    node_finished(node const& node, outputs const&, base::error const*, boost::json::object const&)
        override {
        if (speakers().contains(node.id)) end();
    }

private:
    draft_key key() const { return {draft_->chat.bot, draft_->chat.chat, draft_->number}; }

    // An empty piece takes back those before it.
    void add(std::string_view piece) {
        if (piece.empty()) return draft_->text.clear();
        draft_->text.append(piece);
        if (draft_->text.size() > longest_draft) return end();
        draft_->news.wake();
        if (!std::exchange(is_shown_, true)) owner_.tasks_.spawn("turn.draft", keep_shown(draft_));
    }

    void end() {
        draft_->is_over = true;
        draft_->news.wake();
    }

    std::set<std::string> const& speakers() const {
        if (!speakers_) speakers_ = speakers_of(flow_);
        return *speakers_;
    }

    drafts& owner_;
    graph const& flow_;
    std::shared_ptr<draft> draft_;
    bool is_shown_ = false;
    mutable std::optional<std::set<std::string>> speakers_;
};

base::awaitable<void> drafts::keep_shown(std::shared_ptr<draft> shown_draft) {
    auto& draft = *shown_draft;
    auto next = draft.clock.steady() + draft.times.before_first;
    auto fades = next;
    std::string shown;
    while (!draft.is_over) {
        auto const now = draft.clock.steady();
        bool const is_due =
            now >= next && !draft.text.empty() && (draft.text != shown || now >= fades);
        if (!is_due) {
            auto const until = now < next ? next : std::max(fades, now + draft.times.between);
            co_await draft.news.wait_for(until - now);
            continue;
        }
        shown = draft.text;
        auto const outcome = co_await draft.screen.show(draft.chat, draft.number, shown);
        next = draft.clock.steady() + draft.times.between;
        fades = draft.clock.steady() + draft.times.lifetime;
        if (outcome) continue;
        if (outcome.error() == base::errc::refused) draft.is_over = true;
        if (auto const pause = outcome.error().retry_after) next += *pause;
    }
}

std::unique_ptr<observer> drafts::of(queue::job const& job, graph const& flow) {
    auto const input = execution_input_from(job.input);
    if (!input || !input->command.empty()) return nullptr;
    auto const* heard = input->answered();
    if (!heard || !heard->seen.empty() || !screen_.shows(heard->from)) return nullptr;
    auto shown_draft = std::make_shared<draft>(draft{
        .screen = screen_,
        .clock = clock_,
        .times = times_,
        .chat = heard->from,
        .number = draft_number(job.id),
        .news = base::waker(executor_),
        .stop = stop_wish(executor_)});
    return std::make_unique<writer>(*this, flow, std::move(shown_draft));
}

bool drafts::stop(address const& chat, std::int64_t number) {
    auto const growing = growing_.find({chat.bot, chat.chat, number});
    if (growing == growing_.end()) return false;
    auto& stopped = *growing->second;
    stopped.is_over = true;
    stopped.news.wake();
    stopped.stop.make();
    return true;
}

base::awaitable<void> drafts::close() {
    tasks_.cancel();
    co_await tasks_.join();
}

} // namespace postrider::agent::flow
