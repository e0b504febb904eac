#include "tests/unit/house/house_rules.hpp"

#include "tests/unit/house/awaits.hpp"
#include "tests/unit/house/room_folders.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace postrider::tests {

namespace {

namespace fs = std::filesystem;

// In the one direction that includes may point.
constexpr std::array<std::string_view, 6> rooms{
    "base", "net", "storage", "queue", "agent", "server"};

constexpr std::size_t longest_file = 400;

std::size_t rank(std::string_view room) {
    return static_cast<std::size_t>(std::ranges::find(rooms, room) - rooms.begin());
}

bool in_a_room(std::string_view file) {
    return rank(first_folder(file)) < rooms.size();
}

// A text that may stand only in some places; a place is the beginning of a path.
struct placement {
    re2::RE2 text;
    std::vector<std::string_view> places;
    std::string rule;
};

std::array<placement, 10> const& placements() {
    static std::array<placement, 10> const all{{
        {R"(^\s*#\s*include\s*<(boost/beast|openssl)/)",
         {"net/"},
         "Beast and OpenSSL belong in net/"},
        {R"(^\s*#\s*include\s*<(pqxx/|libpq-fe\.h))",
         {"storage/pg/"},
         "Postgres clients belong in storage/pg/"},
        {R"(^\s*#\s*include\s*<CLI/)",
         {"server/cli/parser/option_parser.", "server/cli/parser/command_line."},
         "CLI11 stays behind server/cli/parser/option_parser"},
        {R"(^\s*#\s*include\s*"storage/stores/tasks\.hpp")",
         {"agent/todo/task_", "storage/stores/task"},
         "tasks are reached by the tools of the todo server"},
        {R"(^\s*#\s*include\s*"agent/todo/)",
         {"agent/todo/", "agent/flow/nodes/tool_todo.cpp", "server/", "tests/", "bench/"},
         "tasks are a guest of agents: tool_todo.cpp brings their tools"},
        {R"(_clock::now\s*\(|\b(clock_gettime|gettimeofday)\b|\btime\s*\(\s*(NULL|nullptr|0)\s*\))",
         {"base/clock."},
         "only base/clock reads the time"},
        {R"(\b((secure_)?getenv\s*\(|environ\b))",
         {"server/main.cpp"},
         "only server/main.cpp reads the environment"},
        // Those two read what somebody else's server said.
        {R"(\bdetail\)?\.(find|rfind|starts_with|ends_with|contains)\(|\bdetail (==|!=) )",
         {"agent/models/http_model.", "server/telegram/bot_api."},
         "an error's words are for people: its code, its reason and its time are for code"},
        // With a string, and where some header brings <iomanip>.
        {R"(\bstring quoted\()", {}, "std::quoted would be called in its place"},
        // Where it declares something it is not.
        {R"(\bwhile \((([^()]|\([^()]*\))*(&&|\|\|) *)?!?co_await\b)",
         {},
         "g++ 12 miscompiles co_await in a while condition"},
    }};
    return all;
}

// Without what follows //, unless a colon says that it is a URL.
std::string without_comment(std::string const& line) {
    for (auto at = line.find("//"); at != line.npos; at = line.find("//", at + 2))
        if (at == 0 || line[at - 1] != ':') return line.substr(0, at);
    return line;
}

// A file's lines with their comments and literals taken out; a raw string may go over several.
class code_reader {
public:
    std::string code_of(std::string_view line) {
        std::string code;
        for (std::size_t at = 0; at < line.size();) {
            if (!raw_end_.empty()) {
                at = skip_raw(line, at);
            } else if (line.substr(at).starts_with("//")) {
                break;
            } else if (line[at] == '"' && at > 0 && line[at - 1] == 'R') {
                auto const open = line.find('(', at);
                raw_end_ = ')' + std::string(line.substr(at + 1, open - at - 1)) + '"';
                at = open;
            } else if (line[at] == '"' || (line[at] == '\'' && !is_separator(line, at))) {
                at = skip_literal(line, at);
            } else {
                code += line[at++];
            }
        }
        return code;
    }

private:
    // Of the digits of a number.
    static bool is_separator(std::string_view line, std::size_t at) {
        return at > 0 && std::isalnum(static_cast<unsigned char>(line[at - 1]));
    }
    static std::size_t skip_literal(std::string_view line, std::size_t at) {
        auto const quote = line[at++];
        while (at < line.size() && line[at] != quote) at += line[at] == '\\' ? 2 : 1;
        return at + 1;
    }
    std::size_t skip_raw(std::string_view line, std::size_t at) {
        auto const end = line.find(raw_end_, at);
        if (end == line.npos) return line.size();
        return end + std::exchange(raw_end_, {}).size();
    }

    std::string raw_end_; // while in a raw string
};

// The same of SQL, where a literal may go over several lines. A body between dollars is code; the
// schema's name is taken out too, so that what is made in it stands alone.
class sql_reader {
public:
    std::string code_of(std::string_view line) {
        static re2::RE2 const schema(R"(\bpostrider\.)");
        std::string code;
        for (std::size_t at = 0; at < line.size(); ++at) {
            if (line[at] == '\'')
                in_literal_ = !in_literal_; // a doubled one ends it and begins it anew
            else if (!in_literal_ && line.substr(at).starts_with("--"))
                break;
            else if (!in_literal_)
                code += line[at];
        }
        re2::RE2::GlobalReplace(&code, schema, "");
        return code;
    }

private:
    bool in_literal_ = false;
};

constexpr std::array<std::string_view, 6> empty_names{"how", "what", "one", "made", "got", "thing"};

// Those that tests, measurements and examples may use.
constexpr std::array<std::string_view, 8> empty_in_rooms{
    "why", "which", "who", "mine", "wanted", "given", "these", "begun"};

bool continues_a_name(char c) {
    return c == '_' || std::isalnum(static_cast<unsigned char>(c));
}

// Pronouns and question words say nothing of what they name. A member is named by its own type's
// place.
bool has_name_of(std::span<std::string_view const> names, std::string const& code) {
    return std::ranges::any_of(names, [&](auto name) {
        for (auto at = code.find(name); at != code.npos; at = code.find(name, at + 1)) {
            auto const before = at > 0 ? code[at - 1] : ' ';
            auto const end = at + name.size();
            auto const after = end < code.size() ? code[end] : ' ';
            bool const whole = !continues_a_name(before) && !continues_a_name(after);
            if (whole && before != '.' && before != '>' && before != ':') return true;
        }
        return false;
    });
}

bool has_empty_name(std::string_view file, std::string const& code) {
    auto const folder = first_folder(file);
    bool const product = in_a_room(file) || folder == "sql";
    if (!product && folder != "tests" && folder != "bench" && folder != "docs") return false;
    return has_name_of(empty_names, code) || (product && has_name_of(empty_in_rooms, code));
}

// The room that a project include names, if it does.
std::optional<std::string> included_room(std::string const& code) {
    static re2::RE2 const include(R"re(^\s*#\s*include\s*"([a-z_]+)/)re");
    std::string room;
    if (!re2::RE2::PartialMatch(code, include, &room) || !in_a_room(room)) return {};
    return room;
}

void check_code(
    std::string const& file,
    std::size_t number,
    std::string const& line,
    std::vector<violation>& found
) {
    static re2::RE2 const umbrella(R"(^\s*#\s*include\s*<boost/(asio|beast)\.hpp>)");
    auto const code = without_comment(line);
    if (re2::RE2::PartialMatch(code, umbrella))
        found.push_back({file, number, "includes all of Asio or Beast"});
    if (!in_a_room(file)) return;
    if (auto room = included_room(code); room && rank(*room) > rank(first_folder(file)))
        found.push_back({file, number, "includes a higher room"});
    if (crosses_folders(file, code))
        found.push_back(
            {file,
             number,
             "includes a folder of " + std::string(first_folder(file)) +
                 "/ that is not below its own"}
        );
    for (auto const& [text, places, rule] : placements()) {
        auto allowed =
            std::ranges::any_of(places, [&](auto place) { return file.starts_with(place); });
        if (!allowed && re2::RE2::PartialMatch(code, text)) found.push_back({file, number, rule});
    }
}

// What people and models read stands as they read it: in a raw string, not in pieces.
void check_texts(std::string const& file, std::string const& code, std::vector<violation>& found) {
    static re2::RE2 const pieces(R"re(\.(documentation|description)\s*=\s*"(?:[^"\\]|\\.)*"\s*")re"
    );
    re2::StringPiece match;
    for (std::size_t at = 0;
         pieces.Match(code, at, code.size(), re2::RE2::UNANCHORED, &match, 1);) {
        auto const breaks = std::count(code.data(), match.data(), '\n');
        found.push_back({file, static_cast<std::size_t>(breaks) + 1, "joins the pieces of a text"});
        at = static_cast<std::size_t>(match.data() - code.data()) + match.size();
    }
}

// A dozen tests are compiled as one file: what each needs for itself must not meet the others'.
void check_test_namespace(
    std::string const& file, std::string const& text, std::vector<violation>& found
) {
    if (!file.starts_with("tests/") || !file.ends_with("_test.cpp")) return;
    auto const own = "\\bnamespace ([\\w:]+::)?" + fs::path(file).stem().string() + " \\{";
    if (!re2::RE2::PartialMatch(text, own))
        found.push_back({file, 1, "has no namespace of its own name"});
}

void check_file(fs::path const& path, std::string const& file, std::vector<violation>& found) {
    // In pieces, or this line would be one of its own finds.
    static re2::RE2 const promise("\\b(TO"
                                  "DO|FIX"
                                  "ME|XX"
                                  "X|HA"
                                  "CK)\\b");
    bool const code = file.ends_with(".cpp") || file.ends_with(".hpp");
    bool const schema = file.starts_with("sql/") && file.ends_with(".sql");
    code_reader reader;
    sql_reader reader_of_sql;
    std::string text;
    std::string bare_code;
    std::ifstream in(path);
    std::size_t number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        text.append(line).append("\n");
        if (re2::RE2::PartialMatch(line, promise))
            found.push_back({file, number, "promises later work"});
        if (code) check_code(file, number, line, found);
        auto const bare = code ? reader.code_of(line) : std::string();
        if (code) bare_code.append(bare).append("\n");
        if ((code && has_empty_name(file, bare)) ||
            (schema && has_empty_name(file, reader_of_sql.code_of(line))))
            found.push_back({file, number, "has a name that says nothing"});
    }
    if (code) check_awaits(file, bare_code, found);
    if (code && in_a_room(file)) check_texts(file, text, found);
    if (code && stands_beside_folders(file))
        found.push_back(
            {file, 1, "stands beside the folders of " + std::string(first_folder(file)) + "/"}
        );
    if (code && stands_in_unknown_folder(file))
        found.push_back(
            {file,
             1,
             "stands in a folder that " + std::string(first_folder(file)) + "/ has no rule for"}
        );
    check_test_namespace(file, text, found);
    if ((code || file.ends_with(".sql")) && number > longest_file)
        found.push_back({file, number, "has more than 400 lines"});
}

bool is_source(fs::path const& path) {
    static constexpr std::array<std::string_view, 14> endings{
        ".cpp",
        ".hpp",
        ".sql",
        ".cmake",
        ".md",
        ".txt",
        ".sh",
        ".ts",
        ".tsx",
        ".js",
        ".css",
        ".html",
        ".toml",
        "",
    };
    return std::ranges::find(endings, path.extension().string()) != endings.end();
}

// What no person wrote, or what is not part of the source.
bool is_foreign(fs::path const& folder) {
    auto const name = folder.filename().string();
    return name == "build" || name == "var" || name == "node_modules" || name.starts_with('.');
}

} // namespace

std::string to_string(violation const& v) {
    return v.file + ":" + std::to_string(v.line) + ": " + v.rule;
}

std::vector<violation> check_house(fs::path const& root) {
    std::vector<violation> found;
    for (fs::recursive_directory_iterator it(root), end; it != end; ++it) {
        if (it->is_directory()) {
            if (is_foreign(it->path())) it.disable_recursion_pending();
            continue;
        }
        if (!it->is_regular_file() || !is_source(it->path())) continue;
        check_file(it->path(), it->path().lexically_relative(root).generic_string(), found);
    }
    std::ranges::sort(found, [](violation const& a, violation const& b) {
        return std::tie(a.file, a.line) < std::tie(b.file, b.line);
    });
    return found;
}

} // namespace postrider::tests
