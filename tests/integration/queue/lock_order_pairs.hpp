#pragma once
// What two actors try side by side: a database of lanes and jobs, made anew for each pair.
#include "tests/integration/queue/lock_order_actor.hpp"

#include <functional>
#include <string>

namespace postrider::tests {

// Whatever waits in a circle in the database from now on is counted.
void prepare(test_database const& database);
// Once the sessions that met them have ended.
std::string deadlocks(test_database const& database);

void begin_pair(lock_order_actor& process);
// What begin_pair() makes: the mailbox of the lane with that number, and the conversation in it, where
// it has one (of the lanes with jobs).
std::string mailbox_of(unsigned lane);
std::string conversation_of(unsigned lane);

// Each on a thread of its own.
void side_by_side(std::function<void()> left, std::function<void()> const& right);

} // namespace postrider::tests
