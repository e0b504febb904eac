#include "agent/models/unseen_images.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace postrider::agent {

void tell_of_unseen_images(chat_request& request, std::size_t count) {
    if (count == 0) return;
    auto const note =
        count == 1 ? std::string("(An image came with the message, which you cannot see. Say so.)")
                   : fmt::format(
                         "({} images came with the message, which you cannot see. Say so.)", count
                     );
    auto& context = request.trailing_context;
    context.append(context.empty() ? "" : "\n\n").append(note);
}

void leave_out_images(chat_request& request) {
    std::size_t count = 0;
    for (auto& message : request.messages) count += std::exchange(message.images, {}).size();
    tell_of_unseen_images(request, count);
}

bool has_images(chat_request const& request) noexcept {
    return std::ranges::any_of(request.messages, [](auto const& message) {
        return !message.images.empty();
    });
}

} // namespace postrider::agent
