#include "agent/flow/run/question_images.hpp"

#include "agent/flow/parts/services.hpp"
#include "agent/models/unseen_images.hpp"
#include "base/log.hpp"
#include "net/base64.hpp"

#include <algorithm>

namespace postrider::agent::flow {

namespace {

using base::errc;

// As base64 they fit into the requests that every provider takes.
constexpr std::size_t most_bytes_together = 15'000'000;

constexpr std::chrono::milliseconds usual_pause{200};
constexpr std::chrono::milliseconds longest_pause{5000};

bool may_pass(base::error const& failure) {
    return failure == errc::unavailable || failure == errc::timeout ||
           failure == errc::rate_limited;
}

} // namespace

std::vector<image_source> images_of(node_run const& run, item const& input) {
    auto const& heard = run.started_by().heard;
    if (!heard || heard->images.empty()) return {};
    auto const* members = input.json.if_object();
    auto const* item_images = members ? members->if_contains("images") : nullptr;
    return item_images && *item_images == boost::json::value(to_json(heard->images))
               ? heard->images
               : std::vector<image_source>();
}

question_images::question_images(node_run& run, std::vector<image_source> sources) : run_(run) {
    for (auto& source : sources) images_.push_back({.source = std::move(source)});
}

// The model answers without what cannot be had, and nobody waits for it again.
base::awaitable<void> question_images::load(std::chrono::milliseconds longest) {
    auto const loaded = co_await base::with_timeout(load_all(), longest);
    if (loaded) co_return;
    for (auto& image : images_)
        if (!image.loaded && !image.is_missing) give_up(image, loaded.error());
}

base::awaitable<base::result<void>> question_images::load_all() {
    for (auto& image : images_) {
        if (image.loaded || image.is_missing) continue;
        auto bytes = co_await bytes_of(image.source);
        if (!bytes && may_pass(bytes.error())) {
            auto const pause = bytes.error().retry_after.value_or(usual_pause);
            co_await base::sleep_for(std::min(pause, longest_pause));
            bytes = co_await bytes_of(image.source);
        }
        auto const accepted = bytes ? take(image, *bytes) : base::result<void>(bytes.error());
        if (!accepted) give_up(image, accepted.error());
    }
    co_return base::result<void>{};
}

void question_images::give_up(attached_image& image, base::error const& failure) {
    image.is_missing = true;
    base::log::warn("turn.image_not_loaded", {{"job", run_.steps().job().id}, {"error", failure}});
}

base::result<void> question_images::take(attached_image& image, std::string const& bytes) {
    bool const fits =
        bytes.size() <= most_image_bytes && loaded_bytes_ + bytes.size() <= most_bytes_together;
    if (!fits) return base::error(errc::too_large, "the image is too large");
    auto const type = image_type(bytes);
    if (type.empty()) return base::error(errc::invalid, "the file is no JPEG, PNG, GIF or WebP");
    loaded_bytes_ += bytes.size();
    image.loaded =
        shown_image{std::string(type), std::make_shared<std::string const>(net::to_base64(bytes))};
    return {};
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

std::size_t question_images::show(chat_request& request, std::size_t question, bool can_see) const {
    auto unseen = images_.size();
    if (can_see)
        for (auto const& image : images_) {
            if (!image.loaded) continue;
            request.messages.at(question).images.push_back(*image.loaded);
            --unseen;
        }
    tell_of_unseen_images(request, unseen);
    return unseen;
}

} // namespace postrider::agent::flow
