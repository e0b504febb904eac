// The public JSON-Schema-Test-Suite, where it lies beside the source tree, and the older one of
// Debian's package json-schema-test-suite, where that is installed.
#include "agent/json_schema/json_schema.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

namespace postrider::agent::json_schema::suite_test {

namespace json = boost::json;
namespace {

namespace fs = std::filesystem;

// What we judge otherwise than the suite, and why. An entry stands for all of a file or a group
// where the rest is left empty; one without a case that is judged otherwise has to go.
struct exclusion {
    std::string_view file;
    std::string_view group;
    std::string_view reason;
};

constexpr auto outside = "refers to another document: nothing is ever loaded";
constexpr auto dynamic = "$dynamicRef is read as $ref";
constexpr auto names_of_idna = "host names are checked as ASCII, without the rules of IDNA";
constexpr auto unknown_format = "a format that is not checked";
constexpr auto content = "contentEncoding and contentMediaType are hints since draft 2019-09";

constexpr exclusion exclusions[] = {
    {"ref.json", "remote ref, containing refs itself", outside},
    {"defs.json", "validate definition against metaschema", outside},
    {"definitions.json", "", outside},
    {"refRemote.json", "", outside},
    {"unevaluatedItems.json", "unevaluatedItems with $dynamicRef", dynamic},
    {"unevaluatedProperties.json", "unevaluatedProperties with $dynamicRef", dynamic},
    {"optional/format/hostname.json", "validation of A-label (punycode) host names", names_of_idna},
    {"optional/format/idn-hostname.json", "", unknown_format},
    {"optional/format/idn-email.json", "", unknown_format},
    {"optional/format/iri.json", "", unknown_format},
    {"optional/format/iri-reference.json", "", unknown_format},
    {"optional/format/relative-json-pointer.json", "", unknown_format},
    {"optional/format/uri-template.json", "", unknown_format},
    {"optional/format.json", "format: uri-template", unknown_format},
    {"optional/content.json", "", content},
};

struct collection {
    std::string_view folder;
    json_schema::draft draft;
    std::size_t passing;
    std::size_t excluded; // judged otherwise, for the reasons above
};

void PrintTo(collection const& shown, std::ostream* out) {
    *out << shown.folder;
}

constexpr collection collections[] = {
    {"../shared/data/json-schema/draft2020-12", draft::v2020_12, 1695, 29},
    {"../shared/data/json-schema/draft7", draft::v7, 1355, 27},
    {"/usr/share/json-schema-test-suite/tests/draft7", draft::v7, 531, 35},
    {"/usr/share/json-schema-test-suite/tests/draft6", draft::v7, 483, 20},
};

std::string text_of(json::value const& test, char const* member) {
    return std::string(test.at(member).as_string());
}

class suite : public testing::TestWithParam<collection> {
protected:
    void run_file(fs::path const& path) {
        std::ifstream in(path, std::ios::binary);
        auto const groups = base::parse_json(std::string{std::istreambuf_iterator<char>(in), {}});
        ASSERT_TRUE(groups) << path;
        auto const file = path.lexically_relative(GetParam().folder).string();
        compile_options options;
        options.draft = GetParam().draft;
        options.assert_formats = file.starts_with("optional/");
        for (auto const& group : groups->as_array()) run_group(file, group, options);
    }

    void run_group(
        std::string const& file, json::value const& group, compile_options const& options
    ) {
        auto const name = text_of(group, "description");
        auto const* excluded = std::ranges::find_if(exclusions, [&](exclusion const& each) {
            return file == each.file && (each.group.empty() || name == each.group);
        });
        bool const may_fail = excluded != std::end(exclusions);
        if (may_fail) met_.insert(excluded);
        auto const compiled = compile(group.at("schema"), options);
        for (auto const& test : group.at("tests").as_array()) {
            ++(passes(compiled, test) ? passed_ : failed_);
            if (passes(compiled, test)) continue;
            EXPECT_TRUE(may_fail) << file << " | " << name << " | " << text_of(test, "description")
                                  << (compiled ? "" : "\n" + to_text(compiled.error()));
            if (may_fail) needed_.insert(excluded);
        }
    }

    static bool passes(
        boost::system::result<schema, problems> const& compiled, json::value const& test
    ) {
        return compiled && compiled->check(test.at("data")).empty() == test.at("valid").as_bool();
    }

    std::size_t passed_ = 0;
    std::size_t failed_ = 0;
    std::set<exclusion const*> met_;
    std::set<exclusion const*> needed_;
};

// covers: S3.11 S3.15
TEST_P(suite, is_judged_as_it_wants) {
    auto const& [folder, draft, passing, excluded] = GetParam();
    if (!fs::exists(folder)) GTEST_SKIP() << "there is no folder " << folder;
    for (auto const& entry : fs::recursive_directory_iterator(folder))
        if (entry.path().extension() == ".json") run_file(entry.path());

    EXPECT_EQ(passed_, passing);
    EXPECT_EQ(failed_, excluded);
    for (auto const* each : met_)
        EXPECT_TRUE(needed_.contains(each))
            << "excluded without need: " << each->file << " | " << each->group;
}

INSTANTIATE_TEST_SUITE_P(json_schema, suite, testing::ValuesIn(collections));

} // namespace
} // namespace postrider::agent::json_schema::suite_test
