#pragma once
// What a model is told of images that it is not shown. Pure.
#include "agent/models/model.hpp"

namespace postrider::agent {

// Says so behind everything else of the request; of none nothing.
void tell_of_unseen_images(chat_request& request, std::size_t count);

// Takes all images out of the request and says so.
void leave_out_images(chat_request& request);
bool has_images(chat_request const& request) noexcept;

} // namespace postrider::agent
