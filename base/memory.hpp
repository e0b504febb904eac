#pragma once
// What the process keeps of memory that it no longer needs.

namespace postrider::base {

// For the end of the start: gives free heap back, and takes the program's and its libraries' code
// and constants out of the process. Half of that only starts: it reads settings, compiles flows,
// loads libraries. What runs from now on comes back from the page cache as it is used.
void give_back_start_memory();

} // namespace postrider::base
