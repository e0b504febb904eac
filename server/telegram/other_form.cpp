#include "server/telegram/other_form.hpp"

#include <utility>

namespace postrider::telegram {

namespace {

// False: it has none.
bool lose_markup(agent::message_content& content) {
    if (content.markup == agent::text_markup::none) return false;
    content.markup = agent::text_markup::none;
    content.text = agent::without_markup(content.text);
    return true;
}

} // namespace

bool takes_other_form(send_request& request, objection objection) {
    if (objection == objection::markup) return lose_markup(request.content);
    if (objection == objection::reply_target)
        return std::exchange(request.reply_to, {}) != telegram_message_id{};
    return objection == objection::thread && std::exchange(request.thread, {}) != thread_id{};
}

bool takes_other_form(edit_request& request, objection objection) {
    if (objection == objection::markup) return lose_markup(request.content);
    bool const caption = objection == objection::no_text && !request.is_caption;
    if (caption) request.is_caption = true;
    return caption;
}

} // namespace postrider::telegram
