// Images without a word.
#include "agent/spam/check.hpp"

#include <algorithm>

namespace postrider::agent::spam {

namespace {

finding look_for_image_only(check_input const& input) {
    auto const& attached = input.message.attached;
    if (!input.text.tokens.empty() || std::ranges::find(attached, media::photo) == attached.end())
        return {};
    return {1, "it is an image without a text"};
}

} // namespace

namespace registered {

extern check const image_only{
    .name = "image_only",
    .looks_for = "Images without a text.",
    .on = false,
    .weight = 100,
    .look = look_for_image_only};

} // namespace registered

} // namespace postrider::agent::spam
