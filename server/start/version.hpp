#pragma once
// What this binary is. The strings live as long as the process.
#include <string_view>

namespace postrider::server {

struct version_info {
    std::string_view product;
    int schema; // the newest file of sql/tables/ that it brings
    std::string_view boost;
    std::string_view libpqxx;
    std::string_view compiler;
};

version_info const& this_version();

} // namespace postrider::server
