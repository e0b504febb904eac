// Google's conformance tests of CEL hold for expressions too: those that need no bindings,
// messages, bytes or types, but for the differences that cel_differences.hpp lists.
#include "agent/expression/expression.hpp"
#include "agent/expression/values.hpp"
#include "tests/support/paths.hpp"
#include "tests/unit/agent/expression/cel_differences.hpp"
#include "tests/unit/agent/expression/text_proto.hpp"
#include "tests/unit/agent/expression_scope.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <regex>
#include <set>

namespace postrider::agent::cel_conformance_test {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

struct cel_case {
    std::string name; // file/section/test
    std::string source;
    std::optional<text_proto> value; // none: an error
};

bool has_field(text_proto const& message, std::set<std::string_view> const& names) {
    return std::ranges::any_of(message.fields, [&](text_proto const& field) {
        return names.contains(field.name) || has_field(field, names);
    });
}

// Of those tests we have neither the data nor the types.
bool is_beyond_json(text_proto const& test) {
    static std::regex const other_types(
        R"((^|\W)[rR]?[bB][rR]?["']|\bbytes\(|\btype\b|\bgoogle\b|TestAllTypes|\bproto\.)"
    );
    return has_field(
               test,
               {"bindings",
                "type_env",
                "container",
                "bytes_value",
                "object_value",
                "type_value",
                "enum_value"}
           ) ||
           std::regex_search(std::string(test.text_of("expr")), other_types);
}

std::vector<cel_case> cases_of(fs::path const& path) {
    std::ifstream in(path, std::ios::binary);
    auto const file = read_text_proto(std::string{std::istreambuf_iterator<char>(in), {}});
    std::vector<cel_case> all;
    for (auto const* section : file.all("section"))
        for (auto const* test : section->all("test")) {
            if (is_beyond_json(*test)) continue;
            cel_case read;
            read.name = path.stem().string() + "/" + std::string(section->text_of("name")) + "/" +
                        std::string(test->text_of("name"));
            read.source = test->text_of("expr");
            // A test that says nothing of its value means true.
            static text_proto const holds{"value", {}, {{"bool_value", "true", {}}}};
            auto const* value = test->find("value");
            if (!test->find("eval_error")) read.value = value ? *value : holds;
            all.push_back(std::move(read));
        }
    return all;
}

// None: JSON has no such value.
std::optional<json::value> json_of(text_proto const& value) {
    if (value.fields.empty()) return std::nullopt;
    auto const& content = value.fields.front();
    if (content.name == "null_value") return nullptr;
    if (content.name == "bool_value") return content.text == "true";
    if (content.name == "string_value") return json::string_view(content.text);
    if (content.name == "int64_value") return std::stoll(content.text);
    if (content.name == "uint64_value") return std::stoull(content.text);
    if (content.name == "double_value") {
        auto const number = std::strtod(content.text.c_str(), nullptr);
        return std::isfinite(number) ? std::optional<json::value>(number) : std::nullopt;
    }
    if (content.name == "list_value") {
        json::array items;
        for (auto const* item : content.all("values")) {
            auto read = json_of(*item);
            if (!read) return std::nullopt;
            items.push_back(std::move(*read));
        }
        return items;
    }
    json::object members;
    for (auto const* entry : content.all("entries")) {
        auto const key = json_of(*entry->find("key"));
        auto member = json_of(*entry->find("value"));
        if (!key || !member) return std::nullopt;
        members[text_of(*key)] = std::move(*member); // keys of JSON are strings
    }
    return members;
}

// What the expression gives, as far as it is not what CEL gives.
std::optional<std::string> deviation(cel_case const& test) {
    static json_scope const nothing{"{}"};
    auto const parsed = expression::parse(test.source);
    auto const value =
        parsed ? parsed->evaluate(nothing) : expression_result<json::value>(parsed.error());
    if (!test.value)
        return value ? std::optional(json::serialize(*value) + ", not an error") : std::nullopt;
    if (!value) return value.error().reason;
    auto const expected = json_of(*test.value);
    expressions::budget budget{expression_limits{}};
    auto const same = expressions::equal(*value, expected.value_or(nullptr), budget);
    if (expected && same && *same) return std::nullopt;
    return json::serialize(*value) + (expected ? ", not " + json::serialize(*expected) : "");
}

std::map<std::string, std::string_view> reasons_of_differences() {
    std::map<std::string, std::string_view> reasons;
    for (auto const& difference : cel_differences) {
        std::istringstream names{std::string(difference.tests)};
        for (std::string name; std::getline(names, name);) {
            if (name.empty()) continue;
            EXPECT_TRUE(reasons.emplace(name, difference.reason).second) << name << " stands twice";
        }
    }
    return reasons;
}

struct conformance_count {
    std::size_t passed = 0;
    std::size_t total = 0;
};
// Of the tests that need neither bindings nor what JSON has not. docs/expressions.md has the figures.
constexpr conformance_count measured{1322, 1404};

// covers: S3.18
TEST(cel_conformance, holds_but_for_the_listed_differences) {
    fs::path const folder = "../shared/data/cel-spec";
    if (!fs::exists(folder)) GTEST_SKIP() << folder << " is not there";

    auto differences = reasons_of_differences();
    std::map<std::string, conformance_count> counts; // by file
    conformance_count all;
    std::map<std::string, std::string> deviations;
    std::set<std::string> names;
    for (auto const& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() != ".textproto") continue;
        for (auto const& test : cases_of(entry.path())) {
            names.insert(test.name);
            auto deviates = deviation(test);
            for (auto* count : {&all, &counts[entry.path().stem().string()]}) {
                ++count->total;
                count->passed += deviates ? 0 : 1;
            }
            if (deviates) deviations[test.name] += test.source + " gives: " + *deviates + "\n";
        }
    }

    for (auto const& [name, text] : deviations)
        EXPECT_TRUE(differences.contains(name)) << name << ": " << text;
    for (auto const& [name, reason] : differences) {
        EXPECT_TRUE(names.contains(name)) << "there is no such test: " << name;
        EXPECT_TRUE(deviations.contains(name)) << "no difference any more: " << name;
    }
    for (auto const& [file, count] : counts)
        std::cout << file << ": " << count.passed << " of " << count.total << "\n";
    std::cout << "all: " << all.passed << " of " << all.total << "\n";
    EXPECT_GE(all.total, measured.total);
    EXPECT_GE(all.passed, measured.passed);
    EXPECT_EQ(all.total - all.passed, differences.size()) << "each one is a test";
    RecordProperty("passed", static_cast<int>(all.passed));
    RecordProperty("total", static_cast<int>(all.total));
}

// A reader of the documents finds why.
TEST(cel_conformance, documents_every_reason_for_a_difference) {
    std::ifstream file(tests::source("docs/expressions.md"));
    std::string const text{std::istreambuf_iterator<char>(file), {}};
    for (auto const& difference : cel_differences)
        EXPECT_THAT(text, testing::HasSubstr("- " + std::string(difference.reason)));
    auto const figure = [](std::size_t count) {
        return fmt::format("{},{:03}", count / 1000, count % 1000);
    };
    auto const counted =
        fmt::format("{} of {} tests pass", figure(measured.passed), figure(measured.total));
    EXPECT_THAT(text, testing::HasSubstr(counted));
}

// What is listed is all that fails.
TEST(cel_conformance, lists_as_many_differences_as_tests_fail) {
    EXPECT_EQ(reasons_of_differences().size(), measured.total - measured.passed);
}

} // namespace
} // namespace postrider::agent::cel_conformance_test
