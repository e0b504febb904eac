#include "storage/database.hpp"

#include "storage/pg/mailbox.hpp"
#include "storage/pg/session.hpp"
#include "storage/pg/waiter.hpp"
#include "storage/transact.hpp"

#include <boost/asio/post.hpp>

#include <thread>

namespace postrider::storage {

namespace {

constexpr int transaction_tries = 3;

struct job : pg::waiter::slot, pg::mailbox<job>::place {
    std::function<void(transaction&)> work;
    base::result<void> outcome;
    std::exception_ptr defect;
};

// One of the connections, and its thread.
class database_thread {
public:
    database_thread(
        base::asio::any_io_executor executor, database_options options, pg::mailbox<job>& jobs
    )
        : session_(std::move(options), pg::purpose::general),
          thread_([this, executor = std::move(executor), &jobs] { work_off(executor, jobs); }) {}

    void close() { session_.close(); }
    void join() { thread_.join(); }

private:
    void work_off(base::asio::any_io_executor const& executor, pg::mailbox<job>& jobs) {
        while (true) {
            auto taken = jobs.take(1);
            if (taken.empty()) return;
            auto& entry = taken.front();
            run(*entry);
            base::asio::post(executor, [entry = std::move(entry)] { entry->wake_up(); });
        }
    }

    void run(job& entry) {
        try {
            pg::transact(session_, entry.work, transaction_tries);
        } catch (pg::failure const& f) {
            entry.outcome = f.error;
        } catch (...) {
            entry.defect = std::current_exception();
        }
    }

    pg::session session_;
    std::thread thread_;
};

class threaded_database final : public database {
public:
    threaded_database(base::asio::any_io_executor executor, database_options options)
        : executor_(std::move(executor)),
          options_(std::move(options)) {
        for (int i = 0; i < options_.connections; ++i)
            threads_.push_back(std::make_unique<database_thread>(executor_, options_, jobs_));
    }

    ~threaded_database() override { close(); }

    base::awaitable<base::result<void>> run(
        std::string_view name, std::function<void(transaction&)> work, base::duration deadline
    ) override {
        auto entry = std::make_shared<job>();
        entry->work = std::move(work);
        pg::waiter waiter{executor_, entry};
        if (!jobs_.put(entry))
            co_return base::error(base::errc::unavailable, "the database is closed");
        withdrawal guard{jobs_, entry};
        if (!co_await waiter.wait(deadline))
            co_return base::error(
                base::errc::timeout,
                std::string(name) + " took longer than " + base::to_text(deadline)
            );
        if (entry->defect) std::rethrow_exception(entry->defect);
        co_return entry->outcome;
    }

    base::awaitable<base::result<rows>> query(
        statement statement, std::vector<param> params, base::duration deadline
    ) override {
        auto work = [statement, params = std::move(params)](transaction& tx) {
            return tx.query(statement, params);
        };
        co_return co_await transact(*this, statement.name, std::move(work), deadline);
    }

    database_options const& options() const override { return options_; }

    void close() override {
        auto left = jobs_.close();
        for (auto& entry : left)
            entry->outcome = base::error(base::errc::unavailable, "the database is closed");
        if (!left.empty())
            base::asio::post(executor_, [left = std::move(left)] {
                for (auto const& entry : left) entry->wake_up();
            });
        for (auto& thread : threads_) thread->close();
        for (auto& thread : threads_) thread->join();
        threads_.clear();
    }

private:
    // Takes a job out of the queue when its coroutine no longer waits for it.
    struct withdrawal {
        pg::mailbox<job>& from;
        std::shared_ptr<job> const& entry;
        ~withdrawal() { from.withdraw(entry); }
    };

    base::asio::any_io_executor executor_;
    database_options options_;
    pg::mailbox<job> jobs_;
    std::vector<std::unique_ptr<database_thread>> threads_;
};

} // namespace

std::unique_ptr<database> open_database(
    boost::asio::any_io_executor executor, database_options options
) {
    return std::make_unique<threaded_database>(std::move(executor), std::move(options));
}

base::result<void> run_blocking(
    database_options const& options,
    // NOLINTNEXTLINE(performance-unnecessary-value-param): what is handed over is a lambda
    std::function<void(transaction&)> work
) {
    pg::session session{options, pg::purpose::general};
    try {
        pg::transact(session, work, transaction_tries);
    } catch (pg::failure const& f) {
        return f.error;
    }
    return {};
}

} // namespace postrider::storage
