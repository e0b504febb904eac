#include "server/cli/flow_file.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace postrider::cli {

base::result<std::string> read_flow_file(std::string const& name) {
    std::error_code ec;
    if (std::filesystem::is_directory(name, ec))
        return base::error(base::errc::invalid, "it is a folder; name a file of it");
    std::ifstream file(name == "-" ? "/dev/stdin" : name, std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(file), {});
    if (file.bad() || !file.is_open())
        return base::error(base::errc::not_found, "no such file, or none that may be read");
    if (text.find_first_not_of(" \t\r\n") == text.npos)
        return base::error(
            base::errc::invalid,
            "it is empty; a flow is a JSON document, such as `postrider flows export assistant` "
            "prints"
        );
    return text;
}

} // namespace postrider::cli
