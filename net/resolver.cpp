#include "net/resolver.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <charconv>
#include <deque>
#include <mutex>
#include <thread>

namespace postrider::net {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using asio::ip::tcp;
using base::errc;
using base::error;

namespace {

// So many names may hang at the same time before others have to wait.
constexpr std::size_t most_threads = 8;
constexpr std::size_t most_waiting = 256;
// Shorter than the life of any DNS record: it only spares a burst of connections the look-ups.
constexpr auto known_for = 5s;

} // namespace

struct resolver::answer {
    explicit answer(asio::any_io_executor executor) : come(std::move(executor)) {}

    bool useful(base::steady_time now) const {
        return !addresses || (*addresses && now < received_at + known_for);
    }

    base::signal come;
    std::optional<base::result<endpoints>> addresses; // none yet: the look-up runs
    base::steady_time received_at;
};

// Threads that start for look-ups and end when none is left. Nobody joins them: a look-up that
// hangs would hold up the end of the process.
class resolver::threads : public std::enable_shared_from_this<threads> {
public:
    threads(asio::any_io_executor executor, name_lookup look_up)
        : executor_(std::move(executor)),
          look_up_(std::move(look_up)) {}

    // False when too many are waiting already.
    bool start(std::string host, std::string port, std::weak_ptr<answer> into) {
        std::scoped_lock lock(mutex_);
        if (waiting_.size() >= most_waiting) return false;
        waiting_.push_back({std::move(host), std::move(port), std::move(into)});
        if (running_ == most_threads) return true;
        try {
            std::thread(&threads::work, shared_from_this()).detach();
        } catch (std::system_error const&) {
            if (running_ > 0) return true; // one of them comes to it
            waiting_.pop_back();
            return false;
        }
        ++running_;
        return true;
    }

    // Nothing is posted to the executor from now on.
    void close() {
        std::scoped_lock lock(mutex_);
        closed_ = true;
    }

private:
    // The answer is its waiters': its timer must not outlive their loop.
    struct task {
        std::string host;
        std::string port;
        std::weak_ptr<answer> into;
    };

    static void work(std::shared_ptr<threads> const& self) {
        while (auto next = self->take()) {
            auto found = self->try_look_up(*next);
            self->deliver(std::move(next->into), std::move(found));
        }
    }

    std::optional<task> take() {
        std::scoped_lock lock(mutex_);
        if (closed_ || waiting_.empty()) {
            --running_;
            return std::nullopt;
        }
        auto first = std::move(waiting_.front());
        waiting_.pop_front();
        return first;
    }

    base::result<endpoints> try_look_up(task const& name) const {
        try {
            return look_up_(name.host, name.port);
        } catch (std::exception const& e) {
            return error(errc::internal, e.what());
        }
    }

    // The answer is the executor's thread's; here it is only passed on.
    void deliver(std::weak_ptr<answer> into, base::result<endpoints> resolved) {
        std::scoped_lock lock(mutex_);
        if (closed_) return;
        asio::post(executor_, [into = std::move(into), resolved = std::move(resolved)]() mutable {
            auto const waited_for = into.lock();
            if (!waited_for) return;
            waited_for->addresses = std::move(resolved);
            waited_for->received_at = base::system_clock().steady();
            waited_for->come.notify();
        });
    }

    asio::any_io_executor executor_;
    name_lookup look_up_;
    std::mutex mutex_; // of what follows
    std::deque<task> waiting_;
    std::size_t running_ = 0;
    bool closed_ = false;
};

base::result<endpoints> look_up_by_system(std::string const& host, std::string const& port) {
    asio::io_context unused;
    tcp::resolver system{unused};
    boost::system::error_code ec;
    auto const results = system.resolve(host, port, ec);
    if (ec) return error(errc::unavailable, "the name does not resolve: " + ec.message());
    endpoints found;
    for (auto const& each : results) found.push_back(each.endpoint());
    return found;
}

resolver::resolver(asio::any_io_executor executor, name_lookup look_up)
    : executor_(executor),
      threads_(std::make_shared<threads>(std::move(executor), std::move(look_up))) {}

resolver::~resolver() {
    threads_->close();
}

base::result<std::shared_ptr<resolver::answer>> resolver::find(
    std::string const& host, std::string const& port
) {
    auto const now = base::system_clock().steady();
    std::erase_if(answers_, [now](auto const& known) { return !known.second->useful(now); });
    auto const [place, is_new] = answers_.try_emplace(host + " " + port);
    if (!is_new) return place->second;
    auto started = std::make_shared<answer>(executor_);
    if (!threads_->start(host, port, started)) {
        answers_.erase(place);
        return error(errc::unavailable, "too many names are being looked up");
    }
    place->second = started;
    return started;
}

base::awaitable<base::result<endpoints>> resolver::resolve(
    std::string host, std::string port, base::steady_time deadline
) {
    boost::system::error_code ec;
    if (auto literal = asio::ip::make_address(host, ec); !ec) {
        std::uint16_t number = 0;
        std::from_chars(port.data(), port.data() + port.size(), number);
        co_return endpoints{{literal, number}};
    }

    auto found = find(host, port);
    if (!found) co_return found.error();
    auto const shared = *found;
    while (!shared->addresses) {
        auto const left = deadline - base::system_clock().steady();
        if (left <= base::duration::zero())
            co_return error(errc::timeout, "the name was not resolved in time");
        co_await shared->come.wait_for(left);
    }
    co_return *shared->addresses;
}

} // namespace postrider::net
