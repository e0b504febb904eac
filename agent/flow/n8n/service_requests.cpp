#include "agent/flow/n8n/service_request.hpp"

namespace postrider::agent::flow::n8n {

namespace {

constexpr service known_services[]{
    {"airtable", "record", "airtable"},
    {"discord", "message", "discord", "kind header, name Authorization, value \"Bot TOKEN\""},
    {"github", "issue", "github"},
    {"gmail", "message", "gmail"},
    {"hackerNews", "all", ""},
    {"jira", "issue", "jira", "kind basic, an e-mail address with an API token"},
    {"mattermost", "message", "mattermost"},
    {"microsoftOutlook", "message", "outlook"},
    {"notion", "page", "notion"},
    {"slack", "message", "slack"},
    {"twilio", "sms", "twilio", "kind basic, the account's SID as its user"},
    {"twitter", "tweet", "x"},
    {"wordpress", "post", "wordpress", "kind basic, with an application password"},
};

// n8n has a record's fields beside its id.
constexpr renamed_member record_members[]{
    {"id", "id"}, {"createdTime", "createdTime"}, {"*", "fields"}};
constexpr renamed_member slack_members[]{{"message_timestamp", "ts"}};

constexpr std::string_view mapped_by_id =
    R"({"columns.mappingMode": "defineBelow", "columns.matchingColumns": ["id"]})";
constexpr std::string_view records_url = "https://api.airtable.com/v0/<base>/<table>";
constexpr std::string_view gmail_labels_url =
    "https://gmail.googleapis.com/gmail/v1/users/me/messages/<messageId>/modify";
constexpr std::string_view github_headers =
    R"({"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"})";
// Of Jira Cloud, as the credential of its kind has the site's address.
constexpr std::string_view issues_url = "<$jira_url>/rest/api/2/issue";
constexpr std::string_view issue_url = "<$jira_url>/rest/api/2/issue/<issueKey>";
constexpr std::string_view comments_url = "<$jira_url>/rest/api/2/issue/<issueKey>/comment";
constexpr std::string_view jira_search_url = "<$jira_url>/rest/api/2/search/jql";
constexpr std::string_view of_jira_cloud = R"({"jiraVersion": "cloud"})";
constexpr std::string_view posts_url = "<$wordpress_url>/wp-json/wp/v2/posts";
constexpr std::string_view posts_query =
    R"({"context": "<options.context>", "order": "<options.order>", "orderby": "<options.orderBy>",
        "after": "<options.after>", "before": "<options.before>", "search": "<options.search>", "per_page": "100"})";

constexpr service_request change_of_labels(std::string_view operation, std::string_view body) {
    return {.operation = operation, .method = "POST", .url = gmail_labels_url, .body = body};
}

// To a channel or to a person.
constexpr service_request slack_post(std::string_view receiver, std::string_view body) {
    return {
        .operation = "post",
        .usual = true,
        .method = "POST",
        .url = "https://slack.com/api/chat.postMessage",
        .body = body,
        .requires_values = receiver,
        .allows_values = R"({"messageType": "text", "otherOptions.includeLinkToWorkflow": false})",
        .renamed = slack_members,
        .remark = "Slack's refusals come as an item with ok: false; in n8n the node fails"};
}

constexpr service_request airtable_record_requests[]{
    {.operation = "get",
     .usual = true,
     .url = "https://api.airtable.com/v0/<base>/<table>/<id>",
     .renamed = record_members},
    {.operation = "search",
     .url = records_url,
     .query = R"({"filterByFormula": "<filterByFormula>", "fields[]": "<options.fields>",
                  "maxRecords": "<limit>"})",
     .requires_values = R"({"returnAll": false})",
     .items = "$json.body.records",
     .renamed = record_members},
    {.operation = "search",
     .url = records_url,
     .query = R"({"filterByFormula": "<filterByFormula>", "fields[]": "<options.fields>"})",
     .allows_values = R"({"returnAll": true})",
     .items = "$json.body.records",
     .pages = "cursor",
     .next = "$json.body.?offset",
     .page_parameter = "offset",
     .renamed = record_members},
    {.operation = "create",
     .method = "POST",
     .url = records_url,
     .body = R"({"fields": "<columns.value|fields>", "typecast": "<options.typecast>"})",
     .requires_values = R"({"columns.mappingMode": "defineBelow"})",
     .allows_values = R"({"columns.matchingColumns": []})",
     .renamed = record_members},
    {.operation = "update",
     .method = "PATCH",
     .url = "https://api.airtable.com/v0/<base>/<table>/<columns.value.id>",
     .body = R"({"fields": "<columns.value|fields>", "typecast": "<options.typecast>"})",
     .requires_values = mapped_by_id,
     .renamed = record_members},
    {.operation = "upsert",
     .method = "PATCH",
     .url = records_url,
     .body = R"({"performUpsert": {"fieldsToMergeOn": "<columns.matchingColumns>"},
                 "records": [{"fields": "<columns.value|fields>"}], "typecast": "<options.typecast>"})",
     .requires_values = R"({"columns.mappingMode": "defineBelow"})",
     .items = "$json.body.records",
     .renamed = record_members},
    {.operation = "deleteRecord",
     .method = "DELETE",
     .url = "https://api.airtable.com/v0/<base>/<table>/<id>"},
};

constexpr service_request airtable_base_requests[]{
    {.operation = "getSchema",
     .url = "https://api.airtable.com/v0/meta/bases/<base>/tables",
     .items = "$json.body.tables"},
    {.operation = "getMany",
     .usual = true,
     .url = "https://api.airtable.com/v0/meta/bases",
     .requires_values = R"({"returnAll": true})",
     .items = "$json.body.bases",
     .pages = "cursor",
     .next = "$json.body.?offset",
     .page_parameter = "offset"},
};

constexpr service_request discord_message_requests[]{
    {.operation = "send",
     .usual = true,
     .method = "POST",
     .url = "https://discord.com/api/v10/channels/<channelId>/messages",
     .body = R"({"content": "<content>", "tts": "<options.tts>"})",
     .allows_values = R"({"authentication": "botToken", "sendTo": "channel"})"},
};

constexpr service_request github_issue_requests[]{
    {.operation = "create",
     .usual = true,
     .method = "POST",
     .url = "https://api.github.com/repos/<owner>/<repository>/issues",
     .headers = github_headers,
     .body = R"({"title": "<title>", "body": "<body>", "labels": "<labels|label>",
                 "assignees": "<assignees|assignee>"})"},
    {.operation = "createComment",
     .method = "POST",
     .url = "https://api.github.com/repos/<owner>/<repository>/issues/<issueNumber>/comments",
     .headers = github_headers,
     .body = R"({"body": "<body>"})"},
    {.operation = "get",
     .url = "https://api.github.com/repos/<owner>/<repository>/issues/<issueNumber>",
     .headers = github_headers},
};

constexpr service_request gmail_message_requests[]{
    change_of_labels("addLabels", R"({"addLabelIds": "<labelIds>"})"),
    change_of_labels("removeLabels", R"({"removeLabelIds": "<labelIds>"})"),
    change_of_labels("markAsRead", R"({"removeLabelIds": ["UNREAD"]})"),
    change_of_labels("markAsUnread", R"({"addLabelIds": ["UNREAD"]})"),
    {.operation = "delete",
     .method = "DELETE",
     .url = "https://gmail.googleapis.com/gmail/v1/users/me/messages/<messageId>"},
};

constexpr service_request gmail_label_requests[]{
    {.operation = "get", .url = "https://gmail.googleapis.com/gmail/v1/users/me/labels/<labelId>"},
};

constexpr service_request hacker_news_all_requests[]{
    {.operation = "getAll",
     .usual = true,
     .url = "https://hn.algolia.com/api/v1/search",
     .query = R"({"query": "<additionalFields.keyword>", "tags": "<additionalFields.tags|joined>",
                  "hitsPerPage": "<limit>"})",
     .allows_values = R"({"returnAll": false})",
     .items = "$json.body.hits"},
};

constexpr service_request jira_issue_requests[]{
    {.operation = "create",
     .usual = true,
     .method = "POST",
     .url = issues_url,
     .body =
         R"({"fields": {"project": {"id": "<project>"}, "issuetype": {"id": "<issueType>"}, "summary": "<summary>",
                            "description": "<additionalFields.description>", "labels": "<additionalFields.labels>",
                            "assignee": {"id": "<additionalFields.assignee>"},
                            "reporter": {"id": "<additionalFields.reporter>"},
                            "priority": {"id": "<additionalFields.priority>"},
                            "parent": {"key": "<additionalFields.parentIssueKey>"}}})",
     .allows_values = of_jira_cloud,
     .needs = "summary"},
    {.operation = "get",
     .url = issue_url,
     .query = R"({"fields": "<additionalFields.fields>", "expand": "<additionalFields.expand>"})",
     .allows_values = R"({"jiraVersion": "cloud", "simplifyOutput": false})"},
    {.operation = "getAll",
     .url = jira_search_url,
     .query = R"({"jql": "<options.jql>", "fields": "*navigable", "maxResults": "<limit>"})",
     .allows_values = R"({"jiraVersion": "cloud", "returnAll": false})",
     .needs = "options.jql",
     .items = "$json.body.issues"},
    {.operation = "getAll",
     .url = jira_search_url,
     .query = R"({"jql": "<options.jql>", "fields": "*navigable", "maxResults": "100"})",
     .requires_values = R"({"returnAll": true})",
     .allows_values = of_jira_cloud,
     .needs = "options.jql",
     .items = "$json.body.issues",
     .pages = "cursor",
     .next = "$json.body.?nextPageToken",
     .page_parameter = "nextPageToken"},
    // A new state is a request of its own.
    {.operation = "update",
     .method = "POST",
     .url = "<$jira_url>/rest/api/2/issue/<issueKey>/transitions",
     .body = R"({"transition": {"id": "<updateFields.statusId>"}})",
     .allows_values = of_jira_cloud,
     .needs = "updateFields.statusId",
     .remark = "the answer is empty; n8n's has success: true"},
    {.operation = "update",
     .method = "PUT",
     .url = issue_url,
     .body =
         R"({"fields": {"summary": "<updateFields.summary>", "description": "<updateFields.description>",
                            "labels": "<updateFields.labels>", "assignee": {"id": "<updateFields.assignee>"},
                            "priority": {"id": "<updateFields.priority>"}}})",
     .allows_values = of_jira_cloud,
     .needs = "updateFields",
     .remark = "the answer is empty; n8n's has success: true"},
};

constexpr service_request jira_issue_comment_requests[]{
    {.operation = "add",
     .usual = true,
     .method = "POST",
     .url = comments_url,
     .body = R"({"body": "<comment>"})",
     .allows_values = of_jira_cloud,
     .needs = "comment"},
    {.operation = "getAll",
     .url = comments_url,
     .query = R"({"maxResults": "<limit>"})",
     .allows_values = R"({"jiraVersion": "cloud", "returnAll": false})",
     .items = "$json.body.comments"},
};

constexpr service_request mattermost_message_requests[]{
    {.operation = "post",
     .usual = true,
     .method = "POST",
     .url = "<$mattermost_url>/api/v4/posts",
     .body = R"({"channel_id": "<channelId>", "message": "<message>"})"},
};

constexpr service_request microsoft_outlook_message_requests[]{
    {.operation = "update",
     .method = "PATCH",
     .url = "https://graph.microsoft.com/v1.0/me/messages/<messageId>",
     .body =
         R"({"categories": "<updateFields.categories>", "importance": "<updateFields.importance>",
                 "isRead": "<updateFields.isRead>", "subject": "<updateFields.subject>"})"},
    {.operation = "move",
     .method = "POST",
     .url = "https://graph.microsoft.com/v1.0/me/messages/<messageId>/move",
     .body = R"({"destinationId": "<folderId>"})"},
};

constexpr service_request notion_database_requests[]{
    {.operation = "get",
     .usual = true,
     .url = "https://api.notion.com/v1/databases/<databaseId>",
     .headers = R"({"Notion-Version": "2022-02-22"})",
     .requires_values = R"({"simple": false})"},
};

constexpr service_request slack_message_requests[]{
    slack_post(
        R"({"select": "channel"})",
        R"({"channel": "<channelId>", "text": "<text>", "mrkdwn": "<otherOptions.mrkdwn>",
                 "unfurl_links": "<otherOptions.unfurl_links>", "unfurl_media": "<otherOptions.unfurl_media>"})"
    ),
    slack_post(
        R"({"select": "user"})",
        R"({"channel": "<user>", "text": "<text>", "mrkdwn": "<otherOptions.mrkdwn>"})"
    ),
};

constexpr service_request twilio_sms_requests[]{
    {.operation = "send",
     .usual = true,
     .method = "POST",
     .url = "https://api.twilio.com/2010-04-01/Accounts/<$twilio_account_sid>/Messages.json",
     .body = R"({"From": "<from>", "To": "<to>", "Body": "<message>"})",
     .body_format = "form"},
};

constexpr service_request twitter_tweet_requests[]{
    {.operation = "create",
     .usual = true,
     .method = "POST",
     .url = "https://api.x.com/2/tweets",
     .body = R"({"text": "<text>", "quote_tweet_id": "<additionalFields.inQuoteToStatusId>",
                 "reply": {"in_reply_to_tweet_id": "<additionalFields.inReplyToStatusId>"}})",
     .needs = "text",
     .items = "$json.body.data"},
};

constexpr service_request wordpress_post_requests[]{
    {.operation = "getAll",
     .url = posts_url,
     .query = posts_query,
     .requires_values = R"({"returnAll": true})",
     .pages = "link"},
    {.operation = "getAll",
     .url = posts_url,
     .query =
         R"({"context": "<options.context>", "order": "<options.order>", "orderby": "<options.orderBy>",
                  "after": "<options.after>", "before": "<options.before>", "search": "<options.search>",
                  "per_page": "<limit>"})",
     .allows_values = R"({"returnAll": false})"},
    {.operation = "get",
     .url = "<$wordpress_url>/wp-json/wp/v2/posts/<postId>",
     .query = R"({"context": "<options.context>"})"},
    {.operation = "create",
     .usual = true,
     .method = "POST",
     .url = posts_url,
     .body =
         R"({"title": "<title>", "content": "<additionalFields.content>", "slug": "<additionalFields.slug>",
                 "status": "<additionalFields.status>", "format": "<additionalFields.format>",
                 "sticky": "<additionalFields.sticky>", "categories": "<additionalFields.categories>",
                 "tags": "<additionalFields.tags>", "author": "<additionalFields.authorId>"})"},
    {.operation = "update",
     .method = "POST",
     .url = "<$wordpress_url>/wp-json/wp/v2/posts/<postId>",
     .body = R"({"title": "<updateFields.title>", "content": "<updateFields.content>",
                 "slug": "<updateFields.slug>", "status": "<updateFields.status>",
                 "format": "<updateFields.format>", "categories": "<updateFields.categories>",
                 "tags": "<updateFields.tags>", "author": "<updateFields.authorId>"})"},
};

constexpr service_request wordpress_page_requests[]{
    {.operation = "getAll",
     .url = "<$wordpress_url>/wp-json/wp/v2/pages",
     .query = posts_query,
     .requires_values = R"({"returnAll": true})",
     .pages = "link"},
};

constexpr service_resource known_resources[]{
    {"airtable", "record", airtable_record_requests},
    {"airtable", "base", airtable_base_requests},
    {"discord", "message", discord_message_requests},
    {"github", "issue", github_issue_requests},
    {"gmail", "message", gmail_message_requests},
    {"gmail", "label", gmail_label_requests},
    {"hackerNews", "all", hacker_news_all_requests},
    {"jira", "issue", jira_issue_requests},
    {"jira", "issueComment", jira_issue_comment_requests},
    {"mattermost", "message", mattermost_message_requests},
    {"microsoftOutlook", "message", microsoft_outlook_message_requests},
    {"notion", "database", notion_database_requests},
    {"slack", "message", slack_message_requests},
    {"twilio", "sms", twilio_sms_requests},
    {"twitter", "tweet", twitter_tweet_requests},
    {"wordpress", "post", wordpress_post_requests},
    {"wordpress", "page", wordpress_page_requests},
};

} // namespace

std::span<service const> services() noexcept {
    return known_services;
}

std::span<service_resource const> service_resources() noexcept {
    return known_resources;
}

} // namespace postrider::agent::flow::n8n
