// A TCP port for a program that the test starts and starts again. Nobody else gets it meanwhile: it lies
// below the ports that the kernel gives to connections (ip_local_port_range(7)), and no other test
// process receives it until this one ends.
#pragma once

namespace postrider::tests {

// Throws std::runtime_error when all are taken.
int free_port();

} // namespace postrider::tests
