#pragma once
// Sends each job that has ended as a trace to a collector, from the record, behind the job's back:
// a run that ends costs one push into a bounded queue. Without a collector no job is told of; that
// a request's traceparent is stored with its job does not depend on one.
//
// Guarantees: no job waits for a collector or fails with it. A record that cannot be read is read
// again for as long as it takes. Dropped and counted is what the queue cannot take, what no
// collector took within five tries, what no read can take for its content, and a job that was not
// seen to be over in ten looks, which take 17 minutes together. A trace may be sent twice, with the
// same ids; the traces of the last seconds before a crash are lost. Jobs that end while nobody runs
// them, cancelled while they wait, are not told. It has a connection to Postgres of its own. On the
// executor's thread.
#include "base/async.hpp"
#include "base/outage.hpp"
#include "base/random.hpp"
#include "net/http_client.hpp"
#include "queue/workflow.hpp"
#include "server/telemetry/model_names.hpp"
#include "server/telemetry/options.hpp"
#include "server/telemetry/otlp.hpp"
#include "storage/database.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace postrider::telemetry {

struct trace_counts {
    std::uint64_t exported = 0;       // traces that a collector took
    std::uint64_t dropped = 0;        // traces that none took
    std::uint64_t rejected_spans = 0; // of exported traces
    std::size_t waiting = 0;          // jobs, with those of the request that is on its way
};

struct export_pace {
    // From the end of a run to a look at its record; twice as long before each further look.
    base::duration settle = std::chrono::seconds{1};
    std::chrono::milliseconds retry =
        std::chrono::seconds{1};                       // before the first of the further tries
    base::duration farewell = std::chrono::seconds{3}; // for what waits when it is closed
    std::size_t most_waiting = 10'000;                 // jobs
    std::size_t most_spans = 2'000;                    // of a request of several jobs
};

class exporter {
public:
    // All references outlive it.
    struct services {
        base::asio::any_io_executor executor;
        storage::database_options database;
        net::http_client& http;
        base::clock& clock;
        base::random_source& random;
    };

    exporter(
        services dependencies, options export_options, model_names models, export_pace pace = {}
    );

    bool is_on() const noexcept { return db_ != nullptr; }
    // The same kind, which tells this of the runs that end its jobs; unchanged without a collector.
    // It may outlive this, but no run of it may: the engine is drained before close().
    queue::job_kind watched(queue::job_kind kind);
    void job_ended(job_id job);

    void start();
    // Sends what waits, within a few seconds. Await it before destruction.
    base::awaitable<void> close();

    // None without a collector.
    std::optional<trace_counts> counts() const;

private:
    struct waiting_job {
        job_id job{};
        int looks = 0; // so often its record was read, and it was not over
    };
    struct request {
        std::string body;
        std::vector<job_id> jobs;
    };
    struct batch {
        std::vector<request> requests;
        std::vector<job_id> over; // with those that have no spans
    };
    enum class sent { taken, dropped, to_be_split };

    base::awaitable<void> run();
    base::awaitable<void> export_some();
    base::awaitable<void> export_jobs(std::vector<waiting_job> jobs);
    base::awaitable<void> export_found(std::vector<waiting_job> jobs, batch loaded);
    std::vector<waiting_job> take_due();
    base::awaitable<base::result<batch>> read(std::vector<waiting_job> jobs);
    base::awaitable<void> wait_to_read_again(std::vector<waiting_job> jobs);
    void wait(waiting_job job, base::duration delay);
    void look_again(waiting_job job);
    base::awaitable<sent> send(request traces);
    void settle(std::size_t jobs);
    void drop(std::size_t jobs);
    void note_unread(base::error const& cause);
    void note_read();
    void note_success(export_answer const& answer, std::size_t traces);
    void note_failure(base::result<net::http_answer> const& answer);

    services with_;
    options to_;
    net::base_url address_;
    std::shared_ptr<model_names const> models_; // read on the database's thread, too
    export_pace pace_;
    std::unique_ptr<storage::database> db_;                 // null: off
    std::multimap<base::steady_time, waiting_job> waiting_; // by the time that they are due
    std::size_t in_hand_ = 0; // jobs taken from there, and neither sent, dropped nor put back
    int failed_reads_ = 0;    // since the last that worked
    trace_counts counts_;
    base::outage outage_; // of the collector
    base::outage unread_; // of the record
    base::outage rejections_;
    base::signal more_;
    base::signal closed_;
    base::signal finished_;
    bool closing_ = false;
    bool running_ = false;
    base::task_group tasks_;
};

} // namespace postrider::telemetry
