#include "server/cli/line_reader.hpp"

#include <boost/asio/post.hpp>

#include <array>
#include <deque>
#include <poll.h>
#include <sys/eventfd.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace postrider::cli {

namespace asio = boost::asio;

// Touched on the executor's thread only.
struct line_reader::shared {
    explicit shared(asio::any_io_executor executor) : arrived(executor) {}

    std::deque<std::string> lines;
    bool over = false;
    base::signal arrived;
};

class line_reader::reading_thread {
public:
    reading_thread(
        asio::any_io_executor executor, int descriptor, std::shared_ptr<line_reader::shared> to
    )
        : executor_(std::move(executor)),
          descriptor_(descriptor),
          stop_(::eventfd(0, EFD_CLOEXEC)),
          to_(std::move(to)) {
        if (stop_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
        thread_ = std::thread([this] { read(); });
    }

    ~reading_thread() {
        std::uint64_t const count = 1;
        // Cannot fail: the counter is far from its limit.
        [[maybe_unused]] auto written = ::write(stop_, &count, sizeof count);
        thread_.join();
        ::close(stop_);
    }

private:
    void read() {
        std::string line;
        std::array<char, 4096> buffer;
        while (wait()) {
            auto const count = ::read(descriptor_, buffer.data(), buffer.size());
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) break;
            for (char c : std::string_view(buffer.data(), static_cast<std::size_t>(count)))
                if (c == '\n')
                    deliver(std::exchange(line, {}));
                else
                    line += c;
        }
        if (!line.empty()) deliver(std::move(line));
        asio::post(executor_, [to = to_] {
            to->over = true;
            to->arrived.notify();
        });
    }

    // True when there is something to read, or the end of it.
    bool wait() {
        std::array<pollfd, 2> watched{{{descriptor_, POLLIN, 0}, {stop_, POLLIN, 0}}};
        while (::poll(watched.data(), watched.size(), -1) < 0)
            if (errno != EINTR) return false;
        return watched[1].revents == 0;
    }

    void deliver(std::string line) {
        asio::post(executor_, [to = to_, line = std::move(line)]() mutable {
            to->lines.push_back(std::move(line));
            to->arrived.notify();
        });
    }

    asio::any_io_executor executor_;
    int descriptor_;
    int stop_;
    std::shared_ptr<line_reader::shared> to_;
    std::thread thread_;
};

line_reader::line_reader(asio::any_io_executor executor, int descriptor)
    : shared_(std::make_shared<shared>(executor)),
      thread_(std::make_unique<reading_thread>(executor, descriptor, shared_)) {}

line_reader::~line_reader() = default;

base::awaitable<std::optional<std::string>> line_reader::next() {
    auto from = shared_; // the reader may go while somebody waits
    while (from->lines.empty() && !from->over) co_await from->arrived.wait();
    if (from->lines.empty()) co_return std::nullopt;
    auto line = std::move(from->lines.front());
    from->lines.pop_front();
    co_return line;
}

} // namespace postrider::cli
