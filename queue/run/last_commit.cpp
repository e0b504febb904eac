#include "queue/run/last_commit.hpp"

#include "base/log.hpp"

#include <algorithm>

namespace postrider::queue {

namespace {

base::awaitable<std::vector<storage::write>> rows_of_failure(
    queue::job const& job, outcome const& job_outcome, failure_function const* failed
) {
    std::string threw;
    try {
        if (failed && *failed) co_return co_await (*failed)(job, job_outcome);
    } catch (std::exception const& error) {
        threw = error.what();
    } catch (...) {
        threw = "something that is no exception";
    }
    if (!threw.empty())
        base::log::error("job.failure_function_threw", {{"job", job.id}, {"error", threw}});
    co_return std::vector<storage::write>{};
}

// Nothing when the database refuses it; `refusal` tells why.
base::awaitable<std::optional<job_run::finished>> try_to_finish(
    job_run& run, queue::ending last, std::string& refusal
) {
    try {
        co_return co_await run.finish(std::move(last));
    } catch (record_refused const& refused) {
        refusal = refused.what();
    }
    base::log::error("job.end_refused", {{"job", run.job().id}, {"error", refusal}});
    co_return std::nullopt;
}

// What is kept of an ending in case it is refused. The reason why it failed before counts.
settle failed_instead(queue::ending const& last) {
    settle instead{.outcome = outcome::failed(base::errc::internal)};
    auto const* settled = std::get_if<settle>(&last);
    if (!settled) return instead;
    if (settled->outcome.state == job_state::failed) instead.outcome.error = settled->outcome.error;
    instead.hand_on = settled->hand_on;
    return instead;
}

base::awaitable<std::optional<job_run::finished>> try_to_close(
    job_run& run, settle last, failure_function const* failed, std::string& refusal
) {
    auto rows = co_await rows_of_failure(run.job(), last.outcome, failed);
    std::ranges::move(rows, std::back_inserter(last.outcome.writes));
    co_return co_await try_to_finish(run, std::move(last), refusal);
}

} // namespace

base::awaitable<last_commit> commit_end(
    job_run& run, queue::ending last, failure_function const* failed
) {
    auto* settled = std::get_if<settle>(&last);
    auto const ends_as = settled ? settled->outcome.state : job_state::completed;
    auto instead = failed_instead(last);
    std::string refusal;
    std::optional<job_run::finished> finish;
    if (ends_as != job_state::completed)
        finish = co_await try_to_close(run, std::move(*settled), failed, refusal);
    else
        finish = co_await try_to_finish(run, std::move(last), refusal);
    if (finish) co_return last_commit{std::move(*finish), ends_as};

    auto& detail = instead.outcome.error.detail;
    if (ends_as != job_state::failed) detail = refusal;
    finish = co_await try_to_close(run, instead, failed, refusal);
    if (!finish) {
        run.drop_content();
        finish = co_await try_to_close(run, instead, failed, refusal);
    }
    if (!finish) finish = co_await try_to_close(run, instead, nullptr, refusal);
    if (!finish) throw record_refused(refusal);
    co_return last_commit{std::move(*finish), job_state::failed};
}

} // namespace postrider::queue
