#include "agent/flow/nodes/process_sessions.hpp"

#include "agent/flow/parts/services.hpp"

#include <algorithm>

namespace postrider::agent::flow {

namespace {

class process_session final : public outside_session {
public:
    process_session(process_sessions& sessions, std::string key)
        : sessions_(sessions),
          key_(std::move(key)) {}

    base::awaitable<base::result<std::vector<std::string>>> read() override {
        co_return sessions_.read(key_);
    }
    base::awaitable<base::result<void>> add(std::vector<std::string> entries) override {
        sessions_.add(key_, std::move(entries));
        co_return base::result<void>{};
    }
    base::awaitable<base::result<void>> clear(std::string /*up_to*/) override {
        sessions_.clear(key_);
        co_return base::result<void>{};
    }
    // It does not fail, and another process would have nothing of it.
    std::vector<storage::write> add_later(std::vector<std::string> const&) const override {
        return {};
    }
    std::vector<storage::write> clear_later(std::string const&) const override { return {}; }

private:
    process_sessions& sessions_;
    std::string key_;
};

} // namespace

process_sessions::session& process_sessions::touched(std::string const& key) {
    auto& touched_session = sessions_[key];
    touched_session.used = ++uses_;
    return touched_session;
}

std::vector<std::string> process_sessions::read(std::string const& key) {
    if (!sessions_.contains(key)) return {};
    auto const& entries = touched(key).entries;
    return {entries.begin(), entries.end()};
}

void process_sessions::add(std::string const& key, std::vector<std::string> entries) {
    auto& into = touched(key);
    for (auto& entry : entries) {
        auto const size = entry.size();
        if (!into.entries.insert(std::move(entry)).second) continue;
        into.bytes += size;
        bytes_ += size;
    }
    while (bytes_ > most_)
        forget(std::ranges::min_element(sessions_, {}, [](auto const& named) {
            return named.second.used;
        }));
}

void process_sessions::clear(std::string const& key) {
    if (auto const entry = sessions_.find(key); entry != sessions_.end()) forget(entry);
}

void process_sessions::clear_all() noexcept {
    sessions_.clear();
    bytes_ = 0;
}

void process_sessions::forget(std::map<std::string, session>::iterator position) {
    bytes_ -= position->second.bytes;
    sessions_.erase(position);
}

base::result<memory_part> process_memory_part(
    part_run& run, std::string const& session, visible_history visible
) {
    auto* sessions = run.services.sessions;
    if (!sessions) return base::error(base::errc::refused, "this process keeps no sessions");
    auto key = run.conversation.flow() + ":" + session;
    return outside_memory(
        std::make_unique<process_session>(*sessions, std::move(key)),
        std::move(visible),
        run.conversation
    );
}

} // namespace postrider::agent::flow
