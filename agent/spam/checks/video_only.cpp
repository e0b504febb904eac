// Videos without a word.
#include "agent/spam/check.hpp"

#include <algorithm>

namespace postrider::agent::spam {

namespace {

finding look_for_video_only(check_input const& input) {
    auto const& attached = input.message.attached;
    if (!input.text.tokens.empty() || std::ranges::find(attached, media::video) == attached.end())
        return {};
    return {1, "it is a video without a text"};
}

} // namespace

namespace registered {

extern check const video_only{
    .name = "video_only",
    .looks_for = "Videos without a text.",
    .on = false,
    .weight = 100,
    .look = look_for_video_only};

} // namespace registered

} // namespace postrider::agent::spam
