#include "agent/spam/check.hpp"

namespace postrider::agent::spam {

namespace registered {

#define CHECK(name) extern check const name;
#include "agent/spam/checks.def"
#undef CHECK

} // namespace registered

std::vector<check const*> const& checks() {
    static std::vector<check const*> const list{
#define CHECK(name) &registered::name,
#include "agent/spam/checks.def"
#undef CHECK
    };
    return list;
}

} // namespace postrider::agent::spam
