#include "server/cli/line_editor.hpp"

#include "server/cli/libedit_line.hpp"
#include "server/cli/line_queue.hpp"
#include "server/cli/wake_up.hpp"

#include <mutex>
#include <poll.h>
#include <thread>

namespace postrider::cli {

namespace {

class line_editor final : public line_terminal {
public:
    line_editor(
        boost::asio::any_io_executor executor, std::string prompt, std::filesystem::path history
    )
        : prompt_(std::move(prompt)),
          history_(std::move(history)),
          lines_(std::make_shared<line_queue>(std::move(executor))),
          thread_([this] { edit(); }) {}

    ~line_editor() override {
        {
            std::lock_guard const lock(mutex_);
            is_over_ = true;
        }
        wake_.notify();
        thread_.join();
    }

    bool edits() const override { return true; }

    base::awaitable<std::optional<std::string>> next() override {
        auto line = co_await line_queue::next(lines_);
        if (line) print(prompt_ + take_shown() + "\n");
        co_return line;
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
            {
                std::lock_guard const lock(mutex_);
                shown_.push_back(std::move(typed->shown));
            }
            lines_->deliver(std::move(typed->text));
        }
        lines_->end();
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

    std::string take_shown() {
        std::lock_guard const lock(mutex_);
        auto shown = std::move(shown_.front());
        shown_.pop_front();
        return shown;
    }

    std::string prompt_;
    std::filesystem::path history_;
    std::shared_ptr<line_queue> lines_;
    wake_up wake_;
    std::mutex mutex_; // of what follows, which both threads touch
    std::string unprinted_;
    std::deque<std::string> shown_; // the lines in lines_ as they stood on the screen
    bool is_over_ = false;
    std::thread thread_; // the last: everything else is there when it begins
};

} // namespace

std::unique_ptr<line_terminal> make_line_editor(
    boost::asio::any_io_executor executor, std::string prompt, std::filesystem::path history
) {
    return std::make_unique<line_editor>(
        std::move(executor), std::move(prompt), std::move(history)
    );
}

} // namespace postrider::cli
