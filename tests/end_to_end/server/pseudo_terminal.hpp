#pragma once
// A program of the product at a terminal, and a person before it who types and looks.
#include "tests/end_to_end/server/product.hpp"
#include "tests/end_to_end/server/terminal_screen.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace postrider::tests {

class pseudo_terminal {
public:
    // All the environment the program gets is this, and TERM. Throws when it cannot be started.
    pseudo_terminal(
        std::vector<std::string> words,
        environment const& variables,
        int rows = 24,
        int columns = 80
    );
    ~pseudo_terminal(); // hangs up; SIGKILL when that is not heard
    pseudo_terminal(pseudo_terminal const&) = delete;
    pseudo_terminal& operator=(pseudo_terminal const&) = delete;

    void type(std::string_view keys);
    // As a terminal hands it over.
    void paste(std::string_view text);
    void resize(int columns);
    void signal(int number); // to the program

    // The screen of now, as text.
    std::string screen();
    std::string before_cursor();
    // Looks until the screen holds it; false when the time has passed.
    bool shows(std::string_view text, base::duration limit = std::chrono::seconds{20});
    // Keys come one by one and unseen, as programs ask for that edit lines.
    bool is_raw() const;
    // The exit code, or 128 and the signal, once it has ended within the limit.
    std::optional<int> wait(base::duration limit = std::chrono::seconds{20});

private:
    void look();

    terminal_screen screen_;
    int terminal_ = -1;
    pid_t pid_ = 0;
};

} // namespace postrider::tests
