#include "server/terminal/line_reader.hpp"

#include "server/terminal/wake_up.hpp"

#include <array>
#include <poll.h>
#include <thread>
#include <unistd.h>

namespace postrider::terminal {

namespace asio = boost::asio;

class line_reader::reading_thread {
public:
    reading_thread(int descriptor, std::shared_ptr<line_queue> lines)
        : descriptor_(descriptor),
          to_(std::move(lines)),
          thread_([this] { read(); }) {}

    ~reading_thread() {
        stop_.notify();
        thread_.join();
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
                    to_->deliver({std::exchange(line, {})});
                else
                    line += c;
        }
        if (!line.empty()) to_->deliver({std::move(line)});
        to_->end();
    }

    // True when there is something to read, or the end of it.
    bool wait() {
        std::array<pollfd, 2> watched{{{descriptor_, POLLIN, 0}, {stop_.descriptor(), POLLIN, 0}}};
        while (::poll(watched.data(), watched.size(), -1) < 0)
            if (errno != EINTR) return false;
        return watched[1].revents == 0;
    }

    int descriptor_;
    wake_up stop_;
    std::shared_ptr<line_queue> to_;
    std::thread thread_;
};

line_reader::line_reader(
    asio::any_io_executor executor, int descriptor, std::function<void()> on_line
)
    : lines_(std::make_shared<line_queue>(std::move(executor), std::move(on_line))),
      thread_(std::make_unique<reading_thread>(descriptor, lines_)) {}

line_reader::~line_reader() = default;

base::awaitable<std::optional<std::string>> line_reader::next() {
    auto line = co_await line_queue::next(lines_);
    if (!line) co_return std::nullopt;
    co_return std::move(line->text);
}

} // namespace postrider::terminal
