#pragma once
// Images that come with a message: where each is to be had. Pure.
#include <boost/json/array.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent {

// By the messenger's id of its file, or as it is.
struct image_source {
    std::string file = {}; // "" = it is here:
    std::string base64 = {};
};

inline constexpr std::size_t most_images = 10;             // of one message
inline constexpr std::size_t most_image_bytes = 3'700'000; // every provider takes 5 MB of base64

// [{"file": "…"}, {"data": "base64…"}]
boost::json::array to_json(std::vector<image_source> const& images);
// Tolerant: what is none is left out, and so are those beyond most_images.
std::vector<image_source> images_from(boost::json::value const* list);

// By its first bytes: image/jpeg, image/png, image/gif or image/webp, which models take; "" = none of them.
std::string_view image_type(std::string_view bytes) noexcept;

} // namespace postrider::agent
