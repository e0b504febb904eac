#pragma once
// The system calls of a confined process (confinement.hpp), as a filter of seccomp: those in a list, some of
// them with certain arguments only. Others fail with EPERM, those without a number in the list's time with
// ENOSYS, as on a kernel that does not have them.
namespace postrider::agent::mcp {

// False: this filter knows no calls of this machine's architecture.
bool has_call_filter() noexcept;

// For the child between fork and exec: one system call. It cannot be undone. False: errno says why.
bool close_calls() noexcept;

} // namespace postrider::agent::mcp
