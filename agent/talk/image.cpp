#include "agent/talk/image.hpp"

#include "base/json/json.hpp"

#include <array>

namespace postrider::agent {

namespace json = boost::json;

namespace {

using namespace std::string_view_literals;

struct signature {
    std::string_view begins;
    std::string_view type;
};
constexpr std::array signatures{
    signature{"\xff\xd8\xff"sv, "image/jpeg"},
    signature{"\x89PNG\r\n\x1a\n"sv, "image/png"},
    signature{"GIF87a"sv, "image/gif"},
    signature{"GIF89a"sv, "image/gif"}};

} // namespace

json::array to_json(std::vector<image_source> const& images) {
    json::array list;
    for (auto const& image : images)
        list.push_back(
            image.file.empty() ? json::object{{"data", image.base64}}
                               : json::object{{"file", image.file}}
        );
    return list;
}

std::vector<image_source> images_from(json::value const* list) {
    std::vector<image_source> images;
    if (!list || !list->is_array()) return images;
    for (auto const& member : list->get_array()) {
        base::json_reader const fields{member};
        image_source image{fields["file"].string_or(""), fields["data"].string_or("")};
        if (image.file.empty() && image.base64.empty()) continue;
        images.push_back(std::move(image));
        if (images.size() == most_images) break;
    }
    return images;
}

std::string_view image_type(std::string_view bytes) noexcept {
    for (auto const& signature : signatures)
        if (bytes.starts_with(signature.begins)) return signature.type;
    bool const is_webp = bytes.starts_with("RIFF"sv) && bytes.substr(0, 12).ends_with("WEBP"sv);
    return is_webp ? "image/webp"sv : ""sv;
}

} // namespace postrider::agent
