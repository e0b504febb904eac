#include "server/telemetry/exporter.hpp"

#include "base/backoff.hpp"
#include "base/log.hpp"
#include "server/telemetry/job_record.hpp"
#include "server/telemetry/spans.hpp"
#include "server/version.hpp"

#include <algorithm>
#include <iterator>

namespace postrider::telemetry {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t jobs_in_a_request = 32;
// A job whose run has ended and that is not over, since its last commit was refused, is run again, and
// that run tells of it.
constexpr int most_looks = 5;
constexpr int most_tries = 5;
constexpr base::duration read_deadline = 20s;
constexpr base::duration send_deadline = 10s;
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

net::http_call call_of(options const& to, net::base_url const& address, std::string body) {
    net::http_call call;
    call.origin = address.origin;
    call.target = address.path + std::string(traces_path);
    call.headers.add("Content-Type", "application/json");
    for (auto const& [name, value] : to.headers) call.headers.add(name, value.reveal());
    call.body = std::move(body);
    call.idempotent = true;
    call.connect_timeout = send_deadline / 2;
    call.first_byte_timeout = send_deadline;
    call.total_timeout = send_deadline;
    call.answer_limit = longest_answer;
    return call;
}

} // namespace

exporter::exporter(services with, options to, model_names models, export_pace pace)
    : with_(std::move(with)),
      to_(std::move(to)),
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
    if (waiting_.size() >= pace_.most_waiting) {
        ++counts_.dropped;
        return;
    }
    waiting_.push_back({job, with_.clock.steady() + pace_.settle});
    if (waiting_.size() == 1) more_.notify();
}

void exporter::start() {
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
    db_->close();
}

std::optional<trace_counts> exporter::counts() const {
    if (!is_on()) return std::nullopt;
    auto now = counts_;
    now.waiting = waiting_.size();
    return now;
}

base::awaitable<void> exporter::run() {
    for (;;) {
        while (waiting_.empty() && !closing_) co_await more_.wait();
        if (waiting_.empty()) break;
        auto const early = waiting_.front().due - with_.clock.steady();
        if (early > base::duration::zero() && !closing_) (void)co_await closed_.wait_for(early);
        co_await export_some();
    }
    running_ = false;
    finished_.notify();
}

// A job that ended in two ways, by its function and by what failed it, was told of twice.
std::vector<exporter::waiting_job> exporter::take_due() {
    auto const now = with_.clock.steady();
    std::vector<waiting_job> due;
    while (!waiting_.empty() && due.size() < jobs_in_a_request &&
           (closing_ || waiting_.front().due <= now)) {
        auto const next = waiting_.front();
        waiting_.pop_front();
        bool const known = std::ranges::find(due, next.job, &waiting_job::job) != due.end();
        if (!known) due.push_back(next);
    }
    return due;
}

base::awaitable<void> exporter::export_some() {
    auto const due = take_due();
    std::vector<job_id> jobs;
    for (auto const& waiting : due) jobs.push_back(waiting.job);
    if (jobs.empty()) co_return;
    auto found = co_await read(std::move(jobs));
    if (!found && outage_.failed(with_.clock.steady()))
        base::log::warn("telemetry.not_exported", {{"error", found.error()}});
    for (auto const& waiting : due) {
        bool const over =
            found && std::ranges::find(found->looked_at, waiting.job) != found->looked_at.end();
        bool const is_left = !over && !look_again(waiting);
        if (is_left && !found) ++counts_.dropped;
    }
    if (!found || found->request.empty()) co_return;
    co_await send(std::move(*found));
}

bool exporter::look_again(waiting_job job) {
    if (closing_ || ++job.looks >= most_looks) return false;
    job.due = with_.clock.steady() + pace_.settle;
    waiting_.push_back(job);
    return true;
}

// All of it on the database's thread: a large batch would hold up the event loop.
base::awaitable<base::result<exporter::batch>> exporter::read(std::vector<job_id> jobs) {
    auto const found = std::make_shared<batch>();
    resource const of{to_.service, std::string(server::this_version().product)};
    auto work = [found, jobs = std::move(jobs), models = models_, of](storage::transaction& tx) {
        *found = {};
        std::vector<span> spans;
        for (auto const& job : read_ended_jobs(tx, jobs)) {
            found->looked_at.push_back(job.id);
            auto trace = spans_of(job, *models);
            if (trace.empty()) continue;
            found->traces.push_back(job.id);
            std::ranges::move(trace, std::back_inserter(spans));
        }
        if (!spans.empty()) found->request = export_request(of, spans);
    };
    auto const done = co_await db_->run("telemetry.read", std::move(work), read_deadline);
    if (!done) co_return done.error();
    co_return std::move(*found);
}

base::awaitable<void> exporter::send(batch traces) {
    base::retry_policy const policy{
        .limit = most_tries, .delay = pace_.retry, .backoff = base::backoff_shape::exponential};
    for (int tries = 1;; ++tries) {
        auto call = call_of(to_, address_, traces.request);
        auto const answer = co_await with_.http.send(std::move(call));
        auto const told = read_export_answer(answer, with_.clock.now());
        if (told.verdict == export_verdict::accepted) {
            note_success(told, traces.traces.size());
            co_return;
        }
        note_failure(answer);
        bool const again = told.verdict == export_verdict::try_again;
        if (!again || closing_ || tries == most_tries) break;
        auto const chance = base::uniform(with_.random);
        (void)co_await closed_.wait_for(base::retry_delay(policy, tries, chance, told.after));
        if (closing_) break;
    }
    counts_.dropped += traces.traces.size();
}

void exporter::note_success(export_answer const& answer, std::size_t traces) {
    auto const now = with_.clock.steady();
    counts_.exported += traces;
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
