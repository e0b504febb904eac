#pragma once
// What the process keeps of memory that it no longer needs.
#include "base/async.hpp"

namespace postrider::base {

// For the end of the start: gives free heap back, and takes the program's and its libraries' code
// and constants out of the process. Half of that only starts: it reads settings, compiles flows,
// loads libraries. What runs from now on comes back from the page cache as it is used.
void give_back_start_memory();

// Gives free heap back while the program works. Between blocks in use glibc keeps free pages for
// ever: after a load a third of the heap was such pages.
class free_heap {
public:
    // Some milliseconds if the process has touched more than a MiB of new pages since the last call;
    // nothing if not, so an idle process does nothing.
    void give_back_if_grown();

private:
    long faults_ = 0; // page faults so far, at the last time
};

// Does so every second, until cancelled.
awaitable<void> keep_heap_small();

} // namespace postrider::base
