// Sixty expressions as people write them who come from n8n (and so from JavaScript) or from CEL: what
// works as it is written, and what an error says of how it is written here.
#include "tests/unit/agent/expression/shown.hpp"

#include <gmock/gmock.h>

namespace postrider::agent::tries_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

json_scope const& order() {
    static json_scope const scope{R"({
        "$json": {
            "name": "Ada Lovelace", "email": "ada@example.org", "html": "<b>hi</b>", "body": "[]",
            "price": 12, "count": "7", "vip": true, "nickname": null,
            "tags": ["new", "paid", "new"], "created": "2026-11-01T08:00:00Z",
            "address": {"city": "Berlin"},
            "items": [{"title": "Tea", "price": 3, "ok": true}, {"title": "Cake", "price": 12, "ok": false}]
        },
        "$input": [{"name": "Ada"}, {"name": "Eve"}],
        "$now": "2026-11-21T15:30:00Z",
        "$node": {"Fetch": {"json": {"total": 19}, "items": [{"total": 19}]}}
    })"};
    return scope;
}

// covers: S3.18
TEST(expression_tries, work_where_n8n_and_cel_are_followed) {
    for (auto [source, result] : {
             shown_example{R"($json.name.split(" ")[0])", R"("Ada")"},
             shown_example{R"($json.tags.join(", "))", R"("new, paid, new")"},
             shown_example{R"($json.tags.first())", R"("new")"},
             shown_example{R"($json.tags.chunk(2))", R"([["new","paid"],["new"]])"},
             shown_example{R"($json.items.map(i, i.price).sum() == 15)", R"(true)"},
             shown_example{R"($json.address.keys())", R"(["city"])"},
             shown_example{
                 R"($json.address.merge({"zip": "1"}))", R"({"city":"Berlin","zip":"1"})"},
             shown_example{R"($json.name.hash("sha256").size() == 64)", R"(true)"},
             shown_example{R"($json.nickname.isEmpty() ? "friend" : "you")", R"("friend")"},
             shown_example{R"($node["Fetch"].json.total)", R"(19)"},
             shown_example{R"($input.first().name)", R"("Ada")"},
             shown_example{R"($now.minus(7, "days"))", R"("2026-11-14T15:30:00Z")"},
             shown_example{R"("Hello " + $json.name + "!")", R"("Hello Ada Lovelace!")"},
             shown_example{R"(has($json.address.zip))", R"(false)"},
             shown_example{R"($json.items.exists(i, i.price > 10))", R"(true)"},
             shown_example{R"($json.items.all(i, i.price > 10))", R"(false)"},
             shown_example{R"($json.items.map(i, i.ok, i.title))", R"(["Tea"])"},
             shown_example{R"(size($json.tags) == 3u)", R"(true)"},
             shown_example{R"("paid" in $json.tags)", R"(true)"},
             shown_example{R"($json.email.matches("^[^@]+@example\\.org$"))", R"(true)"},
             shown_example{
                 R"(timestamp($now) - timestamp($json.created) > duration("24h"))", R"(true)"},
             shown_example{R"(timestamp($json.created).getFullYear() == 2026)", R"(true)"},
             shown_example{R"("%s: %d".format([$json.name, 7]))", R"("Ada Lovelace: 7")"},
             shown_example{R"($json.?address.?zip.orValue("none"))", R"("none")"},
             shown_example{R"(math.greatest(1, 3) == 3)", R"(true)"},
             shown_example{R"(cel.bind(n, $json.address.city, n + "/" + n))", R"("Berlin/Berlin")"},
             shown_example{R"({"a": 1}.transformMap(k, v, v + 1 == 2))", R"({"a":true})"},
         })
        EXPECT_EQ(shown(source, order()), result) << source;
}

TEST(expression_tries, are_told_how_they_are_written_here) {
    for (auto [source, hint] : {
             shown_example{R"($json.name.length)", R"(size() counts)"},
             shown_example{R"($json.name.toUpperCase())", R"(use upper())"},
             shown_example{R"($json.name.toTitleCase())", R"(capitalize())"},
             shown_example{R"($json.name.toSnakeCase())", R"(lower() and replace())"},
             shown_example{R"($json.name.base64Encode())", R"(base64.encode())"},
             shown_example{R"($json.email.isEmail())", R"(use matches())"},
             shown_example{R"($json.email.extractDomain())", R"(regex.extract(text, pattern))"},
             shown_example{R"($json.html.removeTags())", R"(regex.replace(text)"},
             shown_example{R"($json.body.parseJson())", R"(fromJson() reads JSON)"},
             shown_example{R"($json.vip.toBoolean())", R"(bool() reads it)"},
             shown_example{R"(parseInt($json.count))", R"(int() reads a whole number)"},
             shown_example{R"($json.price.toFixed(2))", R"(round(price, 2))"},
             shown_example{R"($json.price.isEven())", R"(n % 2 == 0)"},
             shown_example{R"($json.tags.includes("paid"))", R"(use contains())"},
             shown_example{R"($json.tags.removeDuplicates())", R"(distinct())"},
             shown_example{R"($json.tags.union(["vip"]))", R"((a + b).distinct())"},
             shown_example{R"($json.tags.compact())", R"(items.filter(i, i != null))"},
             shown_example{R"($json.tags.append("vip"))", R"(`+` appends)"},
             shown_example{R"($json.items.pluck("title"))", R"(items.map(i, i.name))"},
             shown_example{R"($json.items.map(i => i.title))", R"(a macro names its variable)"},
             shown_example{R"($json.items.findIndex(i => i.ok))", R"(a macro with two names)"},
             shown_example{R"($json.removeField("email"))", R"(use omit())"},
             shown_example{R"({...$json.address, "zip": "1"})", R"(merge() joins objects)"},
             shown_example{R"($json.address?.city)", R"(a.?b)"},
             shown_example{R"($json.nickname ?? "friend")", R"(a.orValue(b))"},
             shown_example{R"($if($json.vip, "yes", "no"))", R"(`condition ? a : b`)"},
             shown_example{R"x($("Fetch").item.json.total)x", R"($node["Name"].json)"},
             shown_example{
                 R"($jmespath($json, "items[].title"))", R"(members, indices and macros)"},
             shown_example{R"($now.toFormat("yyyy-MM-dd"))", R"(%Y-%m-%d)"},
             shown_example{
                 R"($json.created.diffTo($now, "days"))", R"(use until() for the duration)"},
             shown_example{R"($now.endOfMonth())", R"(startOf("month").plus(1, "month"))"},
             shown_example{R"(type($json.name) == string)", R"(such as "string")"},
             shown_example{R"(self.name)", R"(`$json` is the current item)"},
         })
        EXPECT_THAT(shown(source, order()), testing::AllOf(StartsWith("error: "), HasSubstr(hint)))
            << source;
}

} // namespace
} // namespace postrider::agent::tries_test
