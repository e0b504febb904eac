#pragma once
// What one watcher of a conversation is told, in order and nothing of it twice: what stands in the
// database, with ids by which a watcher can go on anywhere, and what is seen to happen in between.
// Pure.
#include "agent/flow/watch/events.hpp"
#include "net/sse.hpp"
#include "storage/stores/conversation_changes.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace postrider::api {

// How far a watcher has come: all that was committed at `since` is told, and of what came until
// `until` what stands up to `after`.
struct conversation_position {
    std::string since;
    std::string until = {}; // "" = nothing came behind `since`
    storage::message_place after = {};
};
std::string to_text(conversation_position const& position);
std::optional<conversation_position> conversation_position_from(std::string_view text);

class conversation_events {
public:
    // Without a position it begins with the first changes that are added. With a turn its watcher is
    // told at once which one it is.
    explicit conversation_events(
        std::optional<conversation_position> position, std::optional<job_id> followed = {}
    );

    conversation_position const& position() const noexcept { return position_; }

    // What to read next.
    storage::changes_query query(lane_id lane) const;

    // What was read by that query, and what happened meanwhile. The words of these agents alone are
    // told: those whose text is sent as it stands.
    void add(
        storage::conversation_changes const& changes,
        std::vector<agent::flow::event> happened,
        std::set<std::string> const& speakers
    );
    // What happened since.
    void hear(std::vector<agent::flow::event> happened, std::set<std::string> const& speakers);
    // The end of a turn, which may have come before the watch began.
    void add_end(storage::ended_turn const& end);

    // What is to be told now.
    std::vector<net::sse_event> take() { return std::exchange(unsent_, {}); }

    // The lane's present turn.
    std::optional<storage::running_turn> const& turn() const noexcept { return turn_; }
    // The turn, or the one that took its message in, has ended: which it was.
    std::optional<job_id> end_of(job_id turn) const;

private:
    struct committed_event {
        storage::message_place at;
        net::sse_event event;
    };

    void add_committed(storage::conversation_changes const& changes);
    void happen(agent::flow::event const& event, std::set<std::string> const& speakers);
    void tell_beginning();
    void tell_turn(std::optional<storage::running_turn> const& now);
    std::optional<net::sse_event> note_end(storage::ended_turn const& end);
    // It was not told last under this key.
    bool is_new(std::string const& key, std::string const& content);

    conversation_position position_;
    std::optional<job_id> followed_;
    bool has_begun_ = false;
    std::vector<net::sse_event> unsent_;
    std::vector<agent::flow::event> held_; // from a call on that may stand behind a commit
    std::map<std::string, std::size_t, std::less<>> told_; // digests
    std::optional<storage::running_turn> turn_;
    std::map<job_id, std::optional<job_id>> ended_; // and the turn that took the message in
};

} // namespace postrider::api
