#include "queue/store/checkpoint.hpp"

#include "queue/store/checkpoint_rows.hpp"
#include "queue/store/sql.hpp"
#include "queue/store/statements.hpp"

namespace postrider::queue {

namespace {

namespace json = boost::json;
using base::json_row;
using std::chrono::duration_cast;
using std::chrono::microseconds;
using std::chrono::milliseconds;

using storage::job_range;

storage::write make(storage::statement const& statement, json_row row, job_range jobs = {}) {
    return {&statement, std::move(row).text(), jobs};
}

json_row row_of(queue::lease const& lease) {
    return {{"lane_id", base::raw(lease.lane)}, {"epoch", base::raw(lease.epoch)}};
}

json_row row_of_lane(job_id head, queue::lease const& lease, queue::release const& release = {}) {
    auto row = row_of(lease);
    row.add({"head", base::raw(head)});
    if (release.delay > milliseconds{0}) row.add({"delay", release.delay.count()});
    if (!release.reason.empty()) row.add({"reason", release.reason});
    return row;
}

json_row hold(job_id job, std::string_view state, bool uncount) {
    return {{"job_id", base::raw(job)}, {"state", state}, {"uncount", uncount ? 1 : 0}};
}

} // namespace

std::vector<storage::write> checkpoint::stage(
    int number, std::vector<storage::rows> const& returned
) {
    if (number == 0) {
        reset();
        return {about_lease(request_->unless_locked ? sql::fence_unlocked : sql::fence)};
    }
    if (std::exchange(at_once_, false)) {
        note_lane(returned.front().front());
        result_ = verdict::written;
        return after_rows(returned.data() + 1, returned.size() - 1);
    }
    if (number > 1) return after_rows(returned.data(), returned.size());
    if (!returned.front().empty()) return fenced(returned.front().front());
    result_ = verdict::lost;
    if (!request_->unless_locked) return {};
    question_ = question::lease;
    return {about_lease(sql::find_lease)};
}

// Most commits. A coalescing lane is left in another way, and so is one that lets others go first.
bool checkpoint::fits_one_stage() const {
    if (by_stages_ || request_->unless_locked) return false;
    auto const* settled = std::get_if<settle>(&request_->ending);
    if (!settled) return std::holds_alternative<keep_going>(request_->ending);
    return settled->hand_on && request_->lease.mailbox != mailbox::coalesce;
}

std::vector<storage::write> checkpoint::only_stage() {
    reset();
    at_once_ = by_stages_ = true;
    std::vector<storage::write> all{fence_or_fail()};
    auto following = rows();
    std::ranges::move(following, std::back_inserter(all));
    return all;
}

// What was asked of the database is the last of the rows.
std::vector<storage::write> checkpoint::after_rows(
    storage::rows const* returned, std::size_t count
) {
    if (auto const at = std::exchange(attempts_at_, std::nullopt))
        for (auto const& ends : returned[*at]) latest_end_ = microseconds{ends.int64(1)};
    if (count == 0) return {};
    auto const& answer = returned[count - 1];
    switch (std::exchange(question_, question::none)) {
    case question::lease:
        if (!answer.empty()) result_ = verdict::locked;
        break;
    case question::event:
        return after_event(answer);
    case question::next:
        return after_next(answer);
    case question::pause:
        return after_pause(answer);
    case question::hold:
        return after_hold(answer);
    case question::none:
        break;
    }
    return {};
}

// What an event brings, whether a pause still counts, and whether the lane is paused, is known only
// when it was looked for.
bool checkpoint::is_last(int number) const {
    return number > 0 && question_ != question::event && question_ != question::pause &&
           question_ != question::hold;
}

job_range checkpoint::own_range() const {
    return job_range::only(request_->job);
}

void checkpoint::reset() {
    result_ = verdict::unknown;
    at_once_ = false;
    latest_end_ = request_->ends_after;
    attempts_at_.reset();
    asked_.reset();
    withdrawn_ = false;
    next_.reset();
    awaited_.reset();
    heard_to_ = {};
    question_ = question::none;
}

storage::write checkpoint::about_lease(storage::statement const& asks) const {
    auto row = row_of(request_->lease);
    row.add({"node_id", base::raw(request_->node)});
    return make(asks, std::move(row));
}

storage::write checkpoint::fence_or_fail() const {
    auto row = row_of(request_->lease);
    row.add({"node_id", base::raw(request_->node)});
    if (request_->unless_edited) row.add({"edits", request_->lease.edits});
    if (std::holds_alternative<settle>(request_->ending)) {
        row.add({"head", base::raw(request_->lease.head)});
        row.add({"ends", true});
    } else if (request_->unless_ending) {
        row.add({"ends", true});
    }
    return make(sql::fence_or_fail, std::move(row));
}

void checkpoint::note_lane(storage::row const& lane) {
    arrivals_ = lane.int64(1);
    edits_ = lane.int64(2);
    head_ = lane.id<job_id>(3);
    auto const asked = lane.optional_text(4);
    is_asked_ = asked.has_value();
    if (asked) asked_ = control_request_from_string(*asked);
    if (asked_ == control_request::interrupt && request_->answered) asked_.reset();
}

std::vector<storage::write> checkpoint::fenced(storage::row const& lane) {
    note_lane(lane);
    bool const rolls_back = asked_ == control_request::rollback;
    bool const is_ending = rolls_back || asked_ == control_request::cancel;
    if (request_->unless_ending && is_ending) {
        result_ = verdict::ending;
        return {};
    }
    if (request_->unless_edited && edits_ != request_->lease.edits) {
        result_ = verdict::stale;
        return {};
    }
    auto const* settled = std::get_if<settle>(&request_->ending);
    withdrawn_ = settled && ((settled->unless_rollback && rolls_back) ||
                             (settled->unless_cancelled && is_ending));
    result_ = verdict::written;
    return rows();
}

std::vector<storage::write> checkpoint::rows() {
    auto const job = request_->job;
    auto writes = request_->writes;
    if (!request_->attempts.empty()) attempts_at_ = writes.size();
    add_attempts(writes);
    for (auto const& intent : request_->intents)
        writes.push_back(make(sql::plan_effects, row_of(intent, job)));
    for (auto const& change : request_->changes)
        writes.push_back(make(sql::change_effects, row_of(change, job), job_range::only(job)));
    if (!withdrawn_) add_ending(writes);
    return writes;
}

// Each ends later than the one before it, by whatever clock. A sleep and a wait are dated by their
// commit.
void checkpoint::add_attempts(std::vector<storage::write>& writes) const {
    constexpr microseconds apart{1};
    auto const now = request_->clock ? request_->clock->steady() : base::steady_time{};
    auto after = request_->ends_after;
    auto latest = base::steady_time::min();
    for (auto const& attempt : request_->attempts) {
        attempt_times times{.took = attempt.took, .next_in = attempt.next_in};
        if (attempt.ended) {
            latest = std::max(*attempt.ended, latest + apart);
            times.ago = duration_cast<microseconds>(now - latest);
            times.after = after += apart;
        }
        if (attempt.sleep_began) {
            auto const left = std::chrono::ceil<milliseconds>(*attempt.due - now);
            times.took = duration_cast<microseconds>(now - *attempt.sleep_began);
            times.next_in = std::max(left, milliseconds{0});
        }
        writes.push_back(
            make(sql::record_attempts, row_of(attempt, request_->job, request_->node, times))
        );
    }
}

void checkpoint::add_ending(std::vector<storage::write>& writes) {
    bool const must_act = asked_ && asked_ != control_request::hold;
    if (auto parked = std::get_if<park>(&request_->ending)) {
        if (!must_act) add_park(*parked, writes);
    } else if (auto awaited = std::get_if<await_event>(&request_->ending)) {
        if (!must_act) writes.push_back(look_for_event(*awaited));
    } else if (auto release = std::get_if<queue::release>(&request_->ending)) {
        writes.push_back(make(sql::hold_jobs, hold(request_->job, "available", true), own_range()));
        writes.push_back(make(
            sql::free_lanes, row_of_lane(std::min(head_, request_->job), request_->lease, *release)
        ));
    } else if (std::holds_alternative<pause_job>(request_->ending)) {
        question_ = question::pause;
        writes.push_back(make(sql::hold_jobs, hold(request_->job, "paused", false), own_range()));
    } else if (std::holds_alternative<coalesce_mail>(request_->ending)) {
        question_ = question::next;
        auto row = row_of(request_->lease);
        row.add({"job_id", base::raw(request_->job)});
        writes.push_back(make(sql::coalesce_mail, std::move(row), job_range::since(request_->job)));
    } else if (auto rollback = std::get_if<begin_rollback>(&request_->ending)) {
        writes.push_back(make(
            sql::begin_rollback,
            {{"job_id", base::raw(request_->job)}, {"outcome", to_json(rollback->outcome)}},
            own_range()
        ));
    } else if (auto settled = std::get_if<settle>(&request_->ending)) {
        add_settlement(*settled, writes);
    } else if (auto advance = std::get_if<queue::advance>(&request_->ending)) {
        ask_next(advance->after, writes);
    }
}

void checkpoint::add_settlement(settle const& settled, std::vector<storage::write>& writes) {
    auto const& added = settled.outcome.writes;
    writes.insert(writes.end(), added.begin(), added.end());
    writes.push_back(make(sql::settle_jobs, row_of(settled, request_->job), own_range()));
    // The fence does not tell what it counted before this is sent.
    if (at_once_)
        return leave_lane(
            request_->job, request_->arrival, job_range::since(request_->lease.head), writes
        );
    bool const yields = !settled.hand_on || asked_ == control_request::hold ||
                        request_->lease.mailbox == mailbox::coalesce;
    if (arrivals_ == request_->arrival) {
        writes.push_back(make(sql::end_lanes, row_of(request_->lease)));
    } else if (yields) {
        // A smaller number than our own was put back meanwhile.
        auto const head = std::min(head_, job_id{base::raw(request_->job) + 1});
        writes.push_back(make(sql::free_lanes, row_of_lane(head, request_->lease)));
    } else {
        ask_next(request_->job, writes);
    }
}

void checkpoint::add_park(park const& parked, std::vector<storage::write>& writes) {
    parked_for_ = parked.delay;
    // It looks for jobs before this one, from the lane's head on.
    auto const looked_at = own_range().with(job_range::only(head_));
    writes.push_back(make(sql::park_jobs, row_of(parked, request_->job, request_->lease), looked_at)
    );
    if (!parked.for_events) return;
    auto row = row_of(request_->lease);
    row.add({"job_id", base::raw(request_->job)});
    writes.push_back(make(sql::look_for_events, std::move(row), job_range::since(request_->job)));
}

// What is asked of a job may hide that its lane is to be held.
void checkpoint::ask_next(job_id after, std::vector<storage::write>& writes) {
    if (!is_asked_) return leave_lane(after, 0, job_range::since(head_), writes);
    question_ = question::hold;
    over_ = after;
    writes.push_back(make(sql::find_pause, row_of(request_->lease)));
}

std::vector<storage::write> checkpoint::after_hold(storage::rows const& rows) {
    std::vector<storage::write> leaves;
    if (rows.empty()) {
        leave_lane(over_, 0, job_range::since(head_), leaves);
        return leaves;
    }
    auto const head = std::min(head_, job_id{base::raw(over_) + 1});
    leaves.push_back(make(sql::free_lanes, row_of_lane(head, request_->lease)));
    leaves.push_back(make(sql::refresh_lanes, row_of(request_->lease)));
    return leaves;
}

void checkpoint::leave_lane(
    job_id after, std::int64_t arrival, job_range looked_at, std::vector<storage::write>& writes
) {
    question_ = question::next;
    auto row = row_of(request_->lease);
    row.add({"after", base::raw(after)});
    row.add({"arrival", arrival});
    writes.push_back(make(sql::leave_lanes, std::move(row), looked_at));
}

// A row without a job: the next one is not due yet, and the lane was freed until then.
std::vector<storage::write> checkpoint::after_next(storage::rows const& rows) {
    if (!rows.empty() && !rows.front().null(1)) next_ = read_job(rows.front(), 1);
    return {};
}

// The job's row is locked now, and what it says of a pause is the last word.
std::vector<storage::write> checkpoint::after_pause(storage::rows const& paused) {
    withdrawn_ = paused.empty();
    if (withdrawn_) return {};
    std::vector<storage::write> goes_on;
    ask_next(request_->job, goes_on);
    return goes_on;
}

storage::write checkpoint::look_for_event(await_event const& waiting) {
    question_ = question::event;
    return make(
        sql::take_events,
        row_of(waiting, request_->job, request_->lease, heard_to_),
        job_range::since(request_->job)
    );
}

// A message that does not concern the wait is passed over, and the next one looked at.
std::vector<storage::write> checkpoint::after_event(storage::rows const& taken) {
    auto const& waiting = std::get<await_event>(request_->ending);
    auto const& row = taken.at(0);
    auto step = waiting.step;
    step.took = std::chrono::microseconds{row.int64(4)};
    json_row const place{{"job_id", base::raw(request_->job)}, {"key", step.key}};
    bool const has_message = !row.null(5);
    if (!row.null(7)) { // recorded by this commit before, whose answer was lost
        auto const code = base::errc_from_string(row.text(7)).value_or(base::errc::internal);
        step.outcome = attempt_outcome::failed;
        step.failure = {code, row.optional_text(8).value_or("")};
        awaited_ = step_value(step.failure);
    } else if (has_message && waiting.event.concerned_by && !waiting.event.concerned_by(row.json(2))) {
        heard_to_ = job_id{row.int64(5)};
        return {look_for_event(waiting)};
    } else if (has_message && (row.boolean(6) || !waiting.event.answered_by(row.json(2)))) {
        step.outcome = attempt_outcome::failed;
        step.failure = {base::errc::stale, "another message came instead of an answer"};
        awaited_ = step_value(step.failure);
    } else if (row.boolean(1)) {
        step.result = row.null(2) ? json::value(nullptr) : row.json(2);
        awaited_ = step_value(step.result);
    } else if (row.int64(3) <= 0) {
        step.outcome = attempt_outcome::failed;
        step.failure = {base::errc::timeout, "no event " + waiting.event.type + " in time"};
        awaited_ = step_value(step.failure);
    } else {
        std::vector<storage::write> waits;
        waits.push_back(
            make(sql::add_waits, row_of(waiting, request_->job, request_->lease, heard_to_))
        );
        park parked{.as = job_state::waiting, .delay = milliseconds{row.int64(3)}};
        parked.reason = "event " + waiting.event.type;
        parked_for_ = parked.delay;
        if (waiting.parks) add_park(parked, waits);
        return waits;
    }
    std::vector<storage::write> ends{
        make(
            sql::record_attempts, row_of(step, request_->job, request_->node, {.took = step.took})
        ),
        make(sql::end_waits, place, own_range()),
    };
    if (has_message && step.outcome == attempt_outcome::done) {
        job_id const answer{row.int64(5)};
        json_row taken_message{{"job_id", base::raw(answer)}, {"asker", base::raw(request_->job)}};
        ends.push_back(make(sql::take_message, std::move(taken_message), job_range::only(answer)));
    }
    return ends;
}

} // namespace postrider::queue
