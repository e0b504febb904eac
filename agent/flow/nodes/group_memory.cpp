#include "agent/flow/nodes/group_memory.hpp"

#include "agent/describe/bounds.hpp"
#include "agent/flow/chat/conversation.hpp"
#include "agent/flow/nodes/compaction_job.hpp"
#include "agent/flow/nodes/group_reading.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/group/compaction.hpp"
#include "base/time_zone.hpp"

#include <boost/json/value.hpp>

namespace postrider::agent::flow {

namespace {

class group_memory final : public memory {
public:
    group_memory(
        compaction_request request,
        std::int64_t threshold,
        base::time_zone zone,
        bool is_silent,
        node_services const& services
    )
        : request_(std::move(request)),
          threshold_(threshold),
          zone_(zone),
          is_silent_(is_silent),
          services_(services) {}

    base::awaitable<base::result<recollection>> recall(std::string_view, queue::workflow&)
        override {
        auto history = co_await storage::read_group_context(
            services_.reads, request_.page, bounds::longest_read
        );
        if (!history) co_return history.error();
        if (history->summary) request_.summarised = history->summary->up_to;
        auto conversation = current_context(*history, request_.page.chat);
        // Until a summary is there, whatever keeps it from being made.
        leave_out_oldest(conversation, 2 * threshold_, zone_);
        shown_ = history->messages.size();
        estimate_ = agent::group::tokens_of(conversation, zone_);
        recollection recalled;
        recalled.has_question = true;
        for (auto& piece : agent::group::pieces_of(conversation, zone_))
            recalled.messages.push_back({.role = role::user, .content = std::move(piece)});
        co_return recalled;
    }

    std::vector<storage::write> after_question(std::int64_t tokens) override {
        auto const size = tokens > 0 ? tokens : estimate_;
        bool const is_due = size > threshold_ && shown_ >= 2;
        if (!is_due || is_silent_ || request_.model.credential.empty()) return {};
        return compact_later(request_);
    }

    // A summary of nothing: what it covers is not read any more.
    std::vector<storage::write> clear() override {
        if (is_silent_) return {};
        storage::summary_row nothing;
        nothing.up_to = {request_.page.turn, 0};
        nothing.read_at = services_.clock.now();
        return {storage::add_group_summary(
            {.lane = request_.page.lane, .chat = request_.page.chat, .since = request_.page.since},
            nothing
        )};
    }

private:
    compaction_request request_;
    std::int64_t threshold_;
    base::time_zone zone_;
    bool is_silent_;
    node_services const& services_;
    std::size_t shown_ = 0;     // messages
    std::int64_t estimate_ = 0; // tokens of them
};

// Times of a bot's people.
std::string zone_name(part_run const& run, bot_id bot) {
    if (auto const* name = run.parameters.if_contains("timezone"))
        return std::string(name->as_string());
    auto const& timezone_of = run.services.timezone_of;
    auto name = timezone_of ? timezone_of(bot) : std::string();
    return name.empty() ? "UTC" : name;
}

} // namespace

base::awaitable<base::result<memory_part>> make_group_memory(part_run& run) {
    auto const& input = run.conversation.input();
    if (!input.heard || input.heard->from.is_conversation())
        co_return base::error(base::errc::invalid, "no message of a group started this run");
    auto const threshold = run.parameters.at("compaction_threshold_tokens").as_int64();
    compaction_request request;
    auto const& job = run.conversation.job();
    auto const turn = input.history.value_or(storage::turn_place{job.lane, job.id});
    request.page = {
        .bot = input.heard->from.bot,
        .chat = input.heard->from.chat,
        .lane = turn.lane,
        .turn = turn.job,
        .most = most_messages_of(2 * threshold)};
    request.flow = input.flow;
    request.zone = zone_name(run, request.page.bot);
    auto const zone = base::find_time_zone(request.zone);
    if (!zone) co_return zone.error();
    if (run.parameters.at("persistence") == boost::json::value("memory")) {
        request.page.since = run.services.started_at;
        if (!request.page.since)
            co_return base::error(base::errc::refused, "this process keeps no conversations");
    }
    auto const models = run.parts.connected(ai_model);
    if (!models.empty()) {
        auto const offer = co_await run.parts.make(ai_model, models.front());
        if (offer && offer->in_order.front()) request.model = *offer->in_order.front();
    }
    co_return memory_part{std::make_shared<group_memory>(
        std::move(request), threshold, *zone, input.silent, run.services
    )};
}

} // namespace postrider::agent::flow
