#include "agent/flow/run/question_images.hpp"

#include "agent/flow/services.hpp"
#include "agent/models/unseen_images.hpp"
#include "base/log.hpp"
#include "net/base64.hpp"

namespace postrider::agent::flow {

namespace {

using base::errc;

// The model answers without it.
void report_missing(queue::workflow const& steps, base::error const& failure) {
    base::log::warn("turn.image_not_loaded", {{"job", steps.job().id}, {"error", failure}});
}

} // namespace

base::awaitable<void> question_images::show(
    chat_request& request, std::size_t question, bool can_see
) {
    if (!can_see) {
        tell_of_unseen_images(request, sources_.size());
        co_return;
    }
    if (!loaded_) {
        loaded_.emplace();
        for (auto const& source : sources_) {
            auto image = co_await load(source);
            if (image)
                loaded_->push_back(std::move(*image));
            else
                report_missing(run_.steps(), image.error());
        }
    }
    request.messages.at(question).images = *loaded_;
    tell_of_unseen_images(request, sources_.size() - loaded_->size());
}

base::awaitable<base::result<shown_image>> question_images::load(image_source const& source) {
    auto const bytes = co_await bytes_of(source);
    if (!bytes) co_return bytes.error();
    if (bytes->size() > most_image_bytes)
        co_return base::error(errc::too_large, "the image is too large");
    auto const type = image_type(*bytes);
    if (type.empty()) co_return base::error(errc::invalid, "the file is no JPEG, PNG, GIF or WebP");
    co_return shown_image{
        std::string(type), std::make_shared<std::string const>(net::to_base64(*bytes))};
}

base::awaitable<base::result<std::string>> question_images::bytes_of(image_source const& source) {
    if (source.file.empty()) {
        auto bytes = net::from_base64(source.base64);
        if (!bytes) co_return base::error(errc::invalid, "the image is no base64");
        co_return std::move(*bytes);
    }
    auto const& heard = run_.started_by().heard;
    if (!heard) co_return base::error(errc::not_found, "no message of a messenger started this");
    co_return co_await run_.services().out.load_file(heard->from, source.file, most_image_bytes);
}

} // namespace postrider::agent::flow
