#include "server/telemetry/exporter.hpp"

#include "base/backoff.hpp"
#include "base/log.hpp"
#include "server/telemetry/job_record.hpp"
#include "server/telemetry/spans.hpp"
#include "storage/reachability.hpp"
#include "storage/transact.hpp"

#include <algorithm>
#include <exception>
#include <iterator>

namespace postrider::telemetry {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t jobs_in_a_request = 32;
// A job whose last commit is still to come is over at a later look; one whose last commit was refused
// is run again, and that run tells of it. 1 + 2 + 4 + ... + 512 settling times.
constexpr int most_looks = 10;
constexpr int most_tries = 5;
constexpr base::duration read_deadline = 20s;
constexpr base::duration send_deadline = 10s;
// A collector may ask for a pause, but for no longer than this.
constexpr std::chrono::milliseconds longest_pause = 60s;
constexpr std::size_t longest_answer = 64u << 10;

base::awaitable<queue::outcome> run_and_tell(
    queue::job_function const& run, exporter& traces, queue::workflow& steps
) {
    auto outcome = co_await run(steps);
    traces.job_ended(steps.job().id);
    co_return outcome;
}

base::awaitable<std::vector<storage::write>> no_rows() {
    co_return std::vector<storage::write>{};
}

std::unique_ptr<storage::database> open_own(
    base::asio::any_io_executor executor, storage::database_options options
) {
    options.application = "postrider telemetry";
    options.connections = 1;
    return storage::open_database(std::move(executor), std::move(options));
}

// What the exception in hand says; a cancellation goes on its way.
std::string defect_in_hand() {
    try {
        throw;
    } catch (boost::system::system_error const& e) {
        if (e.code() == base::asio::error::operation_aborted) throw;
        return e.code().message();
    } catch (std::exception const& e) {
        return e.what();
    }
}

// The rows themselves: another read of the same jobs fails as well.
bool lies_in_the_record(base::error const& cause) {
    return cause == base::errc::poison || cause == base::errc::internal;
}

// Each job alone may be taken.
bool is_refused_for_its_content(base::result<net::http_answer> const& answer) {
    return answer && (answer->status == 400 || answer->status == 413);
}

net::http_call call_of(
    options const& export_options, net::base_url const& address, std::string body
) {
    net::http_call call;
    call.origin = address.origin;
    call.target = address.path + std::string(traces_path);
    call.headers.add("Content-Type", "application/json");
    for (auto const& [name, value] : export_options.headers) call.headers.add(name, value.reveal());
    call.body = std::move(body);
    call.idempotent = true;
    call.connect_timeout = send_deadline / 2;
    call.first_byte_timeout = send_deadline;
    call.total_timeout = send_deadline;
    call.answer_limit = longest_answer;
    return call;
}

} // namespace

exporter::exporter(
    services dependencies, options export_options, model_names models, export_pace pace
)
    : with_(std::move(dependencies)),
      to_(std::move(export_options)),
      models_(std::make_shared<model_names const>(std::move(models))),
      pace_(pace),
      more_(with_.executor),
      closed_(with_.executor),
      finished_(with_.executor),
      tasks_(with_.executor) {
    auto address = net::parse_base_url(to_.endpoint);
    if (to_.endpoint.empty() || !address) return;
    address_ = std::move(*address);
    db_ = open_own(with_.executor, with_.database);
}

queue::job_kind exporter::watched(queue::job_kind kind) {
    if (!is_on()) return kind;
    kind.run = [this, run = std::move(kind.run)](queue::workflow& steps) {
        return run_and_tell(run, *this, steps);
    };
    kind.failed = [this, failed = std::move(kind.failed)](
                      queue::job const& job, queue::outcome const& ended
                  ) {
        job_ended(job.id);
        if (!failed) return no_rows();
        return failed(job, ended);
    };
    return kind;
}

void exporter::job_ended(job_id job) {
    if (closing_ || waiting_.size() + in_hand_ >= pace_.most_waiting) {
        ++counts_.dropped;
        return;
    }
    wait({job}, pace_.settle);
}

void exporter::start() {
    if (!to_.unusable.empty()) base::log::warn("telemetry.off", {{"reason", to_.unusable}});
    if (!is_on()) return;
    running_ = true;
    tasks_.spawn("telemetry", run());
}

base::awaitable<void> exporter::close() {
    if (!is_on()) co_return;
    closing_ = true;
    more_.notify();
    closed_.notify();
    if (running_) (void)co_await finished_.wait_for(pace_.farewell);
    tasks_.cancel();
    co_await tasks_.join();
    counts_.dropped += waiting_.size();
    waiting_.clear();
    drop(in_hand_);
    db_->close();
}

std::optional<trace_counts> exporter::counts() const {
    if (!is_on()) return std::nullopt;
    auto now = counts_;
    now.waiting = waiting_.size() + in_hand_;
    return now;
}

base::awaitable<void> exporter::run() {
    struct end_mark {
        exporter& owner;
        ~end_mark() {
            owner.running_ = false;
            owner.finished_.notify();
        }
    } const mark{*this};
    for (;;) {
        while (waiting_.empty() && !closing_) co_await more_.wait();
        if (waiting_.empty()) break;
        auto const early = waiting_.begin()->first - with_.clock.steady();
        if (early > base::duration::zero() && !closing_)
            (void)co_await more_.wait_for(early);
        else
            co_await export_some();
    }
}

// Whatever goes wrong with one batch, the next one is exported.
base::awaitable<void> exporter::export_some() {
    auto due = take_due();
    in_hand_ = due.size();
    std::string defect;
    try {
        co_await export_jobs(std::move(due));
    } catch (...) {
        defect = defect_in_hand();
    }
    if (!defect.empty()) base::log::error("telemetry.batch_failed", {{"error", defect}});
    drop(in_hand_);
}

// A job that ended in two ways, by its function and by what failed it, was told of twice.
std::vector<exporter::waiting_job> exporter::take_due() {
    auto const now = with_.clock.steady();
    std::vector<waiting_job> due;
    while (!waiting_.empty() && due.size() < jobs_in_a_request &&
           (closing_ || waiting_.begin()->first <= now)) {
        auto const first_due = waiting_.begin()->second;
        waiting_.erase(waiting_.begin());
        auto const listed = std::ranges::find(due, first_due.job, &waiting_job::job);
        if (listed == due.end())
            due.push_back(first_due);
        else
            listed->looks = std::min(listed->looks, first_due.looks);
    }
    return due;
}

base::awaitable<void> exporter::export_jobs(std::vector<waiting_job> jobs) {
    auto loaded = co_await read(jobs);
    if (loaded) {
        note_read();
        co_await export_found(std::move(jobs), std::move(*loaded));
        co_return;
    }
    note_unread(loaded.error());
    if (!lies_in_the_record(loaded.error())) {
        co_await wait_to_read_again(std::move(jobs));
    } else if (jobs.size() == 1) {
        drop(1);
    } else {
        for (auto const& job : jobs) co_await export_jobs(std::vector<waiting_job>(1, job));
    }
}

base::awaitable<void> exporter::export_found(std::vector<waiting_job> jobs, batch loaded) {
    std::size_t with_spans = 0;
    for (auto const& traces : loaded.requests) with_spans += traces.jobs.size();
    settle(loaded.over.size() - with_spans);
    for (auto const& job : jobs)
        if (std::ranges::find(loaded.over, job.job) == loaded.over.end()) look_again(job);
    std::vector<job_id> refused;
    for (auto& traces : loaded.requests) {
        auto const sent_jobs = traces.jobs;
        if (co_await send(std::move(traces)) == sent::to_be_split)
            refused.insert(refused.end(), sent_jobs.begin(), sent_jobs.end());
    }
    for (auto const job : refused) co_await export_jobs(std::vector<waiting_job>(1, {job}));
}

void exporter::wait(waiting_job job, base::duration delay) {
    auto const place = waiting_.emplace(with_.clock.steady() + delay, job);
    if (place == waiting_.begin()) more_.notify();
}

void exporter::look_again(waiting_job job) {
    if (closing_ || job.looks + 1 >= most_looks) {
        drop(1);
        return;
    }
    ++job.looks;
    wait(job, pace_.settle * (1 << job.looks));
    settle(1);
}

// Nothing else can be read in that time either.
base::awaitable<void> exporter::wait_to_read_again(std::vector<waiting_job> jobs) {
    base::retry_policy const policy{
        .delay = pace_.retry, .backoff = base::backoff_shape::exponential};
    auto const delay = base::retry_delay(policy, ++failed_reads_, base::uniform(with_.random));
    if (!closing_) (void)co_await closed_.wait_for(std::min(delay, longest_pause));
    if (closing_) {
        drop(jobs.size());
        co_return;
    }
    for (auto const& job : jobs) wait(job, base::duration::zero());
    settle(jobs.size());
}

// All of it on the database's thread: a large batch would hold up the event loop. A defect comes back
// as internal.
base::awaitable<base::result<exporter::batch>> exporter::read(std::vector<waiting_job> jobs) {
    std::vector<job_id> ids;
    ids.reserve(jobs.size());
    for (auto const& job : jobs) ids.push_back(job.job);
    resource const of{to_.service, to_.version};
    auto work = [ids, models = models_, of, most_spans = pace_.most_spans](storage::transaction& tx
                ) {
        batch loaded;
        std::vector<span> spans;
        std::vector<job_id> traces;
        auto const finish_request = [&] {
            if (!spans.empty())
                loaded.requests.push_back({export_request(of, spans), std::move(traces)});
            spans.clear();
            traces.clear();
        };
        for (auto const& job : read_ended_jobs(tx, ids)) {
            loaded.over.push_back(job.id);
            auto trace = spans_of(job, *models);
            if (trace.empty()) continue;
            if (spans.size() + trace.size() > most_spans) finish_request();
            traces.push_back(job.id);
            std::ranges::move(trace, std::back_inserter(spans));
        }
        finish_request();
        return loaded;
    };
    std::string defect;
    try {
        co_return co_await storage::transact(
            *db_, "telemetry.read", std::move(work), read_deadline
        );
    } catch (...) {
        defect = defect_in_hand();
    }
    co_return base::error(base::errc::internal, std::move(defect));
}

base::awaitable<exporter::sent> exporter::send(request traces) {
    auto const jobs = traces.jobs.size();
    base::retry_policy const policy{
        .limit = most_tries, .delay = pace_.retry, .backoff = base::backoff_shape::exponential};
    for (int tries = 1;; ++tries) {
        bool const last = closing_ || tries == most_tries;
        std::optional<net::http_answer> head;
        auto call = call_of(to_, address_, last ? std::move(traces.body) : traces.body);
        call.take_head = [&head](net::http_answer const& answered) { head = answered; };
        auto answer = co_await with_.http.send(std::move(call));
        // A long answer is known by its status.
        if (!answer && answer.error() == base::errc::too_large && head) answer = std::move(*head);
        auto const export_result = read_export_answer(answer, with_.clock.now());
        if (export_result.verdict == export_verdict::accepted) {
            note_success(export_result, jobs);
            co_return sent::taken;
        }
        note_failure(answer);
        if (is_refused_for_its_content(answer) && jobs > 1) co_return sent::to_be_split;
        if (export_result.verdict == export_verdict::refused || last || closing_) break;
        auto after = export_result.after;
        if (after) after = std::min(*after, longest_pause);
        auto const chance = base::uniform(with_.random);
        (void)co_await closed_.wait_for(base::retry_delay(policy, tries, chance, after));
        if (closing_) break;
    }
    drop(jobs);
    co_return sent::dropped;
}

void exporter::settle(std::size_t jobs) {
    in_hand_ -= jobs;
}

void exporter::drop(std::size_t jobs) {
    counts_.dropped += jobs;
    settle(jobs);
}

void exporter::note_unread(base::error const& cause) {
    if (unread_.failed(with_.clock.steady(), storage::tolerated(cause)))
        base::log::warn("telemetry.not_read", {{"error", cause}});
}

void exporter::note_read() {
    failed_reads_ = 0;
    if (auto const lasted = unread_.over(with_.clock.steady()))
        base::log::info("telemetry.read_again", {{"after", *lasted}});
}

void exporter::note_success(export_answer const& answer, std::size_t traces) {
    auto const now = with_.clock.steady();
    counts_.exported += traces;
    settle(traces);
    counts_.rejected_spans += static_cast<std::uint64_t>(answer.rejected_spans);
    if (auto const lasted = outage_.over(now))
        base::log::info("telemetry.exported_again", {{"after", *lasted}});
    if (answer.rejected_spans == 0)
        (void)rejections_.over(now);
    else if (rejections_.failed(now))
        base::log::warn("telemetry.spans_rejected", {{"spans", answer.rejected_spans}});
}

// The collector's own words stay out of the log.
void exporter::note_failure(base::result<net::http_answer> const& answer) {
    if (!outage_.failed(with_.clock.steady())) return;
    if (answer)
        base::log::warn("telemetry.not_exported", {{"status", answer->status}});
    else
        base::log::warn("telemetry.not_exported", {{"error", answer.error()}});
}

} // namespace postrider::telemetry
