#include "server/terminal/line_editor.hpp"

#include "server/terminal/libedit_line.hpp"
#include "server/terminal/line_queue.hpp"
#include "server/terminal/wake_up.hpp"

#include <boost/asio/signal_set.hpp>

#include <csignal>
#include <mutex>
#include <poll.h>
#include <termios.h>
#include <thread>
#include <unistd.h>

namespace postrider::terminal {

namespace {

// SIGTERM ends the process as it does elsewhere, but the terminal gets its mode back first.
class terminal_keeper {
public:
    explicit terminal_keeper(boost::asio::any_io_executor const& executor)
        : ending_(executor, SIGTERM) {
        if (::tcgetattr(STDIN_FILENO, &mode_) != 0) return;
        ending_.async_wait([this](boost::system::error_code ec, int signal) {
            if (!ec) end_by(signal);
        });
    }

private:
    void end_by(int signal) {
        [[maybe_unused]] auto const written =
            ::write(STDOUT_FILENO, paste_ends.data(), paste_ends.size());
        ::tcsetattr(STDIN_FILENO, TCSANOW, &mode_);
        std::signal(signal, SIG_DFL);
        std::raise(signal);
    }

    termios mode_{};
    boost::asio::signal_set ending_;
};

class line_editor final : public line_terminal {
public:
    line_editor(boost::asio::any_io_executor executor, terminal_options options)
        : prompt_(std::move(options.prompt)),
          history_(std::move(options.history)),
          lines_(std::make_shared<line_queue>(executor, std::move(options.on_line))),
          keeper_(options.ends_on_signals ? std::make_unique<terminal_keeper>(executor) : nullptr),
          thread_([this] { edit(); }) {}

    ~line_editor() override {
        {
            std::lock_guard const lock(mutex_);
            is_over_ = true;
        }
        wake_.notify();
        thread_.join();
    }

    base::awaitable<std::optional<std::string>> next() override {
        auto line = co_await line_queue::next(lines_);
        if (!line) co_return std::nullopt;
        // In the place of a status, which is no line of its own.
        print("\r\x1b[K" + line->shown);
        co_return std::move(line->text);
    }

    std::optional<typed_line> take_if(std::function<bool(std::string_view)> const& is_wanted
    ) override {
        return lines_->take_if(is_wanted);
    }

    void print(std::string text) override {
        {
            std::lock_guard const lock(mutex_);
            unprinted_ += text;
        }
        wake_.notify();
    }

private:
    void edit() {
        libedit_line line(prompt_, history_, wake_.descriptor(), [this, &line] {
            return attend(line);
        });
        while (auto typed = line.read()) {
            typed->shown = prompt_ + typed->shown + "\n";
            lines_->deliver(std::move(*typed));
        }
        // A process that lives on because it ignores SIGINT has no other end; the demo drains first.
        if (keeper_ || !line.was_interrupted()) lines_->end();
        // What was said before is answered still.
        while (attend(line)) {
            pollfd watched{wake_.descriptor(), POLLIN, 0};
            ::poll(&watched, 1, -1);
        }
    }

    // False: the editor goes.
    bool attend(libedit_line& line) {
        wake_.clear();
        std::string text;
        bool goes_on = true;
        {
            std::lock_guard const lock(mutex_);
            text.swap(unprinted_);
            goes_on = !is_over_;
        }
        if (!text.empty()) line.show(text);
        return goes_on;
    }

    std::string prompt_;
    std::filesystem::path history_;
    std::shared_ptr<line_queue> lines_;
    std::unique_ptr<terminal_keeper> keeper_; // before the thread changes the mode
    wake_up wake_;
    std::mutex mutex_; // of what follows, which both threads touch
    std::string unprinted_;
    bool is_over_ = false;
    std::thread thread_; // the last: everything else is there when it begins
};

} // namespace

std::unique_ptr<line_terminal> make_line_editor(
    boost::asio::any_io_executor executor, terminal_options options
) {
    return std::make_unique<line_editor>(std::move(executor), std::move(options));
}

} // namespace postrider::terminal
