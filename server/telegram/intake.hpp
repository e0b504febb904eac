#pragma once
// The transactional inbox: an update and everything that follows from it become true in one commit,
// and only then it is accepted. Webhook and polling both bring updates to it. On the executor's one
// thread.
//
// Exactly one inbox row and one disposition per update; one that was seen before changes nothing.
// What is authentic but cannot be used, what Postgres refuses for its content, or what fails again
// and again by a defect while others are stored, is recorded as rejected with its bytes, and
// accepted: an answer that is no 2xx would block its chat for a day.
#include "agent/flow/start/execution_intake.hpp"
#include "base/random.hpp"
#include "server/telegram/message_flows.hpp"

#include <memory>
#include <string>

namespace postrider::telegram {

struct accepted {
    bool is_new = false;          // false: seen before
    std::string_view disposition; // job, event, ignored, rejected
};

class intake {
public:
    virtual ~intake() = default;

    // Returns after the commit. invalid: no update, nothing was stored. overloaded, timeout,
    // unavailable, ambiguous, conflict: not (or not certainly) stored; the same update may be
    // brought again at any time.
    virtual base::awaitable<base::result<accepted>> accept(
        bot_settings const& bot, std::string body
    ) = 0;
    // The same of a body beyond the size limit, of which only the beginning was read: rejected,
    // without its bytes.
    virtual base::awaitable<base::result<accepted>> accept_cut(
        bot_settings const& bot, std::string beginning
    ) = 0;
};

// Tells who pressed a button that it was noticed, in the background: it holds up neither the update's
// commit nor its answer. Best effort: where many are being told, or the bot is stopped, nobody is.
class press_answers {
public:
    virtual ~press_answers() = default;
    virtual void answer(agent::address at, std::string query, std::string_view note) = 0;
    // Whether the person runs the group, as of a few minutes ago at most. Where Telegram does not say so in a
    // moment: true, and the press's job asks again.
    virtual base::awaitable<bool> may_decide(agent::address group, user_id user) = 0;
    // Others run the group now, or have other rights there.
    virtual void note_new_runners(agent::address const& group) = 0;
};

inline constexpr base::duration usual_intake_deadline = std::chrono::seconds{5};

// Hears that somebody stopped a draft, once the update is committed: it need not grow in this process.
using draft_stopper = std::function<void(agent::address const& chat, std::int64_t number)>;

// Where connections with business accounts are looked up that no update has reported.
class business_accounts;

// Everything given must outlive it, and so must the bots whose settings are passed to accept(). The
// deadline is for all of one update.
std::unique_ptr<intake> make_intake(
    agent::flow::execution_intake& executions,
    chat_moves& moves,
    message_flows const& flows,
    press_answers& presses,
    base::clock& clock,
    base::random_source& random,
    base::duration deadline = usual_intake_deadline,
    draft_stopper stop = {},
    business_accounts* accounts = nullptr // null: such connections stay unknown
);

} // namespace postrider::telegram
