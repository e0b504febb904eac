#pragma once
// The examples of docs/flows.md, so that tests run them.
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

namespace postrider::tests {

// The first JSON document of a chapter, by its title.
inline std::string chapter_example(std::string const& title) {
    std::ifstream file("docs/flows.md");
    std::stringstream page;
    page << file.rdbuf();
    auto const text = page.str();
    auto const chapter = text.find("\n## " + title + "\n");
    auto const begin = text.find("```json\n", chapter);
    if (chapter == text.npos || begin == text.npos)
        throw std::runtime_error("docs/flows.md has no example of " + title);
    auto const first = begin + std::string("```json\n").size();
    return text.substr(first, text.find("```", first) - first);
}

} // namespace postrider::tests
