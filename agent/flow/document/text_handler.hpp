#pragma once
// Boost.JSON's events made a value, watching what the finished value would no longer show. For
// read_text.cpp.
#include "agent/flow/document/definition.hpp"

#include <boost/json/error.hpp>
#include <boost/json/value_stack.hpp>

#include <set>

namespace postrider::agent::flow {

class text_handler {
public:
    text_handler(definition_limits const& limits, problem_list& problems)
        : limits_(limits),
          problems_(problems) {}

    boost::json::value value() { return values_.release(); }
    // Of the value that is being read.
    std::string path() const;

    // What basic_parser asks for; false and an error code end the reading.
    using error_code = boost::json::error_code;
    using string_view = boost::json::string_view;
    static constexpr std::size_t max_object_size = boost::json::object::max_size();
    static constexpr std::size_t max_array_size = boost::json::array::max_size();
    static constexpr std::size_t max_key_size = boost::json::string::max_size();
    static constexpr std::size_t max_string_size = boost::json::string::max_size();

    bool on_document_begin(error_code&);
    bool on_document_end(error_code&) { return true; }
    bool on_object_begin(error_code& ec);
    bool on_object_end(std::size_t members, error_code&);
    bool on_array_begin(error_code& ec);
    bool on_array_end(std::size_t items, error_code&);
    bool on_key_part(string_view part, std::size_t, error_code&);
    bool on_key(string_view rest, std::size_t, error_code&);
    bool on_string_part(string_view part, std::size_t, error_code&);
    bool on_string(string_view rest, std::size_t, error_code& ec);
    bool on_number_part(string_view, error_code&) { return true; }
    bool on_int64(std::int64_t number, string_view, error_code& ec);
    bool on_uint64(std::uint64_t number, string_view, error_code& ec);
    bool on_double(double number, string_view, error_code& ec);
    bool on_bool(bool flag, error_code& ec);
    bool on_null(error_code& ec);
    bool on_comment_part(string_view, error_code&) { return true; }
    bool on_comment(string_view, error_code&) { return true; }

private:
    // An array or object that is not closed yet.
    struct level {
        bool is_array = false;
        std::size_t items = 0; // of an array
        std::string key = {};  // of an object: whose value is being read
        std::set<std::string> keys = {};
    };
    bool begin_value(error_code& ec);
    bool within(std::string_view member, std::size_t most, error_code& ec);
    void complain_of_nul();

    definition_limits const& limits_;
    problem_list& problems_;
    boost::json::value_stack values_;
    std::vector<level> open_;
    std::string key_;  // its parts so far
    bool nul_ = false; // in the parts of a text so far
};

} // namespace postrider::agent::flow
