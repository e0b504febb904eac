// Any bytes: the rules end soon, with at least one intent and none that changes more than a message
// can ask for, and a title is a piece of the message.
#include "agent/language/assent.hpp"
#include "agent/language/reading/understand.hpp"

#include <cstdint>
#include <cstdlib>

namespace {

void require(bool held) {
    if (!held) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace postrider;
    static auto const zone = base::find_time_zone("Europe/Berlin").value();
    static auto const now = *base::from_iso8601("2026-11-22T09:00:00Z");
    std::string_view const message(reinterpret_cast<char const*>(data), size);
    auto const understood = agent::language::understand(message, now, zone);
    require(!understood.intents.empty() && understood.intents.size() <= 64);
    for (auto const& intent : understood.intents) {
        require(message.find(intent.title) != message.npos);
        require(message.find(intent.task.title) != message.npos);
        require(!intent.due || intent.due->at > now);
    }
    agent::language::understand_choice(message);
    agent::assent_of(message);
    return 0;
}
