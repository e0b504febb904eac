// The memories that hang on agents.
#include "agent/describe/bounds.hpp"
#include "agent/flow/chat/conversation.hpp"
#include "agent/flow/chat/history.hpp"
#include "agent/flow/nodes/memories.hpp"
#include "agent/flow/parts/memory.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/loop/token_window.hpp"
#include "net/digest.hpp"
#include "storage/stores/sessions.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include <map>

namespace postrider::agent::flow {

namespace {

// Of the messages of a window, however long they are: about 100,000 tokens.
constexpr std::size_t most_characters = 400'000;

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
    bool is_conversation() const noexcept override { return true; }

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

    base::awaitable<base::result<std::vector<chat_message>>>
    recall(std::string_view, queue::workflow&) override {
        co_await conversation_.read(size_.most());
        co_return conversation_.earlier(size_);
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

    base::awaitable<base::result<std::vector<chat_message>>>
    recall(std::string_view, queue::workflow&) override {
        co_await conversation_.read(longest_token_window(tokens_));
        co_return conversation_.earlier_within(tokens_);
    }
    bool offers_new_conversation() const override { return conversation_.offers_new(tokens_); }

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
        window_size size,
        retention policy,
        flow::conversation const& conversation,
        storage::batcher& reads
    )
        : id_(std::move(id)),
          size_(size),
          trims_(policy == retention::window),
          silent_(conversation.is_silent()),
          job_(conversation.job()),
          reads_(reads) {}

    base::awaitable<base::result<std::vector<chat_message>>> recall(
        std::string_view, queue::workflow& steps
    ) override {
        auto const step =
            fmt::format("{}-seen-{}", recall_step, net::sha256_hex(id_).substr(0, 12));
        auto const seen = co_await read_seen(steps, step);
        std::optional<boost::json::array> seen_jobs;
        if (seen) seen_jobs = jobs_of(*seen);
        auto rows = co_await storage::read_session(
            reads_,
            id_,
            base::raw(job_.id),
            size_.most(),
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
            history.push_back(message_from(row));
            marks.push_back(mark_of(row));
        }
        co_return steady_window(std::move(history), marks, size_);
    }

    std::vector<storage::write> keep(chat_message const& message, std::int64_t position) override {
        if (silent_) return {};
        auto row = row_from(message);
        row.job = job_.id;
        row.position = position;
        std::vector<storage::write> writes{storage::add_to_session(id_, row)};
        if (trims_) {
            writes.push_back(storage::trim_session(id_, job_.id, size_.most()));
            trims_ = false; // once: what this execution adds is not counted
        }
        return writes;
    }

    std::vector<storage::write> clear() override {
        if (silent_) return {};
        return {storage::clear_session(id_)};
    }
    bool is_conversation() const noexcept override { return false; }

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
    window_size size_;
    bool trims_;
    bool silent_;
    queue::job const& job_;
    storage::batcher& reads_;
};

memory_part make_memory(part_run& run, window_size size, retention policy) {
    auto session = std::string(run.parameters.at("session_id").as_string());
    auto const& services = run.services;
    memory_part part;
    if (session.empty())
        part.memory =
            std::make_shared<conversation_window>(run.conversation, size, services.random);
    else
        part.memory = std::make_shared<session_memory>(
            std::move(session), size, policy, run.conversation, services.reads
        );
    return part;
}

} // namespace

base::awaitable<base::result<memory_part>> make_window_memory(part_run& run) {
    window_size size{static_cast<int>(run.parameters.at("max_messages").as_int64())};
    size.characters = most_characters;
    size.slack = static_cast<int>(run.parameters.at("slack").as_int64());
    co_return make_memory(run, size, retention::window);
}

base::awaitable<base::result<memory_part>> make_buffer_memory(part_run& run) {
    auto const most = static_cast<std::size_t>(run.parameters.at("max_characters").as_int64());
    window_size const size{bounds::window.most, most, bounds::window_slack.most};
    co_return make_memory(run, size, retention::everything);
}

base::awaitable<base::result<memory_part>> make_conversation_memory(part_run& run) {
    auto const tokens = static_cast<int>(run.parameters.at("max_tokens").as_int64());
    memory_part part;
    part.memory =
        std::make_shared<whole_conversation>(run.conversation, tokens, run.services.random);
    co_return part;
}

} // namespace postrider::agent::flow
