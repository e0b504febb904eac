#pragma once
// The composition root: makes the long-lived parts in order, connects them, runs until it is
// stopped, and stops what takes work first. Some parts make their own (ARCHITECTURE.md).
//
// SIGTERM or SIGINT drains: /readyz turns 503, no update is taken any more, turns in flight may end
// within the drain timeout, the rest is put back unharmed. A second signal ends the process at
// once; the next start goes on from the last commit.
#include "server/start/config.hpp"

#include <iosfwd>
#include <string>
#include <vector>

namespace postrider::server {

struct run_options {
    bool demo = false;            // simulated Telegram even when a token is configured
    std::vector<std::string> say; // send these, print the replies, stop
    bool to_terminal = false;     // a person reads what is printed: a new token may stand there
    std::string terminal;         // its kind, as TERM names it
    std::string notify_socket;    // NOTIFY_SOCKET of systemd
    std::vector<base::settings::line> shown_settings; // the configuration as people may see it
    base::duration watchdog{}; // how long it waits for a sign of life; zero = it does not
};

// Blocks until the server has stopped; returns the exit code. Throws when it cannot start, with
// what to do about it in the text.
int serve(config const& settings, run_options options, std::ostream& out);

} // namespace postrider::server
