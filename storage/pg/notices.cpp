#include "storage/notices.hpp"

#include "base/log.hpp"
#include "base/outage.hpp"
#include "storage/pg/notice_connection.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <mutex>
#include <poll.h>
#include <set>
#include <sys/eventfd.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

namespace postrider::storage {

namespace {

namespace asio = boost::asio;

// Wakes a thread that sits in poll().
class wake_up {
public:
    wake_up() : fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
        if (fd_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
    }
    ~wake_up() { ::close(fd_); }
    wake_up(wake_up const&) = delete;
    wake_up& operator=(wake_up const&) = delete;

    void ring() noexcept { eventfd_write(fd_, 1); }
    void hush() noexcept {
        eventfd_t rung = 0;
        eventfd_read(fd_, &rung);
    }
    int fd() const noexcept { return fd_; }

private:
    int fd_;
};

struct callbacks {
    std::function<void(std::string_view)> on_notice;
    std::function<void()> on_reconnect;
};

class threaded_notices final : public notices {
public:
    threaded_notices(
        asio::any_io_executor executor,
        database_options database,
        notices_options options,
        callbacks call
    )
        : executor_(std::move(executor)),
          database_(std::move(database)),
          options_(std::move(options)),
          call_(std::make_shared<callbacks>(std::move(call))),
          thread_([this] { work(); }) {}

    ~threaded_notices() override { close(); }

    void send(std::string payload) override {
        requested_.fetch_add(1, std::memory_order_relaxed);
        std::lock_guard lock{mutex_};
        if (!listening_ || !outgoing_.insert(std::move(payload)).second) return;
        wake_.ring();
    }

    notices_counts counts() const override { return {listening_, requested_, sent_, received_}; }

    void close() override {
        call_.reset();
        {
            std::lock_guard lock{mutex_};
            closed_ = true;
            if (socket_) socket_->shut_down(); // a server that hangs does not hold us
        }
        wake_.ring();
        if (thread_.joinable()) thread_.join();
    }

private:
    void work() {
        auto pause = base::duration{0};
        for (bool first = true; !closed(); first = false) {
            pg::notice_connection db{database_, options_.channel};
            if (db.failed().empty()) {
                start_listening(db.socket());
                if (!first) report([](callbacks& to) { to.on_reconnect(); });
                if (outage_.over(base::system_clock().steady()))
                    base::log::info("database.listening");
                pause = options_.first_retry;
                serve(db);
                stop_listening();
            }
            if (closed()) return;
            // Polls serve until then, and a lost connection has its own line.
            if (outage_.failed(base::system_clock().steady(), tolerated_outage))
                base::log::warn("database.not_listening", {{"error", db.failed()}});
            pause = std::clamp(pause * 2, options_.first_retry, options_.last_retry);
            sleep(pause);
        }
    }

    // Until the connection breaks or this is closed.
    void serve(pg::notice_connection& db) {
        auto next_sending = base::steady_time::min();
        while (db.failed().empty() && !closed()) {
            auto const now = base::system_clock().steady();
            bool const due = now >= next_sending;
            if (due)
                for (auto const& payload : take()) {
                    db.notify(options_.channel, payload);
                    sent_.fetch_add(1, std::memory_order_relaxed);
                    next_sending = now + options_.send_interval;
                }
            // The answer to NOTIFY may have brought notices along.
            db.read([this](std::string_view payload) { receive(std::string(payload)); });
            if (!db.failed().empty()) return;
            wait(
                db.socket(), has_mail() ? std::max(next_sending, now) - now : base::duration::max()
            );
        }
    }

    void receive(std::string payload) {
        received_.fetch_add(1, std::memory_order_relaxed);
        report([payload = std::move(payload)](callbacks& to) { to.on_notice(payload); });
    }

    template<class Call>
    void report(Call call) {
        asio::post(executor_, [to = std::weak_ptr(call_weak_), call = std::move(call)] {
            if (auto alive = to.lock()) call(*alive);
        });
    }

    void wait(pg::socket_copy const& socket, base::duration most) {
        pollfd fds[] = {{socket.fd(), POLLIN, 0}, {wake_.fd(), POLLIN, 0}};
        poll_for(fds, most);
    }

    void sleep(base::duration most) {
        auto const until = base::system_clock().steady() + most;
        while (!closed()) {
            auto const left = until - base::system_clock().steady();
            if (left <= base::duration::zero()) return;
            pollfd fds[] = {{wake_.fd(), POLLIN, 0}};
            poll_for(fds, left);
        }
    }

    template<std::size_t N>
    void poll_for(pollfd (&fds)[N], base::duration most) {
        using std::chrono::milliseconds;
        int const limit = most == base::duration::max()
                              ? -1
                              : static_cast<int>(std::chrono::ceil<milliseconds>(most).count());
        ::poll(fds, N, limit);
        wake_.hush();
    }

    std::set<std::string> take() {
        std::lock_guard lock{mutex_};
        return std::exchange(outgoing_, {});
    }
    bool has_mail() {
        std::lock_guard lock{mutex_};
        return !outgoing_.empty();
    }
    void start_listening(pg::socket_copy const& socket) {
        std::lock_guard lock{mutex_};
        socket_ = &socket;
        listening_ = true;
    }
    void stop_listening() {
        std::lock_guard lock{mutex_};
        socket_ = nullptr;
        listening_ = false;
        outgoing_.clear();
    }
    bool closed() {
        std::lock_guard lock{mutex_};
        return closed_;
    }

    asio::any_io_executor executor_;
    database_options database_;
    notices_options options_;
    std::shared_ptr<callbacks> call_;            // the loop's; reset when closed
    std::weak_ptr<callbacks> call_weak_ = call_; // the thread's
    wake_up wake_;
    std::atomic<bool> listening_{false};
    std::atomic<std::uint64_t> requested_{0};
    std::atomic<std::uint64_t> sent_{0};
    std::atomic<std::uint64_t> received_{0};
    std::mutex mutex_; // guards what follows
    std::set<std::string> outgoing_;
    pg::socket_copy const* socket_ = nullptr; // the thread's, while it listens
    bool closed_ = false;
    base::outage outage_; // the thread's
    std::thread thread_;
};

} // namespace

std::unique_ptr<notices> listen(
    asio::any_io_executor executor,
    database_options database,
    notices_options options,
    std::function<void(std::string_view payload)> on_notice,
    std::function<void()> on_reconnect
) {
    return std::make_unique<threaded_notices>(
        std::move(executor),
        std::move(database),
        std::move(options),
        callbacks{std::move(on_notice), std::move(on_reconnect)}
    );
}

} // namespace postrider::storage
