// What people write who know JavaScript, n8n or Python: the error says how it is written here.
#include "tests/unit/agent/expression/shown.hpp"

#include <gmock/gmock.h>

namespace postrider::agent::hints_test {
namespace {

using testing::HasSubstr;

TEST(expression_hints, translate) {
    for (auto [source, hint] : {
             shown_example{"$json.none ?? 'x'", "a.orValue(b)"},
             shown_example{"$json?.name", "a.?b"},
             shown_example{"$json.name.length", "size() counts"},
             shown_example{"$json.tags.length", "size() counts"},
             shown_example{"$json.tags.length()", "size() counts"},
             shown_example{"$json.tags.includes('a')", "contains()"},
             shown_example{"true and false", "here it is `&&`"},
             shown_example{"true or false", "here it is `||`"},
             shown_example{"not true", "here it is `!`"},
             shown_example{"1 === 1", "equality is `==`"},
             shown_example{"1 !== 1", "its opposite is `!=`"},
             shown_example{"$json.items.map(i => i.n)", "items.map(i, i.price)"},
             shown_example{"$json.name.toUpperCase()", "upper()"},
             shown_example{"(1.5).toFixed(2)", "%.2f"},
             shown_example{"Math.round(1.5)", "round(1.5)"},
             shown_example{"JSON.stringify($json)", "toJson()"},
             shown_example{"new Date()", "timestamp()"},
             shown_example{"$json.name == undefined", "has()"},
             shown_example{"`a ${$json.name}`", "put strings in quotes"},
             shown_example{"$('Fetch').item.json", "$node[\"Name\"]"},
             shown_example{"$item.json.name", "`$json`"},
             shown_example{"$json.json.name", "`$json`"},
             shown_example{"$now.toFormat('yyyy')", "format(instant"},
             shown_example{"$json.tags.push('c')", "`+` appends"},
             shown_example{"$json.missing || 'nobody'", "a.orValue(b)"},
             shown_example{"$now.minus({days: 7})", "{\"days\": …}"},
             shown_example{"{...$json, 'a': 1}", "merge()"},
             shown_example{"$json.name[0]", "charAt()"},
             shown_example{"$input.all()", "`$input` has all items"},
             shown_example{"$json.items.sort(a => a.n)", "items.map(i, i.price)"},
             shown_example{"$if(true, 1, 2)", "`condition ? a : b`"},
             shown_example{"type($json.name) == string", "such as \"string\""},
             shown_example{"Number('1')", "double()"},
             shown_example{"None", "here it is `null`"},
             shown_example{"size()", "such as `\"größe\".size()`"},
         })
        EXPECT_THAT(shown(source), testing::AllOf(HasSubstr("error: "), HasSubstr(hint))) << source;
}

TEST(expression_hints, leave_data_of_that_name_alone) {
    json_scope const data{R"({"$json": {"length": 3, "json": 1, "and": true}})"};
    EXPECT_EQ(shown("$json.length + $json.json", data), "4");
    EXPECT_EQ(shown("$json.and ? .5 : 1", data), "5E-1");
    EXPECT_EQ(shown("$json.and ?.5 : 1", data), "5E-1");
}

} // namespace
} // namespace postrider::agent::hints_test
