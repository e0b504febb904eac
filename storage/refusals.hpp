#pragma once
// Whether Postgres answers but refuses commits for a reason that trying again does not mend: its
// disk is full, it is out of memory, it is read-only. Told once when it begins and once when it is
// over: when something was committed ten seconds or more after the last refusal (the heartbeat
// commits every two). On the executor's one thread.
#include "base/clock.hpp"
#include "base/error.hpp"
#include "storage/row.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace postrider::storage {

// Why it fails until somebody does something about the server, for people. None for everything
// else. Pure.
std::optional<std::string> lasting_refusal(base::error const& failed);

// What Postgres does not let our role do, for people: which object, and which role. None for every
// other defect. Pure.
std::optional<std::string> denial(database_error const& defect);

class refusals {
public:
    static constexpr base::duration quiet = std::chrono::seconds{10};

    // The reason, for people, each time it changes; none = commits are accepted.
    using listener = std::function<void(std::optional<std::string> reason)>;

    refusals(base::clock& clock, listener changed) : clock_(clock), changed_(std::move(changed)) {}

    // What became of a commit. `batcher` stands in the log.
    void note(std::string_view batcher, base::result<void> const& outcome);

private:
    void note_refused(std::string_view batcher, base::error const& error, std::string reason);
    void note_committed();

    base::clock& clock_;
    listener changed_;
    std::optional<std::string> reason_;
    base::steady_time last_{};
};

} // namespace postrider::storage
