#pragma once
// The readable text of an HTML page: its title, headings, paragraphs, lists, tables and links in the
// manner of Markdown; no scripts, no styles, and nothing that is marked as hidden. Pure.
//
// The page is read in pieces and no tree is made of it, so whatever it is, memory is that of its
// text and a piece ends soon.
#include <memory>
#include <string>
#include <string_view>

namespace postrider::agent {

class html_text {
public:
    html_text();
    ~html_text();
    html_text(html_text const&) = delete;
    html_text& operator=(html_text const&) = delete;

    // The next bytes of the page, in UTF-8.
    void read(std::string_view piece);
    // To be called once, at the page's end.
    std::string finish();

private:
    struct state;
    std::unique_ptr<state> state_;
};

} // namespace postrider::agent
