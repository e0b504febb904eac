#pragma once
// A configuration from the text of its file.
#include "server/start/config.hpp"

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <unistd.h>

namespace postrider::server {

inline loaded_config from_file(std::string const& text, base::environment environment = {}) {
    std::string path = (std::filesystem::temp_directory_path() / "config.XXXXXX").string();
    int const file = ::mkstemp(path.data());
    if (file < 0) throw std::runtime_error("mkstemp");
    ::close(file);
    std::ofstream(path) << text;
    config_sources sources;
    sources.environment = std::move(environment);
    sources.file = path;
    auto loaded = load_config(sources);
    std::filesystem::remove(path);
    return loaded;
}

} // namespace postrider::server
