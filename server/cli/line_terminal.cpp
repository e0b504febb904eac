#include "server/cli/line_terminal.hpp"

#include "server/cli/libedit_line.hpp"
#include "server/cli/line_editor.hpp"
#include "server/cli/line_reader.hpp"

#include <unistd.h>

namespace postrider::cli {

namespace {

class plain_terminal final : public line_terminal {
public:
    plain_terminal(boost::asio::any_io_executor executor, std::ostream& out, std::string prompt)
        : out_(out),
          prompt_(::isatty(STDOUT_FILENO) == 1 ? std::move(prompt) : std::string()),
          lines_(std::move(executor), STDIN_FILENO) {}

    base::awaitable<std::optional<std::string>> next() override {
        print(prompt_);
        return lines_.next();
    }
    void print(std::string text) override { out_ << text << std::flush; }

private:
    std::ostream& out_;
    std::string prompt_;
    line_reader lines_;
};

} // namespace

std::unique_ptr<line_terminal> make_line_terminal(
    boost::asio::any_io_executor executor, std::ostream& out, terminal_options options
) {
    auto prompt = std::move(options.prompt);
    if (can_edit_lines(options.kind))
        return make_line_editor(std::move(executor), std::move(prompt), std::move(options.history));
    return std::make_unique<plain_terminal>(std::move(executor), out, std::move(prompt));
}

} // namespace postrider::cli
