#include "agent/flow/nodes/http_file.hpp"

#include "base/json/nul.hpp"
#include "base/utf8.hpp"

#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>

namespace postrider::agent::flow {

namespace {

constexpr int most_loads = 3;
constexpr std::chrono::milliseconds load_pause{200};
constexpr std::size_t longest_file_name = 200; // bytes

bool may_load_later(base::error const& failure) {
    return failure == base::errc::unavailable || failure == base::errc::timeout ||
           failure == base::errc::rate_limited || failure == base::errc::overloaded;
}

// The last part of a path, as each system writes it.
std::string without_folders(std::string_view path) {
    auto const slash = path.find_last_of("/\\");
    return std::string(slash == path.npos ? path : path.substr(slash + 1));
}

// Of `attachment; filename="report.pdf"`.
std::string name_in(std::string_view disposition) {
    constexpr std::string_view member = "filename=";
    auto const at = disposition.find(member);
    if (at == disposition.npos) return {};
    auto rest = disposition.substr(at + member.size());
    if (!rest.starts_with('"')) return std::string(rest.substr(0, rest.find_first_of("; ")));
    rest.remove_prefix(1);
    return std::string(rest.substr(0, rest.find('"')));
}

std::string last_segment_of(std::string_view url) {
    auto const read = boost::urls::parse_uri({url.data(), url.size()});
    if (!read) return {};
    auto const path = read->encoded_path();
    return net::percent_decode(without_folders({path.data(), path.size()})).value_or("");
}

} // namespace

base::awaitable<base::result<loaded_files>> load_files(
    node_run& run, std::vector<file_reference> references
) {
    loaded_files files;
    std::size_t bytes = 0;
    for (auto const& reference : references) {
        auto file = co_await load_file(run, reference);
        for (int load = 1; !file && may_load_later(file.error()) && load < most_loads; ++load) {
            co_await base::sleep_for(load_pause);
            file = co_await load_file(run, reference);
        }
        if (!file) co_return file.error();
        bytes += file->bytes.size();
        if (bytes > most_request_bytes)
            co_return base::error(
                base::errc::too_large, "the files of the request are larger than 20 MiB"
            );
        files.insert_or_assign(reference.id, std::move(*file));
    }
    co_return files;
}

std::string file_name_of(net::header_list const& headers, std::string_view url) {
    auto name = without_folders(name_in(headers.find("content-disposition")));
    if (name.empty()) name = without_folders(last_segment_of(url));
    if (name.empty()) name = "file";
    return base::shortened(base::storable(name), longest_file_name);
}

} // namespace postrider::agent::flow
