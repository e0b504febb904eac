// Sounds and voice messages without a word.
#include "agent/spam/check.hpp"

#include <algorithm>

namespace postrider::agent::spam {

namespace {

finding look_for_audio_only(check_input const& input) {
    auto const& attached = input.message.attached;
    if (!input.text.tokens.empty() || std::ranges::find(attached, media::audio) == attached.end())
        return {};
    return {1, "it is a sound without a text"};
}

} // namespace

namespace registered {

extern check const audio_only{
    .name = "audio_only",
    .looks_for = "Sounds and voice messages without a text.",
    .on = false,
    .weight = 100,
    .look = look_for_audio_only};

} // namespace registered

} // namespace postrider::agent::spam
