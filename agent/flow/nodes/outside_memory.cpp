#include "agent/flow/nodes/outside_memory.hpp"

#include "agent/flow/chat/history.hpp"
#include "agent/flow/nodes/memory_entries.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

// Somebody waits for the answer: what does not come at once is gone without.
constexpr base::retry_policy at_once_or_never{.limit = 0, .timeout = std::chrono::seconds{3}};

constexpr std::size_t most_recalled_bytes = std::size_t{1} * 1024 * 1024;

class memory_outside final : public memory {
public:
    memory_outside(
        std::unique_ptr<outside_session> session,
        visible_history visible,
        conversation const& conversation
    )
        : session_(std::move(session)),
          visible_(std::move(visible)),
          silent_(conversation.is_silent()),
          job_(conversation.job()) {}

    base::awaitable<base::result<recollection>> recall(std::string_view, queue::workflow& steps)
        override {
        auto const work = [this] { return read(); };
        auto const recorded = co_await steps.try_step(recall_step, at_once_or_never, work);
        if (!recorded) co_return recorded.error();
        std::vector<chat_message> history;
        message_marks marks;
        for (auto const& entry : recorded->as_array())
            if (auto const row = row_from_entry(std::string_view(entry.as_string()))) {
                history.push_back(message_from(*row));
                marks.push_back(mark_of(*row));
            }
        co_return visible_.cut(std::move(history), marks);
    }

    base::awaitable<base::result<void>> remember(
        std::vector<kept_message> messages, queue::workflow& steps
    ) override {
        bool const was_recorded = steps.recorded(remember_step);
        if (silent_ && !was_recorded) co_return base::result<void>{};
        std::vector<std::string> entries;
        for (auto const& remembered : messages)
            entries.push_back(memory_entry(job_.id, remembered));
        auto const work = [this, &entries] { return add(entries); };
        auto const added = co_await steps.try_step(remember_step, at_once_or_never, work);
        if (added) co_return base::result<void>{};
        if (!was_recorded) hold(session_->add_later(entries), steps);
        co_return added.error();
    }

    base::awaitable<base::result<void>> forget(std::int64_t position, queue::workflow& steps)
        override {
        bool const was_recorded = steps.recorded(forget_step);
        if (silent_ && !was_recorded) co_return base::result<void>{};
        auto const up_to = entry_place(job_.id, position);
        auto const work = [this, &up_to] { return clear_session(up_to); };
        auto const cleared = co_await steps.try_step(forget_step, at_once_or_never, work);
        if (cleared) co_return base::result<void>{};
        if (!was_recorded) hold(session_->clear_later(up_to), steps);
        co_return cleared.error();
    }

private:
    // With the failure, in the next commit.
    static void hold(std::vector<storage::write> rows, queue::workflow& steps) {
        for (auto& row : rows) steps.add(std::move(row));
    }

    // What this execution said itself is no part of what was said before it.
    base::awaitable<queue::step_value> read() {
        auto entries = co_await session_->read();
        if (!entries) co_return entries.error();
        auto own = entry_place(job_.id, 0);
        own.erase(own.find(':') + 1);
        std::size_t bytes = 0;
        auto first = entries->end();
        while (first != entries->begin() && bytes + std::prev(first)->size() <= most_recalled_bytes)
            bytes += (--first)->size();
        json::array recalled;
        for (; first != entries->end(); ++first)
            if (!first->starts_with(own) && row_from_entry(*first)) recalled.emplace_back(*first);
        co_return json::value(std::move(recalled));
    }

    // postrider erase looks for the place.
    base::awaitable<queue::step_value> add(std::vector<std::string> const& entries) {
        auto const added = co_await session_->add(entries);
        if (!added) co_return added.error();
        auto place = session_->place();
        if (place.is_null()) co_return json::value(true);
        json::object record;
        record["session"] = std::move(place);
        co_return json::value(std::move(record));
    }

    base::awaitable<queue::step_value> clear_session(std::string const& up_to) {
        auto const cleared = co_await session_->clear(up_to);
        if (!cleared) co_return cleared.error();
        co_return json::value(true);
    }

    std::unique_ptr<outside_session> session_;
    visible_history visible_;
    bool silent_;
    queue::job const& job_;
};

} // namespace

memory_part outside_memory(
    std::unique_ptr<outside_session> session,
    visible_history visible,
    conversation const& conversation
) {
    return {
        std::make_shared<memory_outside>(std::move(session), std::move(visible), conversation),
        memory_site::outside};
}

} // namespace postrider::agent::flow
