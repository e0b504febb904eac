#pragma once
// multipart/form-data, as browsers send forms with files. Pure.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::net {

struct form_part {
    std::string name;
    std::string content;
    std::optional<std::string> filename = {}; // of a file
    std::string type = {};                    // of a file: "image/png", without line breaks
};

struct multipart_body {
    std::string text;
    std::string content_type;
};
// What is between the parts comes of the seed, which only the sender knows, and is in none of them. The same
// parts and seed give the same body.
multipart_body encode_multipart(std::vector<form_part> const& parts, std::string_view seed);

} // namespace postrider::net
