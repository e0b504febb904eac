// The memories that hang on agents.
#include "agent/bounds.hpp"
#include "agent/flow/memory.hpp"
#include "agent/flow/nodes/memories.hpp"
#include "agent/flow/run/conversation.hpp"
#include "agent/flow/services.hpp"
#include "agent/history.hpp"
#include "agent/loop/token_window.hpp"
#include "storage/stores/sessions.hpp"

namespace postrider::agent::flow {

namespace {

// Of the messages of a window, however long they are: about 100,000 tokens.
constexpr std::size_t most_characters = 400'000;

// The lane's conversation: the person's messages stand there already.
class conversation_memory : public memory {
public:
    conversation_memory(flow::conversation& of, base::random_source& random)
        : of_(of),
          random_(random) {}

    std::vector<storage::write> keep(chat_message const& message, std::int64_t position) override {
        auto row = of_.row_of(message, position);
        row.id = base::nanoid(random_);
        return {storage::add_message(row)};
    }

    std::vector<storage::write> clear() override {
        if (of_.is_silent()) return {};
        of_.forget();
        auto const& job = of_.job();
        return {storage::clear_conversation(job.lane, job.conversation, job.id)};
    }
    bool is_conversation() const noexcept override { return true; }

protected:
    flow::conversation& of_;

private:
    base::random_source& random_;
};

// Its newest messages.
class conversation_window final : public conversation_memory {
public:
    conversation_window(flow::conversation& of, window_size size, base::random_source& random)
        : conversation_memory(of, random),
          size_(size) {}

    base::awaitable<base::result<std::vector<chat_message>>>
    recall(std::string_view, queue::workflow&) override {
        co_await of_.read(size_.messages);
        co_return of_.earlier(size_);
    }

private:
    window_size size_;
};

// All of it, up to a budget.
class whole_conversation final : public conversation_memory {
public:
    whole_conversation(flow::conversation& of, int tokens, base::random_source& random)
        : conversation_memory(of, random),
          tokens_(tokens) {}

    base::awaitable<base::result<std::vector<chat_message>>>
    recall(std::string_view, queue::workflow&) override {
        co_await of_.read(longest_token_window(tokens_));
        co_return of_.earlier_within(tokens_);
    }
    bool offers_new_conversation() const override { return of_.offers_new(tokens_); }

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
        retention keeps,
        flow::conversation const& of,
        storage::batcher& reads
    )
        : id_(std::move(id)),
          size_(size),
          trims_(keeps == retention::window),
          silent_(of.is_silent()),
          job_(of.job()),
          reads_(reads) {}

    base::awaitable<base::result<std::vector<chat_message>>>
    recall(std::string_view, queue::workflow&) override {
        auto rows = co_await storage::read_session(
            reads_, id_, base::raw(job_.id), longest_window(size_.messages), bounds::longest_read
        );
        if (!rows) co_return rows.error();
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
            auto const kept = longest_window(size_.messages);
            writes.push_back(storage::trim_session(id_, job_.id, kept));
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
    std::string id_;
    window_size size_;
    bool trims_;
    bool silent_;
    queue::job const& job_;
    storage::batcher& reads_;
};

ai_part make_memory(part_run& run, window_size size, retention keeps) {
    auto session = std::string(run.parameters.at("session_id").as_string());
    auto const& services = run.services;
    memory_part part;
    if (session.empty())
        part.memory =
            std::make_shared<conversation_window>(run.conversation, size, services.random);
    else
        part.memory = std::make_shared<session_memory>(
            std::move(session), size, keeps, run.conversation, services.reads
        );
    return part;
}

} // namespace

base::awaitable<base::result<ai_part>> make_window_memory(part_run& run) {
    auto const limit = static_cast<int>(run.parameters.at("max_messages").as_int64());
    co_return make_memory(run, {limit, most_characters}, retention::window);
}

base::awaitable<base::result<ai_part>> make_buffer_memory(part_run& run) {
    auto const most = static_cast<std::size_t>(run.parameters.at("max_characters").as_int64());
    co_return make_memory(run, {bounds::window.most, most}, retention::everything);
}

base::awaitable<base::result<ai_part>> make_conversation_memory(part_run& run) {
    auto const tokens = static_cast<int>(run.parameters.at("max_tokens").as_int64());
    memory_part part;
    part.memory =
        std::make_shared<whole_conversation>(run.conversation, tokens, run.services.random);
    co_return ai_part(std::move(part));
}

} // namespace postrider::agent::flow
