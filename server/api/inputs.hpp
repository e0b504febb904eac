#pragma once
// What a request asks for, read strictly: every mistake is collected, so that one answer names them
// all, and a name that nobody asked for is a mistake too. Pure. Read everything, then mistakes().
#include "base/clock.hpp"
#include "net/http.hpp"

#include <boost/json/object.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::api {

// The largest integer that every reader of JSON holds exactly.
inline constexpr std::int64_t largest_number = (std::int64_t{1} << 53) - 1;

// A positive id of the path, or nothing: "7", not "07", "+7" or "1e3".
std::optional<std::int64_t> id_from(std::string_view text);

// What the two kinds of input share: the mistakes, and which names are known.
class inputs {
public:
    // Those of reading, then the unknown names with what was probably meant.
    std::vector<std::string> mistakes();
    void mistake(std::string text) {
        if (!unreadable_) mistakes_.push_back(std::move(text));
    }

protected:
    explicit inputs(std::string_view noun) : noun_(noun) {}
    void know(std::string_view name);
    // False when the text cannot be stored; the mistake is noted.
    bool storable(std::string_view name, std::string_view text, std::size_t most_bytes);
    std::optional<std::int64_t> in_range(
        std::string_view name, std::int64_t number, std::int64_t least, std::int64_t most
    );
    std::optional<base::sys_time> time_from(std::string_view name, std::string_view text);

    std::string_view noun_;   // "parameter", "member"
    bool unreadable_ = false; // what is asked of it then is no further mistake
    std::vector<std::string> known_;
    std::vector<std::string> given_;
    std::vector<std::string> mistakes_;
};

// The query's parameters.
class parameters : public inputs {
public:
    explicit parameters(net::http_request const& request);

    std::optional<std::string> text(std::string_view name, std::size_t most_bytes = 500);
    std::optional<std::int64_t> integer(
        std::string_view name, std::int64_t least, std::int64_t most
    );
    std::optional<base::sys_time> time(std::string_view name);

private:
    std::map<std::string, std::string, std::less<>> values_;
};

// The members of the body's object. An empty body is an empty object.
class members : public inputs {
public:
    explicit members(net::http_request const& request);

    // Absent and null are nothing; of another type is a mistake.
    std::optional<std::string> text(std::string_view name, std::size_t most_bytes = 500);
    // Blank text is a mistake, too.
    std::string required_text(std::string_view name, std::size_t most_bytes = 500);
    std::optional<std::int64_t> integer(
        std::string_view name, std::int64_t least, std::int64_t most
    );
    std::int64_t required_integer(std::string_view name, std::int64_t least, std::int64_t most);
    std::optional<base::sys_time> time(std::string_view name);
    // One text or an array of texts.
    std::vector<std::string> texts(std::string_view name);
    // An array of 1 to `most` ids, as numbers or as texts.
    std::optional<std::set<std::int64_t>> ids(std::string_view name, std::size_t most);
    bool flag(std::string_view name);
    // Any JSON, null included.
    std::optional<boost::json::value> json(std::string_view name);

private:
    boost::json::value const* find(std::string_view name);
    void wrong_type(std::string_view name, std::string_view expected);

    boost::json::object object_;
};

} // namespace postrider::api
