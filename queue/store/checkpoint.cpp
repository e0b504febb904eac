#include "queue/store/checkpoint.hpp"

#include "queue/store/checkpoint_rows.hpp"
#include "queue/store/checkpoint_sql.hpp"
#include "queue/store/sql.hpp"

namespace postrider::queue {

namespace {

namespace json = boost::json;
using base::json_row;
using std::chrono::milliseconds;

storage::write make(storage::statement const& what, json_row row) {
    return {&what, std::move(row).text()};
}

json_row row_of_lane(job_id head, queue::lease const& lease, put_back const& how = {}) {
    json_row row{{"lane_id", base::raw(lease.lane)}, {"head", base::raw(head)}};
    if (how.delay > milliseconds{0}) row.add({"delay", how.delay.count()});
    if (!how.reason.empty()) row.add({"reason", how.reason});
    return row;
}

json_row hold(job_id job, std::string_view state, bool uncount) {
    return {{"job_id", base::raw(job)}, {"state", state}, {"uncount", uncount ? 1 : 0}};
}

} // namespace

std::vector<storage::write> checkpoint::stage(
    int number, std::vector<storage::rows> const& returned
) {
    if (number == 0) return begin();
    if (number == 1) {
        if (!returned.front().empty()) return fenced(returned.front().front());
        result_ = verdict::lost;
        return {};
    }
    // What was asked of the database is the last of the rows.
    switch (std::exchange(question_, question::none)) {
    case question::event:
        return after_event(returned.back());
    case question::next:
        return after_next(returned.back());
    case question::none:
        break;
    }
    return {};
}

// What an event brings is known only when it was looked for.
bool checkpoint::is_last(int number) const {
    return number > 0 && question_ != question::event;
}

std::vector<storage::write> checkpoint::begin() {
    result_ = verdict::unknown;
    asked_.reset();
    next_.reset();
    awaited_.reset();
    question_ = question::none;
    return {make(
        sql::fence,
        {{"lane_id", base::raw(what_->lease.lane)},
         {"epoch", base::raw(what_->lease.epoch)},
         {"node_id", base::raw(what_->node)}}
    )};
}

std::vector<storage::write> checkpoint::fenced(storage::row const& lane) {
    arrivals_ = lane.int64(1);
    edits_ = lane.int64(2);
    head_ = lane.id<job_id>(3);
    if (auto asked = lane.optional_text(4)) asked_ = control_request_from_string(*asked);
    if (asked_ == control_request::interrupt && what_->answered) asked_.reset();
    if (what_->unless_edited && edits_ != what_->lease.edits) {
        result_ = verdict::stale;
        return {};
    }
    result_ = verdict::written;
    return rows();
}

std::vector<storage::write> checkpoint::rows() {
    auto const job = what_->job;
    auto all = what_->writes;
    for (auto const& one : what_->tries)
        all.push_back(make(sql::record_attempts, row_of(one, job, what_->node)));
    for (auto const& intent : what_->intents)
        all.push_back(make(sql::plan_effects, row_of(intent, job)));
    for (auto const& change : what_->changes)
        all.push_back(make(sql::change_effects, row_of(change, job)));
    add_ending(all);
    return all;
}

void checkpoint::add_ending(std::vector<storage::write>& to) {
    bool const must_act = asked_ && asked_ != control_request::hold;
    if (auto waiting = std::get_if<park>(&what_->ending)) {
        if (!must_act) add_park(*waiting, to);
    } else if (auto wanted = std::get_if<await_event>(&what_->ending)) {
        if (must_act) return;
        question_ = question::event;
        to.push_back(make(sql::take_events, row_of(*wanted, what_->job, what_->lease)));
    } else if (auto back = std::get_if<put_back>(&what_->ending)) {
        to.push_back(make(sql::hold_jobs, hold(what_->job, "available", true)));
        to.push_back(
            make(sql::free_lanes, row_of_lane(std::min(head_, what_->job), what_->lease, *back))
        );
    } else if (std::holds_alternative<pause_job>(what_->ending)) {
        to.push_back(make(sql::hold_jobs, hold(what_->job, "paused", false)));
        ask_next(what_->job, to);
    } else if (std::holds_alternative<coalesce_mail>(what_->ending)) {
        question_ = question::next;
        to.push_back(make(
            sql::coalesce_mail,
            {{"lane_id", base::raw(what_->lease.lane)}, {"job_id", base::raw(what_->job)}}
        ));
    } else if (auto begun = std::get_if<begin_rollback>(&what_->ending)) {
        to.push_back(make(
            sql::begin_rollback, {{"job_id", base::raw(what_->job)}, {"how", to_json(begun->how)}}
        ));
    } else if (auto over = std::get_if<settle>(&what_->ending)) {
        add_settlement(*over, to);
    } else if (auto from = std::get_if<advance>(&what_->ending)) {
        ask_next(from->after, to);
    }
}

void checkpoint::add_settlement(settle const& over, std::vector<storage::write>& to) {
    to.insert(to.end(), over.how.writes.begin(), over.how.writes.end());
    to.push_back(make(sql::settle_jobs, row_of(over.how, what_->job)));
    bool const yields = !over.hand_on || asked_ == control_request::hold ||
                        what_->lease.mailbox == mailbox::coalesce;
    if (arrivals_ == what_->arrival) {
        to.push_back(make(sql::end_lanes, {{"lane_id", base::raw(what_->lease.lane)}}));
    } else if (yields) {
        // A smaller number than our own was put back meanwhile.
        auto const head = std::min(head_, job_id{base::raw(what_->job) + 1});
        to.push_back(make(sql::free_lanes, row_of_lane(head, what_->lease)));
    } else {
        ask_next(what_->job, to);
    }
}

void checkpoint::add_park(park const& how, std::vector<storage::write>& to) {
    parked_for_ = how.delay;
    to.push_back(make(sql::park_jobs, row_of(how, what_->job)));
    if (how.for_events)
        to.push_back(make(
            sql::look_for_events,
            {{"job_id", base::raw(what_->job)}, {"lane_id", base::raw(what_->lease.lane)}}
        ));
}

void checkpoint::ask_next(job_id after, std::vector<storage::write>& to) {
    question_ = question::next;
    json_row row{
        {"lane_id", base::raw(what_->lease.lane)},
        {"head", base::raw(head_)},
        {"after", base::raw(after)}};
    to.push_back(make(sql::next_job, std::move(row)));
}

// A row without a job: the next one is not due yet, and the lane was freed until then.
std::vector<storage::write> checkpoint::after_next(storage::rows const& found) {
    if (!found.empty() && !found.front().null(1)) next_ = read_job(found.front(), 1);
    return {};
}

std::vector<storage::write> checkpoint::after_event(storage::rows const& taken) {
    auto const& wanted = std::get<await_event>(what_->ending);
    auto const& row = taken.at(0);
    auto step = wanted.step;
    step.took = std::chrono::microseconds{row.int64(4)};
    json_row const place{{"job_id", base::raw(what_->job)}, {"key", step.key}};
    if (row.boolean(1)) {
        step.result = row.null(2) ? json::value(nullptr) : row.json(2);
        awaited_ = step_value(step.result);
    } else if (row.int64(3) <= 0) {
        step.outcome = attempt_outcome::failed;
        step.failure = {base::errc::timeout, "no event " + wanted.what.type + " in time"};
        awaited_ = step_value(step.failure);
    } else {
        std::vector<storage::write> waiting;
        waiting.push_back(make(sql::add_waits, row_of(wanted, what_->job, what_->lease)));
        park how{job_state::waiting, milliseconds{row.int64(3)}, "event " + wanted.what.type, {}};
        parked_for_ = how.delay;
        if (wanted.parks) add_park(how, waiting);
        return waiting;
    }
    return {
        make(sql::record_attempts, row_of(step, what_->job, what_->node)),
        make(sql::end_waits, place),
    };
}

} // namespace postrider::queue
