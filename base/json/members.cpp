#include "base/json/members.hpp"

#include <boost/json/basic_parser_impl.hpp>

#include <set>
#include <vector>

namespace postrider::base {

namespace json = boost::json;

namespace {

class member_watcher {
public:
    std::optional<std::string> repeated;

    // What basic_parser asks for; false and an error code end the reading.
    using error_code = json::error_code;
    using string_view = json::string_view;
    static constexpr std::size_t max_object_size = json::object::max_size();
    static constexpr std::size_t max_array_size = json::array::max_size();
    static constexpr std::size_t max_key_size = json::string::max_size();
    static constexpr std::size_t max_string_size = json::string::max_size();

    bool on_document_begin(error_code&) { return true; }
    bool on_document_end(error_code&) { return true; }
    bool on_object_begin(error_code&) {
        open_.emplace_back();
        return true;
    }
    bool on_object_end(std::size_t, error_code&) {
        open_.pop_back();
        return true;
    }
    bool on_array_begin(error_code&) { return true; }
    bool on_array_end(std::size_t, error_code&) { return true; }
    bool on_key_part(string_view part, std::size_t, error_code&) {
        key_.append(part.data(), part.size());
        return true;
    }
    bool on_key(string_view last, std::size_t, error_code& ec) {
        key_.append(last.data(), last.size());
        if (!open_.back().insert(key_).second) {
            repeated = std::move(key_);
            ec = json::error::extra_data; // enough is known
        }
        key_.clear();
        return !ec;
    }
    bool on_string_part(string_view, std::size_t, error_code&) { return true; }
    bool on_string(string_view, std::size_t, error_code&) { return true; }
    bool on_number_part(string_view, error_code&) { return true; }
    bool on_int64(std::int64_t, string_view, error_code&) { return true; }
    bool on_uint64(std::uint64_t, string_view, error_code&) { return true; }
    bool on_double(double, string_view, error_code&) { return true; }
    bool on_bool(bool, error_code&) { return true; }
    bool on_null(error_code&) { return true; }
    bool on_comment_part(string_view, error_code&) { return true; }
    bool on_comment(string_view, error_code&) { return true; }

private:
    std::vector<std::set<std::string>> open_;
    std::string key_;
};

} // namespace

std::optional<std::string> repeated_member(std::string_view text) {
    json::parse_options options;
    options.max_depth = 64;
    json::basic_parser<member_watcher> parser(options);
    json::error_code ec;
    parser.write_some(false, text.data(), text.size(), ec);
    return std::move(parser.handler().repeated);
}

} // namespace postrider::base
