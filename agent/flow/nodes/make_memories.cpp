// The memories that hang on agents.
#include "agent/describe/bounds.hpp"
#include "agent/flow/chat/conversation.hpp"
#include "agent/flow/chat/history.hpp"
#include "agent/flow/nodes/memories.hpp"
#include "agent/flow/nodes/process_sessions.hpp"
#include "agent/flow/nodes/session_summary.hpp"
#include "agent/flow/nodes/summary_job.hpp"
#include "agent/flow/nodes/visible_history.hpp"
#include "agent/flow/parts/memory.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/loop/token_window.hpp"
#include "net/digest.hpp"
#include "storage/stores/sessions.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include <map>
#include <utility>

namespace postrider::agent::flow {

namespace {

// The lane's conversation: the person's messages stand there already.
class conversation_memory : public memory {
public:
    conversation_memory(flow::conversation& conversation, base::random_source& random)
        : conversation_(conversation),
          random_(random) {}

    std::vector<storage::write> keep(chat_message const& message, std::int64_t position) override {
        // What a person asked stands there: a question that is kept came from the flow.
        auto const origin = message.role == role::user ? storage::message_origin::node
                                                       : storage::message_origin::agent;
        auto row = conversation_.row_of(message, position, origin);
        row.id = base::nanoid(random_);
        return {storage::add_message(row)};
    }

    std::vector<storage::write> clear() override {
        if (conversation_.is_silent()) return {};
        conversation_.forget();
        auto const& job = conversation_.job();
        return {storage::clear_conversation(job.lane, job.conversation, job.id)};
    }

protected:
    flow::conversation& conversation_;

private:
    base::random_source& random_;
};

// Its newest messages.
class conversation_window final : public conversation_memory {
public:
    conversation_window(
        flow::conversation& conversation, window_size size, base::random_source& random
    )
        : conversation_memory(conversation, random),
          size_(size) {}

    base::awaitable<base::result<recollection>> recall(std::string_view, queue::workflow&)
        override {
        co_await conversation_.read(size_.most());
        co_return recollection{
            .messages = conversation_.earlier(size_),
            .shown_since = conversation_.shown_since(size_)};
    }

private:
    window_size size_;
};

// All of it, up to a budget.
class whole_conversation final : public conversation_memory {
public:
    whole_conversation(flow::conversation& conversation, int tokens, base::random_source& random)
        : conversation_memory(conversation, random),
          tokens_(tokens) {}

    base::awaitable<base::result<recollection>> recall(std::string_view, queue::workflow&)
        override {
        co_await conversation_.read(longest_token_window(tokens_));
        co_return recollection{
            .messages = conversation_.earlier_within(tokens_),
            .is_cut = conversation_.is_longer_than(tokens_),
            .offers_new_conversation = conversation_.offers_new(tokens_),
            .shown_since = conversation_.shown_since(tokens_)};
    }

private:
    int tokens_;
};

enum class retention { everything, window };

// A session of its own, shared by all executions that name it. Silent forks only read it. With the
// retention of the window, what no later execution of this node can see is deleted with what it keeps.
class session_memory final : public memory {
public:
    session_memory(
        std::string id,
        visible_history visible,
        retention policy,
        flow::conversation const& conversation,
        storage::batcher& reads
    )
        : id_(std::move(id)),
          visible_(std::move(visible)),
          trims_(policy == retention::window),
          silent_(conversation.is_silent()),
          job_(conversation.job()),
          reads_(reads) {}

    base::awaitable<base::result<recollection>> recall(std::string_view, queue::workflow& steps)
        override {
        auto const step =
            fmt::format("{}-seen-{}", recall_step, net::sha256_hex(id_).substr(0, 12));
        auto const seen = co_await read_seen(steps, step);
        std::optional<boost::json::array> seen_jobs;
        if (seen) seen_jobs = jobs_of(*seen);
        auto rows = co_await storage::read_session(
            reads_,
            id_,
            base::raw(job_.id),
            visible_.most_read,
            bounds::longest_read,
            std::move(seen_jobs)
        );
        if (!rows) co_return rows.error();
        if (seen)
            std::erase_if(*rows, [&](auto const& row) { return !was_seen(row, *seen); });
        else if (!steps.is_read_only())
            (void)co_await steps.record_value(step, seen_in(*rows));
        std::vector<chat_message> history;
        message_marks marks;
        for (auto const& row : *rows) {
            if (row.role == "system" && !visible_.takes_summaries) continue;
            history.push_back(message_from(row));
            marks.push_back(mark_of(row));
        }
        co_return visible_.cut(std::move(history), marks);
    }

    std::vector<storage::write> keep(chat_message const& message, std::int64_t position) override {
        if (silent_) return {};
        auto row = row_from(message);
        row.job = job_.id;
        row.position = position;
        std::vector<storage::write> writes{storage::add_to_session(id_, row)};
        if (trims_) {
            writes.push_back(storage::trim_session(id_, job_.id, visible_.most_read));
            trims_ = false; // once: what this execution adds is not counted
        }
        return writes;
    }

    std::vector<storage::write> clear() override {
        if (silent_) return {};
        return {storage::clear_session(id_)};
    }

private:
    // Other lanes add to the session while this execution waits. What its first read found is recorded,
    // by job and the last position of it, so that a later run reads nothing of what came since.
    using seen_messages = std::map<job_id, std::int64_t>;

    static base::awaitable<std::optional<seen_messages>> read_seen(
        queue::workflow& steps, std::string const& step
    ) {
        if (!steps.recorded(step)) co_return std::nullopt;
        auto const recorded = co_await steps.record_value(step, boost::json::value());
        seen_messages seen;
        for (auto const& place : recorded->as_array())
            seen.emplace(job_id{place.at(0).as_int64()}, place.at(1).as_int64());
        co_return seen;
    }

    static boost::json::value seen_in(std::vector<storage::message_row> const& rows) {
        seen_messages seen;
        for (auto const& row : rows) seen[row.job] = row.position; // they are in order
        boost::json::array places;
        for (auto const& [job, position] : seen)
            places.push_back(boost::json::array{base::raw(job), position});
        return places;
    }

    static boost::json::array jobs_of(seen_messages const& seen) {
        boost::json::array jobs;
        for (auto const& place : seen) jobs.push_back(base::raw(place.first));
        return jobs;
    }

    static bool was_seen(storage::message_row const& row, seen_messages const& seen) {
        auto const job = seen.find(row.job);
        return job != seen.end() && row.position <= job->second;
    }

    std::string id_;
    visible_history visible_;
    bool trims_;
    bool silent_;
    queue::job const& job_;
    storage::batcher& reads_;
};

// The session that the node names; "" = none. One that comes out empty of an expression is a mistake, which
// may not mix up the sessions of several people.
base::result<std::string> session_of(part_run const& run) {
    auto session = std::string(run.parameters.at("session_id").as_string());
    auto const* written = run.node.parameters.if_contains("session_id");
    bool const is_written = written && *written != boost::json::value("");
    if (session.empty() && is_written)
        return base::error(base::errc::invalid, "the session's name is empty");
    return session;
}

// The session, and a job that summarises its older messages once there are enough of them. Until that is
// done, the window shows what it can.
class summarised_session final : public memory {
public:
    summarised_session(
        std::shared_ptr<memory> messages,
        std::shared_ptr<bool> is_due,
        std::vector<storage::write> job,
        std::string session,
        storage::batcher& reads
    )
        : messages_(std::move(messages)),
          is_due_(std::move(is_due)),
          job_(std::move(job)),
          session_(std::move(session)),
          reads_(reads) {}

    base::awaitable<base::result<recollection>> recall(
        std::string_view question, queue::workflow& steps
    ) override {
        auto recalled = co_await messages_->recall(question, steps);
        bool const may_ask = *is_due_ && !job_.empty() && !steps.is_read_only();
        if (recalled && may_ask) co_await leave_out_while_they_fail();
        co_return recalled;
    }

    std::vector<storage::write> keep(chat_message const& message, std::int64_t position) override {
        auto rows = messages_->keep(message, position);
        if (!*is_due_ || rows.empty()) return rows; // silent forks add nothing
        for (auto& row : std::exchange(job_, {})) rows.push_back(std::move(row));
        return rows;
    }

    std::vector<storage::write> clear() override { return messages_->clear(); }

private:
    base::awaitable<void> leave_out_while_they_fail() {
        auto const pauses = co_await summaries_pause(reads_, session_, bounds::longest_read);
        if (!pauses || *pauses) job_.clear(); // a later turn asks again
    }

    std::shared_ptr<memory> messages_;
    std::shared_ptr<bool> is_due_;
    std::vector<storage::write> job_;
    std::string session_;
    storage::batcher& reads_;
};

memory_part session_part(
    part_run& run, std::string session, visible_history visible, retention policy
) {
    return {std::make_shared<session_memory>(
        std::move(session), std::move(visible), policy, run.conversation, run.services.reads
    )};
}

memory_part whole_conversation_part(part_run& run, int tokens) {
    return {
        std::make_shared<whole_conversation>(run.conversation, tokens, run.services.random),
        memory_site::conversation};
}

} // namespace

base::awaitable<base::result<memory_part>> make_window_memory(part_run& run) {
    window_size size{static_cast<int>(run.parameters.at("max_messages").as_int64())};
    size.characters = most_memory_characters;
    size.slack = static_cast<int>(run.parameters.at("slack").as_int64());
    auto session = session_of(run);
    if (!session) co_return session.error();
    if (!session->empty())
        co_return session_part(run, std::move(*session), visible_window(size), retention::window);
    co_return memory_part{
        std::make_shared<conversation_window>(run.conversation, size, run.services.random),
        memory_site::conversation};
}

base::awaitable<base::result<memory_part>> make_summary_memory(part_run& run) {
    summary_sizes sizes;
    sizes.window = static_cast<int>(run.parameters.at("max_messages").as_int64());
    sizes.batch = static_cast<int>(run.parameters.at("batch").as_int64());
    auto session = session_of(run);
    if (!session) co_return session.error();
    if (session->empty()) co_return base::error(base::errc::invalid, "the session's name is empty");
    auto const models = run.parts.connected(ai_model);
    std::vector<storage::write> job;
    if (!models.empty()) {
        auto const offer = co_await run.parts.make(ai_model, models.front());
        if (offer && offer->in_order.front()) {
            summary_request request;
            request.session = *session;
            request.flow = run.conversation.flow();
            request.window = sizes.window;
            if (auto const& heard = run.conversation.heard()) request.user = heard->user;
            request.model = *offer->in_order.front();
            job = summarise_later(request);
        }
    }
    auto is_due = std::make_shared<bool>(false);
    auto part =
        session_part(run, *session, visible_summarised(sizes, is_due), retention::everything);
    part.memory = std::make_shared<summarised_session>(
        std::move(part.memory),
        std::move(is_due),
        std::move(job),
        std::move(*session),
        run.services.reads
    );
    co_return part;
}

// In the process the lane has a session of its own: its conversation stands in the database.
base::awaitable<base::result<memory_part>> make_buffer_memory(part_run& run) {
    auto const tokens = static_cast<int>(run.parameters.at("max_tokens").as_int64());
    auto session = session_of(run);
    if (!session) co_return session.error();
    if (run.parameters.at("persistence") == boost::json::value("memory")) {
        if (session->empty())
            *session = fmt::format("lane {}", base::raw(run.conversation.job().lane));
        co_return process_memory_part(run, *session, visible_within(tokens));
    }
    if (session->empty()) co_return whole_conversation_part(run, tokens);
    co_return session_part(run, std::move(*session), visible_within(tokens), retention::everything);
}

base::awaitable<base::result<memory_part>> make_conversation_memory(part_run& run) {
    auto const tokens = static_cast<int>(run.parameters.at("max_tokens").as_int64());
    co_return whole_conversation_part(run, tokens);
}

} // namespace postrider::agent::flow
