#pragma once
// What an actor can do, each thing with its name and with how often a test does it.
#include "tests/integration/queue/lock_order_actor.hpp"

#include <functional>
#include <string>
#include <vector>

namespace postrider::tests {

struct locking {
    std::string name;
    std::function<void(lock_order_actor&)> act;
    int rounds;
};

// How often; the second where POSTRIDER_LONG is set.
int rounds_of(int short_test, int long_test);

std::vector<locking> arrivals();
std::vector<locking> workers();
std::vector<locking> people();
std::vector<locking> upkeep();

} // namespace postrider::tests
