#pragma once
// A reminder's job: it says a text in the place where the reminder was made, as an effect that is never silently
// doubled, and the conversation there has it among what was said.
//
// The job runs in a lane of its own beside the conversation's, so a turn that waits for a person, or whose model is
// away, does not delay it. One that came late says so.
#include "agent/talk/messenger.hpp"
#include "base/clock.hpp"
#include "base/random.hpp"
#include "queue/workflow.hpp"

#include <boost/json/object.hpp>

#include <chrono>
#include <string>

namespace postrider::agent {

inline constexpr std::size_t longest_reminder = 1000; // characters of its text
inline constexpr int most_reminders = 100;            // of a person, those to come
// After a day the word would only confuse.
inline constexpr std::chrono::hours longest_reminding{24};

// The input of its job, but for what storage::add_reminder() puts into it. `id`: the reminder's own.
boost::json::object reminder_input(
    std::string_view id, address const& chat, std::string_view text, std::string_view timezone
);

// All of them outlive the engine.
queue::job_kind make_reminders(messenger& out, base::clock& clock, base::random_source& random);

} // namespace postrider::agent
