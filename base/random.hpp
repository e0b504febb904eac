#pragma once
// Chance, behind an interface so that tests decide it. Threads: system_random() from any thread.
#include <cstdint>
#include <span>
#include <string>

namespace postrider::base {

class random_source {
public:
    virtual ~random_source() = default;
    virtual void fill(std::span<std::byte> bytes) = 0;
};

// The kernel's generator: fit for secrets and ids.
random_source& system_random();

// In [0, 1).
double uniform(random_source& random);
std::uint64_t uint64(random_source& random);

// 21 characters of A-Za-z0-9_- (126 random bits): the public id of a message.
std::string nanoid(random_source& random);
// Version 4, lower case.
std::string uuid4(random_source& random);
// n random bytes as lower-case hexadecimal: a generated secret.
std::string hex_token(random_source& random, std::size_t n);

} // namespace postrider::base
