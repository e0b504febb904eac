#include "agent/flow/document/text_handler.hpp"

#include "agent/flow/document/read_text.hpp"
#include "base/json/nul.hpp"

#include <fmt/format.h>

#include <cmath>

namespace postrider::agent::flow {

namespace json = boost::json;

std::string text_handler::path() const {
    std::string path;
    for (auto const& open : open_) {
        if (!open.is_array)
            path = below(path, open.key);
        else if (open.items > 0)
            path = below(path, open.items - 1);
    }
    return path;
}

bool text_handler::within(std::string_view member, std::size_t most, error_code& ec) {
    if (open_.front().key != member || open_.back().items <= most) return true;
    problems_.add({
        .code = fmt::format("too_many_{}", member),
        .path = below("", member),
        .message = fmt::format("a flow has at most {} {}", most, member),
        .hint = "move parts of it into flows of their own and call them",
    });
    ec = json::error::array_too_large;
    return false;
}

bool text_handler::begin_value(error_code& ec) {
    if (open_.empty() || !open_.back().is_array) return true;
    ++open_.back().items;
    if (open_.size() != 2) return true;
    return within("nodes", limits_.nodes, ec) && within("connections", limits_.connections, ec);
}

bool text_handler::on_document_begin(error_code&) {
    values_.reset();
    return true;
}

bool text_handler::on_object_begin(error_code& ec) {
    if (!begin_value(ec)) return false;
    open_.push_back({});
    return true;
}

bool text_handler::on_object_end(std::size_t members, error_code&) {
    open_.pop_back();
    values_.push_object(members);
    return true;
}

bool text_handler::on_array_begin(error_code& ec) {
    if (!begin_value(ec)) return false;
    open_.push_back({.is_array = true});
    return true;
}

bool text_handler::on_array_end(std::size_t items, error_code&) {
    open_.pop_back();
    values_.push_array(items);
    return true;
}

void text_handler::complain_of_nul() {
    problems_.add(nul_at(problems_.full() ? std::string() : path()));
}

bool text_handler::on_key_part(string_view part, std::size_t, error_code&) {
    key_.append(part.data(), part.size());
    values_.push_chars(part);
    return true;
}

bool text_handler::on_key(string_view rest, std::size_t, error_code&) {
    key_.append(rest.data(), rest.size());
    values_.push_key(rest);
    auto& object = open_.back();
    object.key = std::exchange(key_, {});
    if (base::has_nul(object.key)) complain_of_nul();
    if (!object.keys.insert(object.key).second)
        problems_.add({
            .code = "duplicate_member",
            .path = path(),
            .message = fmt::format("the member {} is there twice", in_quotes(object.key)),
            .hint = "keep one of them",
        });
    return true;
}

bool text_handler::on_string_part(string_view part, std::size_t, error_code&) {
    values_.push_chars(part);
    nul_ = nul_ || base::has_nul(part);
    return true;
}

bool text_handler::on_string(string_view rest, std::size_t, error_code& ec) {
    if (!begin_value(ec)) return false;
    values_.push_string(rest);
    if (std::exchange(nul_, false) || base::has_nul(rest)) complain_of_nul();
    return true;
}

bool text_handler::on_int64(std::int64_t number, string_view, error_code& ec) {
    if (!begin_value(ec)) return false;
    values_.push_int64(number);
    return true;
}

bool text_handler::on_uint64(std::uint64_t number, string_view, error_code& ec) {
    if (!begin_value(ec)) return false;
    values_.push_uint64(number);
    return true;
}

bool text_handler::on_double(double number, string_view, error_code& ec) {
    if (!begin_value(ec)) return false;
    values_.push_double(number);
    if (!std::isfinite(number))
        problems_.add({
            .code = "number_out_of_range",
            .path = path(),
            .message = "the number is beyond what a double holds",
            .hint = "write it as a string",
        });
    return true;
}

bool text_handler::on_bool(bool flag, error_code& ec) {
    if (!begin_value(ec)) return false;
    values_.push_bool(flag);
    return true;
}

bool text_handler::on_null(error_code& ec) {
    if (!begin_value(ec)) return false;
    values_.push_null();
    return true;
}

} // namespace postrider::agent::flow
