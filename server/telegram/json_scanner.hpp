#pragma once
// JSON's outline without a tree: tells whether a text is JSON by its grammar (RFC 8259), and where
// its parts lie, at any depth, in any size of number, and up to where a text was cut off.
//
// It serves what base::parse_json() refuses for its limits: an update that we cannot use must still
// be told from a body that is no JSON at all, and be named by its update_id. Iterative, so a deep
// text costs a bit per level and no stack. Bytes of strings are not checked to be UTF-8. Pure.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace postrider::telegram {

class json_scanner {
public:
    enum class token {
        begin_object,
        end_object,
        begin_array,
        end_array,
        key,    // of a member; its value follows
        string, // a value, as all below
        number,
        literal,   // true, false, null
        end,       // the text was one JSON value
        cut_off,   // the text ended inside a value
        malformed, // not JSON
    };

    explicit json_scanner(std::string_view text) : text_(text) {}

    // The next token; after one of the last three always the same again.
    token next();

    // Of the last token. Keys and strings are as they stand in the text, without the quotes.
    std::string_view text() const noexcept { return text_.substr(start_, stop_ - start_); }
    // Containers around the last token; of a container's own brackets, those around the container.
    std::size_t depth() const noexcept { return depth_; }
    // Where the last token begins and ends, quotes and brackets included.
    std::size_t begins() const noexcept { return begins_; }
    std::size_t ends() const noexcept { return at_; }

private:
    enum class expect { value, value_or_end, key, key_or_end, comma_or_end, nothing };

    token value(char first);
    token open(bool object);
    token close(bool object);
    token quoted(token kind);
    token number();
    token literal(std::string_view word);
    token stop(token reason);
    void skip_space() noexcept;
    bool eat(char c) noexcept;
    bool digits() noexcept;
    void value_done() noexcept;

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t begins_ = 0;
    std::size_t start_ = 0;
    std::size_t stop_ = 0;
    std::size_t depth_ = 0;
    expect expect_ = expect::value;
    std::optional<token> over_;
    std::vector<bool> objects_; // the open containers: true = object
};

struct update_outline {
    bool json = false;                     // an object by JSON's grammar, or the beginning of one
    std::optional<std::int64_t> update_id; // its integer member of that name
};

// Of a whole body; with `cut`, of the beginning of one.
update_outline outline_update(std::string_view body, bool cut = false);

// The elements of the array member `name` of a JSON object, each as it stands in the text; nothing
// when the text is not such an object.
std::optional<std::vector<std::string_view>> array_elements(
    std::string_view json, std::string_view name
);

} // namespace postrider::telegram
