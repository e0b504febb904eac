#include "tests/integration/storage/plans/source_statements.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string_view>

namespace postrider::tests {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> rooms{"storage", "queue", "agent", "server"};

struct token {
    enum class kind { text, word, mark };
    kind is;
    std::string value;
};

// The part of C++ that definitions of statements are written in.
class tokenizer {
public:
    explicit tokenizer(std::string_view source) : rest_(source) {}

    // Nothing at the end.
    std::vector<token> next() {
        skip();
        if (rest_.empty()) return {};
        if (rest_.starts_with("R\"")) return {{token::kind::text, raw_string()}};
        if (rest_.front() == '"') return {{token::kind::text, quoted_string()}};
        if (std::isalnum(static_cast<unsigned char>(rest_.front())) || rest_.front() == '_')
            return {{token::kind::word, word()}};
        return {{token::kind::mark, take(1)}};
    }

private:
    void skip() {
        while (!rest_.empty()) {
            if (rest_.starts_with("//"))
                take(std::min(rest_.find('\n'), rest_.size()));
            else if (std::isspace(static_cast<unsigned char>(rest_.front())) || rest_.front() == '\\')
                take(1);
            else
                return;
        }
    }

    std::string raw_string() {
        auto const open = rest_.find('(');
        auto const end = ")" + std::string(rest_.substr(2, open - 2)) + "\"";
        auto const close = rest_.find(end, open);
        if (close == rest_.npos) throw std::runtime_error("a raw string without an end");
        std::string text(rest_.substr(open + 1, close - open - 1));
        take(close + end.size());
        return text;
    }

    std::string quoted_string() {
        std::string text;
        take(1);
        while (rest_.front() != '"') {
            if (rest_.front() == '\\') take(1);
            text += take(1);
        }
        take(1);
        return text;
    }

    std::string word() {
        auto const end = std::ranges::find_if_not(rest_, [](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == ':';
        });
        return take(static_cast<std::size_t>(end - rest_.begin()));
    }

    std::string take(std::size_t count) {
        std::string taken(rest_.substr(0, count));
        rest_.remove_prefix(count);
        return taken;
    }

    std::string_view rest_;
};

std::vector<token> tokens_of(std::string_view source) {
    std::vector<token> all;
    tokenizer from{source};
    for (auto found = from.next(); !found.empty(); found = from.next())
        all.push_back(found.front());
    return all;
}

struct macro {
    std::string parameter; // "": it has none
    std::vector<token> body;
};
using macros = std::map<std::string, macro>;

void add_macros(std::string const& source, macros& to) {
    static re2::RE2 const definition(
        R"(#define (POSTRIDER_\w+)(?:\((\w+)\))?((?:[^\n]*\\\n)*[^\n]*)\n)"
    );
    re2::StringPiece rest(source);
    for (std::string name, parameter, body;
         re2::RE2::FindAndConsume(&rest, definition, &name, &parameter, &body);)
        to[name] = {parameter, tokens_of(body)};
}

// One argument of a definition: string literals and macros one after the other.
class expander {
public:
    explicit expander(macros const& known) : known_(known) {}

    std::string text_of(std::vector<token> const& tokens) const {
        std::string text;
        for (std::size_t at = 0; at < tokens.size(); ++at) {
            if (tokens[at].is == token::kind::text) text += tokens[at].value;
            if (tokens[at].is != token::kind::word) continue;
            auto const found = known_.find(tokens[at].value);
            if (found == known_.end())
                throw std::runtime_error("not a macro of a statement: " + tokens[at].value);
            text += expanded(found->second, tokens, at);
        }
        return text;
    }

private:
    std::string expanded(macro const& used, std::vector<token> const& tokens, std::size_t& at)
        const {
        if (used.parameter.empty()) return text_of(used.body);
        std::vector<token> argument;
        int depth = 0;
        do {
            auto const& each = tokens.at(++at);
            if (each.value == "(" && each.is == token::kind::mark && depth++ == 0) continue;
            if (each.value == ")" && each.is == token::kind::mark && --depth == 0) break;
            argument.push_back(each);
        } while (depth > 0);
        auto with_argument = known_;
        with_argument[used.parameter] = {"", std::move(argument)};
        return expander(with_argument).text_of(used.body);
    }

    macros const& known_;
};

// {name, text, order}: the first two, from behind the brace.
source_statement read_definition(std::string_view source, macros const& known) {
    std::vector<std::vector<token>> arguments(1);
    tokenizer from{source};
    for (int depth = 1; depth > 0;) {
        auto found = from.next();
        if (found.empty()) throw std::runtime_error("a statement without an end");
        auto& each = found.front();
        bool const mark = each.is == token::kind::mark;
        if (mark && (each.value == "{" || each.value == "(")) ++depth;
        if (mark && (each.value == "}" || each.value == ")")) --depth;
        if (mark && each.value == "," && depth == 1)
            arguments.emplace_back();
        else if (depth > 0)
            arguments.back().push_back(std::move(each));
    }
    expander const texts{known};
    return {"", texts.text_of(arguments.at(0)), texts.text_of(arguments.at(1))};
}

std::string content(fs::path const& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<fs::path> sources_under(fs::path const& root) {
    std::vector<fs::path> all;
    for (auto room : rooms)
        for (auto const& each : fs::recursive_directory_iterator(root / room))
            if (each.path().extension() == ".cpp" || each.path().extension() == ".hpp")
                all.push_back(each.path());
    return all;
}

std::string part_of_function(fs::path const& file, std::string const& name) {
    std::string part;
    if (!re2::RE2::PartialMatch(content(file), "(?s)-- part: " + name + "\n(.*?)-- end\n", &part))
        throw std::runtime_error("no part " + name + " of " + file.string());
    return part;
}

// Without its opening comment, and with its parts (cmake/embed_statements.cmake).
std::string statement_text(fs::path const& file) {
    static re2::RE2 const opening(R"(^(?:--[^\n]*\n)+)");
    static re2::RE2 const placeholder(R"((\{\{(?:(\w+)\.)?(\w+)\}\}))");
    auto text = content(file);
    re2::RE2::Replace(&text, opening, "");
    auto const folder = file.parent_path();
    for (std::string mark, of, name;
         re2::RE2::PartialMatch(text, placeholder, &mark, &of, &name);) {
        auto const part =
            of.empty() ? statement_text(folder / "parts" / (name + ".sql"))
                       : part_of_function(folder.parent_path() / "functions" / (of + ".sql"), name);
        text.replace(text.find(mark), mark.size(), part);
    }
    return text;
}

void add_statement_files(fs::path const& root, std::vector<source_statement>& to) {
    for (auto const& each : fs::directory_iterator(root / "sql" / "statements")) {
        auto const& file = each.path();
        if (file.extension() == ".sql")
            to.push_back(
                {fs::relative(file, root).string(), file.stem().string(), statement_text(file)}
            );
    }
}

} // namespace

std::vector<source_statement> statements_in_source(fs::path const& root) {
    static re2::RE2 const definition(R"(constexpr (?:storage::)?statement \w+\s*\{)");
    auto const files = sources_under(root);
    macros shared;
    for (auto const& file : files)
        if (file.extension() == ".hpp") add_macros(content(file), shared);
    std::vector<source_statement> all;
    for (auto const& file : files) {
        auto const source = content(file);
        auto known = shared;
        add_macros(source, known);
        for (re2::StringPiece rest(source); re2::RE2::FindAndConsume(&rest, definition);) {
            auto found = read_definition({rest.data(), rest.size()}, known);
            found.file = fs::relative(file, root).string();
            all.push_back(std::move(found));
        }
    }
    add_statement_files(root, all);
    std::ranges::sort(all, {}, &source_statement::name);
    return all;
}

} // namespace postrider::tests
