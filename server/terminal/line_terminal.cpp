#include "server/terminal/line_terminal.hpp"

#include "server/terminal/libedit_line.hpp"
#include "server/terminal/line_editor.hpp"
#include "server/terminal/line_reader.hpp"

#include <unistd.h>

namespace postrider::terminal {

namespace {

class plain_terminal final : public line_terminal {
public:
    plain_terminal(
        boost::asio::any_io_executor executor, std::ostream& out, terminal_options options
    )
        : out_(out),
          prompt_(is_terminal() ? std::move(options.prompt) : std::string()),
          lines_(std::move(executor), STDIN_FILENO, std::move(options.on_line)) {}

    base::awaitable<std::optional<std::string>> next() override {
        show(prompt_);
        is_prompted_ = true;
        auto line = co_await lines_.next();
        is_prompted_ = false;
        co_return line;
    }
    std::optional<typed_line> take_if(std::function<bool(std::string_view)> const& is_wanted
    ) override {
        return is_terminal() ? lines_.take_if(is_wanted) : std::nullopt;
    }
    // Below a prompt that nobody has answered yet; the prompt comes again.
    void print(std::string text) override {
        show(is_prompted_ && !prompt_.empty() ? "\n" + text + prompt_ : text);
    }

private:
    static bool is_terminal() {
        return ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1;
    }
    void show(std::string_view text) { out_ << text << std::flush; }

    std::ostream& out_;
    std::string prompt_;
    bool is_prompted_ = false;
    line_reader lines_;
};

} // namespace

terminal_options chat_terminal(std::string kind, std::filesystem::path const& data) {
    std::error_code ignored;
    bool const is_here = std::filesystem::is_directory(data, ignored);
    return {
        .kind = std::move(kind),
        .prompt = "you> ",
        .history = is_here ? data / "chat_history" : std::filesystem::path()};
}

std::unique_ptr<line_terminal> make_line_terminal(
    boost::asio::any_io_executor executor, std::ostream& out, terminal_options options
) {
    if (can_edit_lines(options.kind))
        return make_line_editor(std::move(executor), std::move(options));
    return std::make_unique<plain_terminal>(std::move(executor), out, std::move(options));
}

} // namespace postrider::terminal
