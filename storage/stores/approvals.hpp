#pragma once
// What people are asked before a tool acts, as rows. A turn adds them with its question's intent and
// settles them with what it heard; people decide by decide_approval(), whatever surface they use.
#include "base/clock.hpp"
#include "base/ids.hpp"
#include "storage/batcher.hpp"
#include "storage/database.hpp"

#include <boost/json/object.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::storage {

struct new_approval {
    std::string id; // nanoid
    job_id job{};
    lane_id lane{};
    user_id requester{};
    std::string question; // its id, as in storage/stores/questions.hpp
    std::string call;     // key of the step that runs the tool
    std::string tool;
    boost::json::object arguments = {};
    std::string digest = {};
    std::chrono::milliseconds lifetime{};
};

// By the database's clock. Said again it changes nothing. Order 61; returns no row.
write add_approval(new_approval const& added);

// What decide_approval() has decided by now of a question's calls: the states by call. Once its wait
// is over it changes no more. Errors as query().
base::awaitable<base::result<std::map<std::string, std::string>>> decided_calls(
    batcher& reads, std::string question, base::duration deadline
);

// How the wait for a question ended without a decision of every call by decide_approval().
// Rows of another job, whose record this one's was copied from, stay as they are.
struct question_end {
    job_id job{};
    std::string question;
    std::string state; // approved, rejected, expired or withdrawn: of the calls that wait still
    std::optional<user_id> by = {};
    std::string via = {};   // "" = nobody
    bool overrules = false; // calls that were decided and have not run
};

// Order 62; returns no row.
write end_question(question_end const& end);
// The call is about to run; said again it changes nothing. Order 63; returns no row.
write use_approval(std::string_view question, std::string_view call);
// A call of that job that was approved does not run after all: what was asked about is not so any
// more. Order 63.
write withdraw_approval(job_id job, std::string_view question, std::string_view call);

struct approval {
    std::string id;
    job_id job{};
    std::string lane;            // its key
    std::optional<chat_id> chat; // none: over the chat API
    user_id requester{};
    std::string tool;
    boost::json::value arguments;
    std::string state;
    std::optional<user_id> decided_by;
    std::string decided_via; // "" = not decided by a person
    std::string created_at;  // ISO 8601 in UTC, as the next
    std::string expires_at;
    std::string decided_at; // "" = not yet
    std::string lane_name;  // its key in words; "" = the lane is gone
};

// The states that an approval may be in.
bool is_approval_state(std::string_view word) noexcept;

struct approval_filter {
    std::string state = {};                 // "" = all
    std::optional<user_id> requester = {};  // only their own
    std::optional<std::string> before = {}; // a page: older than this one
    int limit = 50;
};

// Newest first. Throws as transaction::query() does, as the next two.
std::vector<approval> list_approvals(transaction& tx, approval_filter const& filter);

// Nothing: there is none, or it is not that requester's.
std::optional<approval> find_approval(
    transaction& tx, std::string_view id, std::optional<user_id> requester
);

struct approval_place {
    user_id requester{};
    std::optional<bot_id> of_bot = {}; // also those of everybody there: for an owner
    std::optional<chat_id> chat = {};  // there alone
};

struct waiting_approval {
    std::string tool;
    std::string arguments; // as JSON
    base::sys_time expires_at;
};

// Oldest first. Errors as query().
base::awaitable<base::result<std::vector<waiting_approval>>> read_waiting_approvals(
    batcher& reads, approval_place place, int limit, base::duration deadline
);

struct approval_decision {
    bool done = false;
    std::string state;  // of the approval, afterwards; "" when there is none
    std::string code;   // done, not_found, over
    std::string detail; // for people
};

// The caller has seen to it that `by` may: the requester, or an owner. With `requester` set, the
// approval of somebody else is not found.
approval_decision decide_approval(
    transaction& tx,
    std::string_view id,
    bool approve,
    std::optional<user_id> by,
    std::string_view via,
    std::optional<user_id> requester = std::nullopt
);

} // namespace postrider::storage
