// n8n's expressions, converted, have n8n's values.
#include "tests/unit/agent/flow/n8n/sample_pairs.hpp"

namespace postrider::agent::flow::n8n::expression_test {
namespace {

json_scope const& sample() {
    static json_scope const scope{R"({
        "$json": {
            "name": "Ada Lovelace", "age": 36, "vip": true, "empty": "", "zero": 0, "nothing": null,
            "first name": "Ada", "tags": ["new", "paid"], "text": "Order 17, order 18\nDone",
            "path": "/a/b/c", "price": 3.14159, "created": "2026-11-01T10:20:30.250Z",
            "seconds": 1795275000, "json": "{\"a\": {\"b\": 2}}", "html": "a < b & c",
            "items": [{"title": "Tea", "price": 3.5, "tags": []}, {"title": "Cake", "price": 12},
                      {"title": "Ale", "price": 5}],
            "user": {"id": 7, "address": {"city": "London"}}
        },
        "$input": [{"n": 1}, {"n": 2}],
        "$now": "2026-11-21T15:30:00Z",
        "$execution": {"id": 42, "flow": "support"},
        "$vars": {"API": "x"},
        "$node": {"Fetch": {"json": {"total": 19, "rows": [1, 2]}, "items": [{"total": 19}, {"total": 20}]},
                  "Telegram": {"json": {"text": "/start now", "chat": 5}, "items": []}}
    })"};
    return scope;
}

TEST(n8n_expression, reads_members_that_may_be_missing) {
    constexpr sample_pair pairs[]{
        {"$json.name", R"("Ada Lovelace")"},
        {" $json[\"first name\"] ", R"("Ada")"},
        {"$json['first name']", R"("Ada")"},
        {"$json.user.address.city", R"("London")"},
        {"$json?.user?.address?.city", R"("London")"},
        {"$json.missing", "null"},
        {"$json.missing.deeper.still", "null"},
        {"$json.items[1].title", R"("Cake")"},
        {"$json.items[7].title", "null"},
        {"$json.items[0]['price']", "3.5"},
        {"$json.tags.length", "2"},
        {"$json.name.length", "12"},
        {"$node[\"Fetch\"].json[\"total\"]", "19"},
        {"$node.Fetch.json.total", "19"},
        {"$('Fetch').item.json.total", "19"},
        {"$('Fetch').first().json.total", "19"},
        {"$('Fetch').last().json.total", "20"},
        {"$('Fetch').all().length", "2"},
        {"$('Fetch').all()[1].json.total", "20"},
        {"$('Fetch').all().map(item => item.json.total)", "[19, 20]"},
        {"$items('Fetch')[0].json.total", "19"},
        {"$item(\"0\").$node[\"Fetch\"].json[\"total\"]", "19"},
        {"$input.item.json.name", R"("Ada Lovelace")"},
        {"$input.first().json.n", "1"},
        {"$input.last().json.n", "2"},
        {"$input.all().filter(i => i.json.n > 1).length", "1"},
        {"$('Telegram').item.json.message.text", R"("/start now")"},
        {"$('Telegram').first().json.message.chat.id", "5"},
        {"$execution.id", "42"},
        {"$workflow.name", R"("support")"},
        {"$env.API", R"("x")"},
        {"$jmespath($json, 'user.address.city')", R"("London")"},
        {"$json.user['id']", "7"},
        {"$json.items[$json.tags.length - 1].title", R"("Cake")"},
    };
    check(pairs, sample());
}

TEST(n8n_expression, has_the_operators_of_javascript) {
    constexpr sample_pair pairs[]{
        {"1 + 2 * 3 - 4 / 2", "5"},
        {"(1 + 2) * 3", "9"},
        {"2 ** 3", "8"},
        {"-$json.age", "-36"},
        {"'Hi ' + $json.name", R"("Hi Ada Lovelace")"},
        {"$json.age + ' years'", R"("36 years")"},
        {"'a' + 1 + 2", R"("a12")"},
        {"1 + 2 + 'a'", R"("3a")"},
        {"`${$json.name} is ${$json.age}`", R"("Ada Lovelace is 36")"},
        {"`it's \"${$json.tags[0]}\"`", R"("it's \"new\"")"},
        {"$json.age === 36", "true"},
        {"$json.age !== 36", "false"},
        {"$json.missing == undefined", "true"},
        {"$json.missing === null", "true"},
        {"$json.vip ? 'yes' : 'no'", R"("yes")"},
        {"$json.empty ? 'yes' : 'no'", R"("no")"},
        {"$json.zero ? 'yes' : 'no'", R"("no")"},
        {"$json.missing ? 'yes' : 'no'", R"("no")"},
        {"$json.items ? 'yes' : 'no'", R"("yes")"},
        {"!$json.missing", "true"},
        {"!!$json.name", "true"},
        {"!($json.vip && $json.missing)", "true"},
        {"$json.missing || 'friend'", R"("friend")"},
        {"$json.empty || 'friend'", R"("friend")"},
        {"$json.name || 'friend'", R"("Ada Lovelace")"},
        {"$json.missing || $json.nothing || $json.age", "36"},
        {"$json.missing || $json.path.split('/')[1]", R"("a")"},
        {"$json.name || $json.missing.split('/')[1]", R"("Ada Lovelace")"},
        {"$json.missing ?? 'none'", R"("none")"},
        {"$json.empty ?? 'none'", R"("")"},
        {"$json.vip && $json.name", R"("Ada Lovelace")"},
        {"$json.missing && $json.missing.trim()", "null"},
        {"$json.vip === true && $json.name || ''", R"("Ada Lovelace")"},
        {"$json.age > 17 && $json.age < 99", "true"},
        {"$json.age >= 36 || $json.missing", "true"},
        {"typeof $json.name === 'string'", "true"},
        {"typeof $json.missing === 'undefined'", "true"},
        {"typeof $json.age !== 'number'", "false"},
        {"'name' in $json", "true"},
        {"{ a: 1, 'b c': $json.age, name: undefined }", R"({"a": 1, "b c": 36, "name": null})"},
        {"[1, ...$json.tags, 'x']", R"([1, "new", "paid", "x"])"},
        {"{ ...$json.user, id: 8 }.id", "8"},
        {"{ 'urgent': 1, 'high': 2 }['high'] ?? 0", "2"},
        {"{ 'urgent': 1 }[$json.name] ?? 0", "0"},
        {"[]", "[]"},
        {"0x10", "16"},
        {"1_000", "1000"},
        {"$if($json.vip, 'a', 'b')", R"("a")"},
        {"$ifEmpty($json.empty, $json.name)", R"("Ada Lovelace")"},
        {"(() => { const t = $json.name.trim(); if (t === 'x') return 1; return t.length; })()",
         "12"},
        {"(() => { const { id } = $json.user; return id + 1; })()", "8"},
        {"/* why */ $json.age // because", "36"},
    };
    check(pairs, sample());
}

TEST(n8n_expression, takes_for_false_what_javascript_does) {
    constexpr sample_pair pairs[]{
        {"$json.items[0].tags || 'none'", "[]"},
        {"$json.items[0].tags && 'some'", R"("some")"},
        {"{} || 'none'", "{}"},
        {"$json.items.filter(i => i.price > 99) || 'none'", "[]"},
        {"$json.items.find(i => i.price > 99) || { title: 'x' }", R"({"title": "x"})"},
        {"$json.zero || $json.empty || $json.items[0].tags || 'none'", "[]"},
        {"false || 0 || ''", R"("")"},
        {"$json.nothing ?? 'none'", R"("none")"},
        {"$json.zero ?? 5", "0"},
        {"false ?? 1", "false"},
        {"$json.items[0].tags ?? 1", "[]"},
        {"null ?? $json.missing ?? $json.nothing ?? 3", "3"},
        {"$json.items.find(i => i.price > 99)?.price ?? $json.path.split('/').length", "4"},
    };
    check(pairs, sample());
}

TEST(n8n_expression, keeps_the_names_of_variables_apart) {
    constexpr sample_pair pairs[]{
        // Functions of ours begin with these names.
        {"$json.items.map(regex => regex.title.replace(/a/g, 'o'))", R"(["Teo", "Coke", "Ale"])"},
        {"[4].map(math => Math.trunc(math / 3))", "[1]"},
        {"['x'].map(optional => $json.empty.trim() || optional)", R"(["x"])"},
        {"[1].map(cel => $json.tags.find(t => t == 'x') || cel)", "[1]"},
        // Names that the conversion itself gives.
        {"[2].map(i => [3, 1].sort((a, b) => a * i - b * i))", "[[1, 3]]"},
        {"[2].map(n => 'a,b,c'.split(',', n))", R"([["a", "b"]])"},
        {"[2].map(part => 'a,b,c'.split(',', part))", R"([["a", "b"]])"},
        {"[5].map(v1 => $json.tags.find(t => t == 'x') || v1)", "[5]"},
        {"[[1, 2]].map(part1 => [{ a: 3 }].map(({ a }) => part1.length + a))", "[[5]]"},
        // The inner one of a name is meant.
        {"[1].map(a => [2].map(a => a + 1)[0] + a)", "[4]"},
        {"[1].map(a => [10].reduce((a, b) => a + b, a))", "[11]"},
    };
    check(pairs, sample());
}

TEST(n8n_expression, has_the_methods_of_texts) {
    constexpr sample_pair pairs[]{
        {"$json.name.toLowerCase()", R"("ada lovelace")"},
        {"$json.name.toUpperCase()", R"("ADA LOVELACE")"},
        {"'  a '.trim()", R"("a")"},
        {"$json.path.split('/')", R"(["", "a", "b", "c"])"},
        {"$json.path.split('/').last()", R"("c")"},
        {"$json.path.split('/').slice(0, 3)[2]", R"("b")"},
        {"$json.path.split('/').slice(-2, -1)[0]", R"("b")"},
        {"$json.path.split('/').splice(-1)", R"(["c"])"},
        {"$json.path.split('/', 2)", R"(["", "a"])"},
        {"$json.name.substring(0, 3)", R"("Ada")"},
        {"$json.name.substring(0, 500)", R"("Ada Lovelace")"},
        {"$json.name.slice(4)", R"("Lovelace")"},
        {"$json.name.slice(-4)", R"("lace")"},
        {"($json.missing || '').slice(0, 5)", R"("")"},
        {"$json.name.substr(4, 4)", R"("Love")"},
        {"$json.name.replace('a', 'o')", R"("Ado Lovelace")"},
        {"$json.name.replaceAll('a', 'o')", R"("Ado Loveloce")"},
        {"$json.text.replace(/order (\\d+)/i, '#$1')", R"("#17, order 18\nDone")"},
        {"$json.text.replace(/order (\\d+)/gi, '#$1')", R"("#17, #18\nDone")"},
        {"$json.text.replace(/\\n/g, ' ')", R"("Order 17, order 18 Done")"},
        {"$json.text.match(/order (\\d+)/i)[1]", R"("17")"},
        {"$json.text.match(/order (\\d+)/gi)", R"(["Order 17", "order 18"])"},
        {"/done/i.test($json.text)", "true"},
        {"$json.text.split(/,\\s*/)[0]", R"("Order 17")"},
        {"$json.name.includes('Love')", "true"},
        {"$json.name.startsWith('Ada')", "true"},
        {"$json.name.endsWith('x')", "false"},
        {"$json.name.indexOf('L')", "4"},
        {"'7'.padStart(3, '0')", R"("007")"},
        {"'ab'.repeat(2)", R"("abab")"},
        {"'a'.concat('b')", R"("ab")"},
        {"$json.age.toString()", R"("36")"},
        {"$json.price.toFixed(2)", R"("3.14")"},
        {"String($json.age) + 'x'", R"("36x")"},
        {"Number('12') + 1", "13"},
        {"parseInt('12', 10)", "12"},
        {"parseFloat('2.5')", "2.5"},
        {"encodeURIComponent('a b&c')", R"("a%20b%26c")"},
        {"encodeURI('https://a.b/c d?e=f')", R"("https://a.b/c%20d?e=f")"},
        {"'a b'.urlEncode()", R"("a%20b")"},
        {"JSON.stringify($json.user)", R"("{\"id\":7,\"address\":{\"city\":\"London\"}}")"},
        {"$json.tags.toJsonString()", R"("[\"new\",\"paid\"]")"},
        {"JSON.parse($json.json).a.b", "2"},
        {"$json.json.parseJson().a.b", "2"},
        {"$json.empty.isEmpty()", "true"},
        {"$json.name.isNotEmpty()", "true"},
        {"'abc'.hash()", R"("900150983cd24fb0d6963f7d28e17f72")"},
        {"'https://a.example.org/x'.extractDomain()", R"("a.example.org")"},
        {"btoa('hi')", R"("aGk=")"},
        {"'aGk='.base64Decode()", R"("hi")"},
        {"$json.html.replace(/&/g, '&amp;').replace(/</g, '&lt;')", R"("a &lt; b &amp; c")"},
        {"'say \\\"hi\\\" \\u00fc'", R"("say \"hi\" ü")"},
    };
    check(pairs, sample());
}

TEST(n8n_expression, has_the_methods_of_lists_and_objects) {
    constexpr sample_pair pairs[]{
        {"$json.tags.join(', ')", R"("new, paid")"},
        {"$json.tags.join()", R"("new,paid")"},
        {"$json.items.map(i => i.title)", R"(["Tea", "Cake", "Ale"])"},
        {"$json.items.map((i, n) => n + ': ' + i.title).join('; ')",
         R"("0: Tea; 1: Cake; 2: Ale")"},
        {"$json.items.map(({ title, price }) => `${title}=${price}`)[0]", R"("Tea=3.5")"},
        {"$json.items.filter(i => i.price > 4).map(i => i.title)", R"(["Cake", "Ale"])"},
        {"$json.items.find(i => i.title == 'Cake').price", "12"},
        {"$json.items.find(i => i.title == 'x')?.price", "null"},
        {"$json.items.some(i => i.price > 10)", "true"},
        {"$json.items.every(i => i.price > 10)", "false"},
        {"$json.items.reduce((sum, i) => sum + i.price, 0)", "20.5"},
        {"$json.items.sort((a, b) => a.price - b.price).map(i => i.title)",
         R"(["Tea", "Ale", "Cake"])"},
        {"$json.items.sort((a, b) => b.price - a.price)[0].title", R"("Cake")"},
        {"$json.items.sort((a, b) => a.title.localeCompare(b.title))[0].title", R"("Ale")"},
        {"$json.items.flatMap(i => [i.title, 1]).length", "6"},
        {"[1, [2]].flat()", "[1, 2]"},
        {"[3, 1].concat([2])", "[3, 1, 2]"},
        {"$json.tags.includes('paid')", "true"},
        {"$json.tags.first()", R"("new")"},
        {"$json.tags.at(-1)", R"("paid")"},
        {"$json.tags.reverse()", R"(["paid", "new"])"},
        {"[...new Set(['a', 'b', 'a'])]", R"(["a", "b"])"},
        {"['', 'a'].filter(Boolean)", R"(["a"])"},
        {"Object.keys($json.user)", R"(["id", "address"])"},
        {"Object.values({ a: 1 })", "[1]"},
        {"Object.entries({ a: 1 }).map(([k, v]) => k + '=' + v)", R"(["a=1"])"},
        {"Object.fromEntries([['a', 1]])", R"({"a": 1})"},
        {"Object.assign({ a: 1 }, { b: 2 })", R"({"a": 1, "b": 2})"},
        {"$json.user.keys().join()", R"("id,address")"},
        {"$json.hasOwnProperty('name')", "true"},
        {"Array.isArray($json.tags)", "true"},
        {"Math.round(2.5)", "3"},
        {"Math.max(1, 3, 2)", "3"},
        {"Math.floor($json.price)", "3"},
        {"$json.items.filter(i => i.tags).map(i => i.tags.length)[0]", "0"},
        {"$json.items.map(item => ({ name: item.title, tax: item.price * 0.5 }))[1]",
         R"({"name": "Cake", "tax": 6})"},
        {"Boolean(($json.tags ?? []).includes('new'))", "true"},
    };
    check(pairs, sample());
}

TEST(n8n_expression, has_the_methods_of_dates) {
    constexpr sample_pair pairs[]{
        {"$now.toISO()", R"("2026-11-21T15:30:00.000Z")"},
        {"new Date().toISOString()", R"("2026-11-21T15:30:00.000Z")"},
        {"new Date().toISOString().split('T')[0]", R"("2026-11-21")"},
        {"new Date($json.created).toISOString()", R"("2026-11-01T10:20:30.250Z")"},
        {"Date.now()", "1795275000000"},
        {"new Date(Date.now() - 2 * 24 * 60 * 60 * 1000).toISOString()",
         R"("2026-11-19T15:30:00.000Z")"},
        {"new Date(new Date().getTime() - 30 * 60000).toISOString()",
         R"("2026-11-21T15:00:00.000Z")"},
        {"new Date(new Date().setDate(new Date().getDate() + 2)).toISOString()",
         R"("2026-11-23T15:30:00.000Z")"},
        {"$now.toFormat('yyyy-MM-dd')", R"("2026-11-21")"},
        {"$now.format('dd LLL yyyy')", R"("21 Nov 2026")"},
        {"$now.format(\"yyyy-MM-dd 'at' HH:mm\")", R"("2026-11-21 at 15:30")"},
        {"DateTime.local().toFormat('cccc d LLLL yyyy')", R"("Saturday 21 November 2026")"},
        {"$now.toFormat('d/M/yyyy, h:mm a')", R"("21/11/2026, 3:30 PM")"},
        {"$now.minus({days: 30}).toFormat('yyyy-MM-dd')", R"("2026-10-22")"},
        {"$now.plus({ months: 1, days: 2 }).toFormat('yyyy-MM-dd')", R"("2026-12-23")"},
        {"$now.minus(1, 'day').toISO()", R"("2026-11-20T15:30:00.000Z")"},
        {"$today.minus({days: 7}).toISO()", R"("2026-11-14T00:00:00.000Z")"},
        {"$now.startOf('month').toFormat('yyyy-MM-dd')", R"("2026-11-01")"},
        {"$now.endOf('day').toISO()", R"("2026-11-21T23:59:59.999Z")"},
        {"$now.setZone('Asia/Tokyo').toFormat('yyyy-MM-dd HH:mm')", R"("2026-11-22 00:30")"},
        {"$now.year + '-' + $now.monthShort", R"("2026-Nov")"},
        {"$now.month", "11"},
        {"$now.weekday", "6"},
        {"$today.weekdayLong", R"("Saturday")"},
        {"$now.weekNumber", "47"},
        {"DateTime.fromISO($json.created).format('yyyy-MM-dd')", R"("2026-11-01")"},
        {"DateTime.fromSeconds($json.seconds).toISO()", R"("2026-11-21T15:30:00.000Z")"},
        {"DateTime.fromFormat('2026-01-02 03:04:05', 'yyyy-MM-dd HH:mm:ss').toISO()",
         R"("2026-01-02T03:04:05.000Z")"},
        {"DateTime.fromISO($json.created).toLocaleString(DateTime.DATE_HUGE)",
         R"("Sunday, November 1, 2026")"},
        {"$json.created.toDateTime().year", "2026"},
        {"new Date($json.created) < new Date()", "true"},
        {"new Date().getMonth() + 1", "11"},
        {"$now.diff(DateTime.fromISO('2026-11-20T15:30:00Z'), 'days').days", "1"},
        {"new Date().toLocaleTimeString('en-US', { hour12: false })", R"("15:30:00")"},
        {"$now.toMillis()", "1795275000000"},
    };
    check(pairs, sample());
}

TEST(n8n_expression, says_why_it_is_not_converted) {
    constexpr std::pair<std::string_view, std::string_view> cases[]{
        {"", "the expression ends too early"},
        {"$json.", "a member has no name"},
        {"$prevNode.name",
         "expressions do not know the node in front by another way than its name"},
        {"$binary", "it is no value"},
        {"$runIndex", "expressions do not know how often a node ran"},
        {"json.name", "`json` is not known here"},
        {"$json.name.normalize()", "`normalize()` has no counterpart"},
        {"$json.text.replace(/a(?=b)/, '')",
         "the pattern looks ahead or behind, which patterns here cannot"},
        {"$json.a = 1", "an assignment has no counterpart"},
        {"($json.a = 1, $json.b)", "an assignment has no counterpart"},
        {"($json.a = 1)", "an assignment has no counterpart"},
        {"(a() = 1, a)", "an assignment has no counterpart"},
        {"Math.hypot(1)", "`Math.hypot()` has no counterpart"},
        {"(() => { let x = 1; x += 1; return x; })()",
         "a function has a statement other than const, if and return"},
        {"'a", "a text is not closed"},
        {"new Date().toLocaleDateString('xx')", "the format of the locale is not known"},
        {"$now.toLocaleString('en-US', [1])", "an option of a locale's format is not known"},
        {"$now.toLocaleString('en-US', { ...$json })",
         "an option of a locale's format is not known"},
        {"$now.toLocaleString('en-US', { [hour12]: false })",
         "an option of a locale's format is not known"},
        {"$now.toLocaleString(Date)", "the format of a date is not known"},
        {"$now.toLocaleString(Math)", "the format of a date is not known"},
        {"$now.plus({ [days]: 1 })", "`` is no unit of time here"},
        {"new Date().setDate(new Date(0).getDate() + 1)",
         "setDate() is converted where it adds to getDate()"},
        {"$json.items.sort((a, b) => a.price - $json.age)",
         "sort() is converted where it compares one value of both items"},
        {"$json.items.sort((a, b) => a.price - a.price)",
         "sort() is converted where it compares one value of both items"},
        {"first()", "`first()` has no counterpart"},
        {"$json.name.replace(/a/g, m => m)", "replace() with a function has no counterpart"},
        {"$('Fetch')", "it is no value"},
    };
    for (auto const& [script, reason] : cases) {
        auto const done = converted(script);
        ASSERT_FALSE(done) << script << " became " << done->source;
        EXPECT_EQ(done.error().reason, reason) << script;
    }
}

TEST(n8n_expression, is_written_as_people_would) {
    constexpr std::pair<std::string_view, std::string_view> cases[]{
        {"$json.name", "$json.?name"},
        {"$json.a.b[0].c", "$json.?a.b[0].c"},
        {"$('Fetch').item.json.total", "$node[\"Fetch\"].json.?total"},
        {"$json.done ? 'yes' : 'no'", R"($json.?done in [null, false, 0, ""] ? "no" : "yes")"},
        {"$json.name || 'friend'",
         R"($json.?name in [null, false, 0, ""] ? "friend" : $json.?name)"},
        {"$json.name.trim() || 'friend'",
         R"(optional.ofNonZeroValue($json.?name.trim()).orValue("friend"))"},
        {"$fromAI('the city', 'Where', 'string', 'x')",
         R"($from_ai("the_city", "Where", "string"))"},
        {"$json.text.match(/\\d+/)[0]", R"($json.?text.captures(r"\d+")[?0])"},
    };
    for (auto const& [script, source] : cases)
        EXPECT_EQ(converted(script).value().source, source) << script;
}

TEST(n8n_expression, stands_between_braces_in_a_template) {
    auto const pieces = pieces_of("=a {{ $json.b }}, \\{{ c }}, {{ 1 }}");
    ASSERT_EQ(pieces.size(), 4u);
    EXPECT_EQ(pieces[0].text, "a ");
    EXPECT_EQ(pieces[1].text, " $json.b ");
    EXPECT_TRUE(pieces[1].is_expression);
    EXPECT_EQ(pieces[2].text, ", {{ c }}, ");
    EXPECT_EQ(pieces[3].text, " 1 ");
    EXPECT_EQ(pieces_of("{{ 1 }}").size(), 1u);
    EXPECT_FALSE(pieces_of("{{ 1 }}")[0].is_expression);
    EXPECT_EQ(escaped_text("a {{ b"), "a {{ \"{{\" }} b");
}

} // namespace
} // namespace postrider::agent::flow::n8n::expression_test
