#include "queue/service.hpp"

#include "storage/connections.hpp"
#include "storage/migrations.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

#include <csignal>

namespace postrider::queue {

namespace {

using namespace std::chrono_literals;
namespace asio = boost::asio;

constexpr auto drain_limit = 10s;
constexpr auto service_patience = 10s;

constexpr storage::statement make_lane{"service.make_lane", R"(
with inserted as (
    insert into postrider.lane (lane_key) values ($1) on conflict do nothing returning lane_id
)
select lane_id from inserted union all select lane_id from postrider.lane where lane_key = $1 limit 1
)"};

constexpr storage::statement live_lanes{
    "service.live_lanes",
    "select exists (select from postrider.lane_run where node_id is not null) "
    "or exists (select from postrider.lane_run where node_id is null and priority in (0, 1, 2, 3) "
    "and ready_at < 'infinity')"};

template<class T>
T must(base::result<T> result) {
    if (!result) throw std::runtime_error(base::to_string(result.error()));
    if constexpr (!std::is_void_v<T>) return std::move(*result);
}

storage::database_options migrated(std::string url) {
    storage::database_options options;
    options.url = std::move(url);
    must(storage::migrate(options));
    return options;
}

} // namespace

struct service::impl {
    explicit impl(service_options with)
        : options(migrated(std::move(with.database_url))),
          database(storage::connect(context.get_executor(), options)),
          worker(make_engine(
              context.get_executor(),
              {*database.checkpoints,
               *database.quick,
               *database.beats,
               *database.db,
               base::system_clock(),
               base::system_random()},
              std::move(with.engine)
          )) {}

    ~impl() {
        if (started) wait_for(worker->drain(drain_limit));
        database.close();
    }

    // Runs the loop until the work is done; what else is ready runs with it.
    template<class T>
    T wait_for(base::awaitable<T> work) {
        std::exception_ptr failure;
        bool finished = false;
        if constexpr (std::is_void_v<T>) {
            asio::co_spawn(context, std::move(work), [&](std::exception_ptr e) {
                failure = std::move(e);
                finished = true;
            });
            drive(finished, failure);
        } else {
            std::optional<T> value;
            asio::co_spawn(context, std::move(work), [&](std::exception_ptr e, T result) {
                failure = std::move(e);
                value.emplace(std::move(result));
                finished = true;
            });
            drive(finished, failure);
            return std::move(*value);
        }
    }

    void drive(bool const& over, std::exception_ptr const& failure) {
        context.restart();
        while (!over) context.run_one();
        if (failure) std::rethrow_exception(failure);
    }

    void start() {
        if (std::exchange(started, true)) return;
        must(wait_for(worker->start()));
    }

    base::awaitable<bool> has_work() {
        auto rows = co_await database.db->query(live_lanes, {}, service_patience);
        co_return !rows || rows->at(0).boolean(0);
    }

    base::awaitable<void> idle() {
        for (bool busy = true; busy;) {
            co_await base::sleep_for(20ms);
            busy = co_await has_work();
        }
    }

    base::awaitable<void> held(std::function<bool()> condition) {
        while (condition()) co_await base::sleep_for(20ms);
    }

    base::awaitable<void> signalled() {
        asio::signal_set signals(context, SIGTERM, SIGINT);
        co_await signals.async_wait(asio::use_awaitable);
    }

    asio::io_context context{1};
    storage::database_options options;
    storage::connections database;
    std::unique_ptr<engine> worker;
    bool started = false;
};

service::service(service_options options) : impl_(std::make_unique<impl>(std::move(options))) {}

service::~service() = default;

void service::add(job_kind kind) {
    impl_->worker->add(std::move(kind));
}

job_id service::enqueue(std::string_view lane_key, std::string kind, boost::json::value input) {
    job_id enqueued{};
    must(storage::run_blocking(impl_->options, [&](storage::transaction& tx) {
        new_job job{tx.query(make_lane, {lane_key}).at(0).id<lane_id>(0), kind, input, {}};
        enqueued = queue::enqueue(tx, job).id;
    }));
    impl_->worker->wake();
    return enqueued;
}

void service::run_until_idle() {
    impl_->start();
    impl_->wait_for(impl_->idle());
}

void service::run_while(std::function<bool()> condition) {
    impl_->start();
    impl_->wait_for(impl_->held(std::move(condition)));
}

void service::run() {
    impl_->start();
    impl_->wait_for(impl_->signalled());
}

} // namespace postrider::queue
