#pragma once
// A folder that the account of a Postgres server can enter too; it goes with the object.
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace postrider::tests {

class open_folder {
public:
    open_folder() {
        std::string name =
            (std::filesystem::temp_directory_path() / "postrider-pg-XXXXXX").string();
        if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
        path_ = name;
        std::filesystem::permissions(path_, std::filesystem::perms::all);
    }
    ~open_folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    open_folder(open_folder const&) = delete;
    open_folder& operator=(open_folder const&) = delete;

    std::filesystem::path const& path() const { return path_; }

private:
    std::filesystem::path path_;
};

} // namespace postrider::tests
