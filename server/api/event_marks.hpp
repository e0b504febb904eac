#pragma once
// The figures and lists of which watchers are told that they changed: read once a round for all who
// watch on this node, every two seconds, and kept meanwhile. The figures are those that GET /overview and
// GET /attention answer with, from the same readings. On the loop's thread.
#include "server/api/event_topics.hpp"
#include "server/api/shared_readings.hpp"
#include "server/views/shared_looks.hpp"
#include "storage/database.hpp"

#include <map>
#include <memory>
#include <string>

namespace postrider::api {

struct event_mark {
    std::string digest; // differs with what it is of
    std::string data;   // of its event
};
using event_marks = std::map<mark_topic, event_mark>;

// All topics are read together: a round is one query.
enum class mark_query { all };
using shared_mark_looks = server::shared_looks<mark_query, event_marks>;

inline constexpr base::duration mark_pause = std::chrono::seconds{2};

// All outlive it.
std::unique_ptr<shared_mark_looks> look_at_marks(
    storage::database& db, shared_readings& readings, base::clock const& clock
);

// The event that tells of it: counts and attention say how it stands, lists that they changed.
std::string event_of_mark(mark_topic topic);

} // namespace postrider::api
