#pragma once
// The engine's public face: durable jobs made of checkpointed steps, the C++ twin of Cloudflare's
// step.do. A job function runs from its top at every run; what its steps recorded is served from
// the record and not done again.
//
//     awaitable<outcome> greet(workflow& flow) {
//         auto name = co_await flow.run("look up", {}, [&] { return look_up(flow.job()); });
//         if (!name) co_return outcome::failed(name.error());
//         co_return outcome::completed(*name);
//     }
//
// A finished step's result comes from the table, an exhausted step's error too. A delay of two
// seconds or more parks the job: the function ends by an exception (queue::suspended) and is run
// again later. A lost lease ends it the same way (queue::abandoned), and so does what was asked
// from outside, at the next step (queue::asked_to_stop). A job function lets them pass; it must not
// catch (...) around steps. Everything here runs on the engine's executor; references given to a
// step need live only while it runs.
//
// The function must ask for the same steps in the same order at every run, as far as the record
// goes: a step that the record does not have while it has others that were not asked for fails the
// job with errc::mismatch and tells both orders. A step that was only tried may be left, an effect may
// not; where a message of the lane was edited, nothing is held against the function that it does not
// ask for. The order is that of a scope: what stands before
// the last '/' of a name ("shop/pay" is of the scope "shop"); in_any_order() lifts it for some. Names hold no '~' and no '#'.
#include "base/async.hpp"
#include "base/backoff.hpp"
#include "queue/job.hpp"
#include "storage/batcher.hpp"

#include <boost/json/value.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace postrider::queue {

using step_value = base::result<boost::json::value>;
using step_function = std::function<base::awaitable<step_value>()>;
using branch = std::function<base::awaitable<void>()>;

// The work of a step that only records what is known already.
base::awaitable<step_value> give(step_value value);

// What may happen when an effect is found started after a crash, or its answer is lost.
enum class effect_class {
    pure,          // nothing outside changes: do it again
    idempotent,    // doing it twice equals once: do it again
    keyed,         // the other side drops a repeated key: do it again
    at_least_once, // do it again and flag it
    at_most_once,  // leave it, tell that it is unknown
    ask,           // leave it to a person
};
std::string_view to_string(effect_class c) noexcept;
bool may_repeat(effect_class c) noexcept; // without a person's word
std::optional<effect_class> effect_class_from_string(std::string_view name) noexcept;

// The intent of what cannot be undone, committed before it is done.
struct effect_intent {
    std::string key;  // also the key of the step that performs it
    std::string kind; // "telegram.send"
    queue::effect_class effect_class = queue::effect_class::at_least_once;
    boost::json::value request;
    bool at_once = true; // performed right after the commit: recorded as started, else as planned
};

// What else belongs into the commit of a step: it all becomes true together.
struct commit_with {
    std::vector<storage::write> writes; // rows of other rooms
    std::vector<effect_intent> effects;
    bool unless_edited = false; // refuse with errc::stale when the lane's messages were edited
                                // since the run (or since the last start_over()) began; not
                                // looked at within parallel(), nor once work of this run was
                                // recorded before
};

// What wait_for_event() waits for.
struct awaited_event {
    std::string type;
    std::optional<std::string> match =
        {}; // only events that carry this id; none = only events without
    std::chrono::milliseconds timeout = std::chrono::hours{24};
    // Where it is set, the lane's next message ends the wait too, so that nobody waits behind it:
    // what message_event gives is the answer where this says so; else the message stays the lane's
    // next job, and the wait fails with errc::stale, which is recorded. A message that came before
    // the wait began is none. Called within the commit, on another thread, where it may outlive the
    // run: it holds what it needs by value, is pure, and must not throw.
    std::function<bool(boost::json::value const& message)> answered_by = {};
    // Beside it, and called as it is: a message that this denies neither answers nor ends the wait, and has
    // its turn once the wait is over. Empty: every message concerns it.
    std::function<bool(boost::json::value const& message)> concerned_by = {};
};

// The type under which a routing lane's next message is an event for the turn that waits.
inline constexpr std::string_view message_event = "message";

class workflow_environment;

// What a job function does its steps with: a handle on its run, and the prefix of the names that it
// is given. A copy of it is as good and as cheap; the run outlives them all.
class workflow {
public:
    workflow(workflow_environment& environment) : environment_(&environment) {}

    // A handle whose steps, effects and undo steps are in that scope: "pay" becomes "shop/pay".
    // Parts of a job that are written apart, and branches, then never share a name.
    workflow scope(std::string_view name) const;
    // A handle that begins nothing new once `over` is true, like a branch beside one that failed: for
    // work that nobody waits for any more. What stands in the record is served still, and a pause of
    // the record is not waited for.
    workflow unless(std::shared_ptr<bool const> over) const;
    // A handle for work whose end is in the record. It serves what the record has, begins nothing, as
    // unless() has it, and writes nothing: rows that are given to it were written before.
    workflow read_only() const;
    // "" or the names of its scopes, each with a '/' behind it.
    std::string const& prefix() const noexcept { return prefix_; }
    // A step that was asked for by this handle stood in the record already.
    bool served() const noexcept { return served_; }

    queue::job const& job() const;

    // do: runs the step with its tries and commits the result. Named so since `do` is a keyword.
    base::awaitable<step_value> run(
        std::string_view name, base::retry_policy policy, step_function work
    );

    // Runs the branches side by side, until each has ended or would be parked; then the job is
    // parked until the first of these is due. What one throws is thrown once all have ended or
    // would be parked; the others begin nothing new from then on, or, where this stands within a
    // branch, end as they would. A branch's steps are in a scope of its own, or in_any_order() names
    // those that several branches have in one.
    base::awaitable<void> parallel(std::vector<branch> branches);

    // The next steps of these names come in whatever order, and a run may have recorded the last of
    // them alone: before branches that have them side by side.
    void in_any_order(std::vector<std::string> names);

    // The two halves of run(), for a result that is committed together with other writes:
    // try_step() returns the recorded result, or the new one, which the next commit records: the
    // next commit(), the job's outcome, or one of its own before anything else outside begins (an
    // attempt of another step, a wait, or the end of a branch beside others).
    base::awaitable<step_value> try_step(
        std::string_view name, base::retry_policy policy, step_function work
    );
    // Within the work of the step of this name: what the try has paid. It is recorded with the try, and
    // the job's usage is the sum, so what is served from the record is not paid again.
    void spend(std::string_view name, usage const& used);
    // A value that this run settles, for all later ones: recorded with the next commit. Nothing was
    // done outside for it, so it costs no commit of its own.
    base::awaitable<step_value> record_value(std::string_view name, step_value value);
    // Records everything held since the last commit, with more. Only errc::stale comes back as a
    // value: nothing was written then and the held results are dropped; start_over() is next.
    base::awaitable<base::result<void>> commit(commit_with more = {});

    // Performs a committed effect (its intent must stand in the record, or in this run's commits)
    // as a step of that key. Its outcome is held for the next commit. Found started from a run
    // before, or answered `ambiguous`, it is resolved by its class: done again (and flagged), or
    // left as unknown (errc::ambiguous). So is what fails for good after a try that may have done it. The
    // lease is checked against the boot clock right before work is called.
    base::awaitable<step_value> perform(
        std::string_view key, base::retry_policy policy, step_function work
    );

    // A recorded pause: how long it is (or until when) is decided once. Two seconds or more park.
    base::awaitable<void> sleep(std::string_view name, std::chrono::milliseconds length);
    base::awaitable<void> sleep_until(std::string_view name, base::sys_time end);

    // The payload of the oldest event of the type for this job or its lane, sent before or after;
    // it is consumed in the commit that records it. errc::timeout when none came in time. Parks
    // while there is none. On a routing lane, message_event is also the lane's next message:
    // {"job_id", "input", "text"} of the job that it would have become.
    base::awaitable<step_value> wait_for_event(std::string_view name, awaited_event event);

    // Passes the gate of a resource (queue/limits/limits.hpp; "" is always open) and takes one of its
    // tokens: at once while it is open and has some; after a short wait here; else the job is
    // parked, without counting as a try of anything, and passes when it is run again. With a
    // patience, a wait that would be longer in all is errc::unavailable, with the time that it
    // would have taken. `longest_use`: what is not reported by then, as the trial of a breaker, is lost.
    // Not for the work of perform(): its effect would be found started.
    base::awaitable<base::result<void>> admit(
        std::string resource,
        std::optional<std::chrono::milliseconds> patience = std::nullopt,
        std::optional<std::chrono::milliseconds> longest_use = std::nullopt
    );

    // What undoes the step that was just done. When the job fails, or is cancelled with rollback,
    // these run in reverse order, each as a step "undo:name" of its own; one that fails for good
    // is recorded and does not stop the others. Register it at every run, recorded or not.
    void on_rollback(std::string_view name, step_function undo, base::retry_policy policy = {});

    // True when a result for the next step of this name stands in the record.
    bool recorded(std::string_view name) const;
    // The record or this handle is only read: what happened then is not logged again.
    bool is_read_only() const;
    // True when the intent of this effect stands in the record.
    bool planned(std::string_view key) const;
    // Skips the recorded steps of this scope and below that the function did not ask for: of branches
    // that were given up, which the record may have at any point.
    void skip_unasked();
    // The same, of branches that are given up for good, in this run and all later ones: with the next
    // commit their waits are over, and effects that they did not come to have failed.
    void give_up();
    // Rows to add to the next commit (or to the job's outcome).
    void add(storage::write row);
    // Accepts the edits seen so far and begins the function anew, over all that is recorded by now. What
    // the older words led to need not be asked for any more. Not within parallel().
    void start_over();

private:
    std::string named(std::string_view name) const { return prefix_ + std::string(name); }
    bool is_over() const;
    std::string ask(std::string_view name);

    workflow_environment* environment_;
    std::string prefix_;
    std::vector<std::shared_ptr<bool const>> over_; // as unless() says
    bool read_only_ = false;                        // as read_only() says
    bool served_ = false;
};

// Why a job that completed is degraded: somebody did not get what was asked for.
struct degradation {
    std::string reason; // a short, stable word of the room that has the job's kind
    base::error error;
};

// How a job function ends.
struct outcome {
    job_state state = job_state::completed; // completed, failed or cancelled
    boost::json::value output;
    base::error error; // when failed
    // When completed without what was asked for: such a job is counted and listed as degraded.
    std::optional<degradation> degraded;
    std::vector<storage::write> writes; // committed with the outcome

    static outcome completed(boost::json::value output = nullptr);
    static outcome failed(base::error reason);
    static outcome cancelled(boost::json::value output = nullptr);
};

// The handle lives as long as the run; a function may also take it by value.
using job_function = std::function<base::awaitable<outcome>(workflow&)>;

// What belongs into the commit by which a job fails, whatever failed it: its function, its
// deadline, a record that does not fit, the runs that died with their process; or by which it is
// cancelled here (ended.state tells). Called with nothing to cancel it; when it throws, or the
// database refuses its rows, the job ends without them. Rows that may not stand twice see to it
// themselves: a commit whose answer was lost is sent again.
using failure_function = std::function<
    base::awaitable<std::vector<storage::write>>(job const& job, outcome const& ended)>;

struct job_kind {
    std::string name;
    job_function run;
    // A job keeps the version it was made for. While jobs of an older one live, add() both; a job
    // of a version newer than all of this node's is left to others.
    int version = 1;
    failure_function failed = {}; // none: nothing
};

// Thrown through a job function; see above.
struct suspended {};
struct abandoned {};
struct asked_to_stop {};
// Thrown by a job function that cannot run on this node, now or at all: the job goes back as if
// this run had not begun, and is taken again in a few seconds by whichever node.
struct not_here {
    std::string reason;
};

} // namespace postrider::queue
