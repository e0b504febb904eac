#include "agent/todo/language.hpp"

// In Urdu's own letters and in Latin ones, as people type it.
namespace postrider::agent::todo {

namespace {

using enum intent::kind;
using entry = time_words::entry;

constexpr std::array urdu_forms{
    // Create
    form{create, "<title> (شامل|ایڈ|درج) (کرو|کریں|کر دو|کر دیں|کردو|کردیں|کرنا|کیجیے)"},
    form{create, "<title> (لکھ لو|لکھ لیں|لکھ دو|نوٹ کرو|نوٹ کر لو|نوٹ کریں)"},
    form{
        create,
        "<title> [کو] [میری] [فہرست|لسٹ] (فہرست میں|لسٹ میں|کاموں میں) (شامل|ایڈ|ڈال) (کرو|کریں|کر "
        "دو|کر دیں|دو|دیں)"},
    form{create, "(نیا کام|نیا ٹاسک|نئی چیز) <title>"},
    form{create, "(نیا کام|نیا ٹاسک) (شامل کرو|شامل کریں|بناؤ|بنائیں|ایڈ کرو) <title>"},
    form{
        create,
        "مجھے <title> (یاد دلاؤ|یاد دلانا|یاد دلا دو|یاد دلائیں|یاد کراؤ|کی یاد دلاؤ|کی یاد "
        "دلانا|کا یاد دلانا|کا یاد دلاؤ)",
        list_filter::all,
        true},
    form{
        create,
        "(یاد دلاؤ|یاد دلانا|مجھے یاد دلاؤ|مجھے یاد دلانا|مجھے یاد دلائیں) [کہ] <title>",
        list_filter::all,
        true},
    form{create, "(add|shamil|likho) (karo|kar do|kardo|karein|kar dein|karen) <title>"},
    form{
        create,
        "<title> (add|shamil|note|darj) (karo|kar do|kardo|karein|kar dein|karen|kr "
        "do|krdo|karna|kar lo)"},
    form{
        create,
        "<title> [ko] [meri] (list mein|list me|fehrist mein|list main) (add|shamil|dal|daal) "
        "(karo|kar do|kardo|karein|kar dein|do|dein)"},
    form{create, "<title> likh (lo|lein|do)"},
    form{create, "(naya kaam|naya task|nya kaam) <title>"},
    form{
        create,
        "(mujhe|muje|mujhay) <title> (yaad dilana|yaad dilao|yaad dila do|yaad dilaen|yaad "
        "dilayen|ki yaad dilana|ki yaad dilao|ka yaad dilana|yad dilana|yad dilao)",
        list_filter::all,
        true},
    form{
        create,
        "(mujhe|muje) (yaad dilana|yaad dilao|yaad dila do|yad dilana|yad dilao) [ke|keh] <title>",
        list_filter::all,
        true},
    form{create, "(yaad dilana|yaad dilao) [ke|keh] <title>", list_filter::all, true},

    form{
        create,
        "مجھے <time> (یاد دلانا|یاد دلاؤ|یاد دلا دو|یاد دلائیں) [کہ] <title>",
        list_filter::all,
        true},
    form{
        create,
        "(mujhe|muje) <time> (yaad dilana|yaad dilao|yaad dila do|yad dilana) [ke|keh] <title>",
        list_filter::all,
        true},
    form{.action = create, .text = "مجھے <title> ہے", .verbal = true, .timed = true},
    form{
        .action = create, .text = "(mujhe|muje|mujhay) <title> hai", .verbal = true, .timed = true},
    // Get
    form{get, "<task> (دکھاؤ|دکھائیں|دکھا دو)"},
    form{get, "<task> [کی|کا] (تفصیل|تفصیلات) [دکھاؤ|دکھائیں|بتاؤ|بتائیں|دو|دیں]"},
    form{get, "<task> (dikhao|dikhaen|dikhayen|dikha do)"},
    form{
        get,
        "<task> [ki|ka] (tafseel|tafseelat|details|detail) [dikhao|dikhaen|batao|bataen|do|dein]"},

    // List
    form{list, "[میری] (فہرست|لسٹ|فہرست میں|لسٹ میں) [میں] (کیا ہے|کیا کیا ہے|دکھاؤ|دکھائیں|بتاؤ)"},
    form{list, "میری (فہرست|لسٹ) [میں] (کیا ہے|کیا کیا ہے|دکھاؤ|دکھائیں|بتاؤ)"},
    form{
        list,
        "(فہرست|لسٹ|کام|سب کام|سارے کام|میرے کام|میرے سارے کام|تمام کام|سب کچھ|سب|سب ٹاسک) "
        "(دکھاؤ|دکھائیں|دکھا دو|بتاؤ|بتائیں)"},
    form{list, "(میرے کام|میری فہرست|میری لسٹ)"},
    form{
        list,
        "(مجھے کیا کرنا ہے|کیا کرنا ہے|کیا کام ہیں|میرے کیا کام ہیں|کون سے کام ہیں|کون سے کام باقی "
        "ہیں|کیا باقی ہے|کیا کام باقی ہے)"},
    form{
        list,
        "[meri] (list|fehrist|list mein|list me|list main|fehrist mein) (kya hai|kia hai|mein kya "
        "hai|me kya hai|main kya hai|mein kia hai|kya kya hai|dikhao|dikhaen|batao)"},
    form{
        list,
        "(list|kaam|sab kaam|saare kaam|sare kaam|mere kaam|mere tasks|mere saare kaam|tamam "
        "kaam|sab kuch|sab|sab tasks|saare tasks|tasks) (dikhao|dikhaen|dikhayen|dikha "
        "do|batao|bataen)"},
    form{list, "(mere kaam|meri list|meri fehrist)"},
    form{
        list,
        "(mujhe kya karna hai|kya karna hai|kya kaam hain|mere kya kaam hain|kon se kaam hain|kaun "
        "se kaam hain|kya baqi hai|kya kaam baqi hai|kaun se kaam baqi hain|mujhe kia karna hai)"},
    form{
        list,
        "(aaj kya karna hai|aaj kya kya karna hai|aaj mujhe kya karna hai|aaj kya kaam hain|aaj "
        "kya hai)",
        list_filter::today},
    form{list, "(آج کیا کرنا ہے|آج مجھے کیا کرنا ہے|آج کیا کام ہیں)", list_filter::today},

    form{
        list, "(مکمل شدہ|مکمل|ختم شدہ) (کام|ٹاسک) (دکھاؤ|دکھائیں|دکھا دو)", list_filter::completed},
    form{
        list,
        "(mukammal shuda|mukammal) (kaam|tasks) (dikhao|dikhaen|dikhayen)",
        list_filter::completed},
    // Update
    form{
        update,
        "<task> کا نام (بدل کر|تبدیل کر کے) <title> (کر دو|کر دیں|کرو|کریں|رکھ دو|رکھو|رکھیں)"},
    form{update, "<task> کا نام <title> (رکھو|رکھ دو|رکھیں|رکھ دیں|کر دو|کر دیں|کرو)"},
    form{
        update,
        "<task> ka (naam|nam) (badal kar|badal ke|tabdeel kar ke) <title> (kar do|kardo|karo|kar "
        "dein|rakh do|rakho)"},
    form{update, "<task> ka (naam|nam) <title> (rakho|rakh do|rakhein|kar do|kardo|karo|kar dein)"},
    form{
        update,
        "<task> ko <title> (mein|me|se|main) (badal do|badlo|rename karo|rename kar do|tabdeel "
        "karo|tabdeel kar do)"},
    form{
        update,
        "<task> کو <title> (میں|سے) (بدل دو|بدلو|تبدیل کرو|تبدیل کر دو|تبدیل کریں|بدل دیں)"},
    form{update, "rename (karo|kar do|kardo) <task> (to|ko|se) <title>"},
    form{update, "<task> ko <time> (par|pe|tak) (kar do|kardo|karo|kar dein|le jao|rakh do|rakho)"},
    form{update, "<task> کو <time> (پر|تک) (کر دو|کر دیں|کرو|کریں|لے جاؤ|رکھ دو|رکھو)"},
    form{update, "<task> ko rename (karo|kar do|kardo) <title>"},

    // Complete
    form{
        complete,
        "<task> [کو] (مکمل|ختم|پورا|پوری) (کرو|کریں|کر دو|کر دیں|ہو گیا|ہو گئی|ہوگیا|ہوگئی|کر "
        "لیا|کر دیا|ہے|ہو گیا ہے|کیا|کر لی|کر لیا ہے)"},
    form{
        complete, "<task> (ہو گیا|ہو گئی|ہوگیا|ہوگئی|ہو گیا ہے|کر لیا|کر لیا ہے|ہو چکا|ہو چکا ہے)"},
    form{
        complete,
        "[میں نے] <task> (کر لیا|کر لیا ہے|کر لی|مکمل کر لیا|مکمل کر لیا ہے|ختم کر لیا|ختم کر "
        "دیا)"},
    form{
        complete,
        "<task> [ko] (mukammal|mukamal|khatam|khatm|poora|pura|complete|finish|done) (karo|kar "
        "do|kardo|karein|kar dein|karen|ho gaya|ho gya|ho gayi|hogaya|hogya|kar liya|kar dia|kar "
        "diya|kar lia|hai|ho gaya hai|mark karo|mark kar do)"},
    form{
        complete,
        "<task> (ho gaya|ho gya|ho gayi|hogaya|hogya|hogai|ho gaya hai|kar liya|kar liya hai|ho "
        "chuka|ho chuka hai|kar lia)"},
    form{
        complete,
        "(maine|main ne|mene|mein ne) <task> [mukammal|khatam] (kar liya|kar liya hai|kar lia|kar "
        "li|kar dia|kar diya)"},
    form{complete, "میں نے <task> [مکمل|ختم] (کر لیا|کر لیا ہے|کر لی|کر دیا|کر لی ہے)"},

    // Delete
    form{
        remove, "<task> [کو] (حذف|ڈیلیٹ|ختم شدہ|ڈلیٹ) (کرو|کریں|کر دو|کر دیں|کردو|کردیں|کر دیجیے)"},
    form{remove, "<task> [کو] (ہٹا دو|ہٹا دیں|ہٹاؤ|ہٹائیں|مٹا دو|مٹا دیں|مٹاؤ|نکال دو|نکال دیں)"},
    form{
        remove,
        "<task> [کو] (فہرست سے|لسٹ سے) (ہٹا دو|ہٹا دیں|ہٹاؤ|نکال دو|نکالو|نکال دیں|حذف کرو|حذف کر "
        "دو|مٹا دو)"},
    form{
        remove,
        "<task> [ko] (delete|hazf|remove|cancel) (karo|kar do|kardo|karein|kar dein|karen|kr "
        "do|krdo)"},
    form{
        remove,
        "<task> [ko] (hata do|hatao|hata dein|mita do|mitao|mita dein|nikal do|nikaal do|nikalo)"},
    form{
        remove,
        "<task> [ko] (list se|fehrist se) (hata do|hatao|hata dein|nikal do|nikaal "
        "do|nikalo|delete karo|delete kar do|mita do)"},
    form{remove, "(حذف کرو|حذف کریں|حذف کر دو) <task>"},
    form{remove, "(delete|hazf) (karo|kar do|kardo|karein) <task>"},

    form{remove, "<task> [کو] (حذف|ڈیلیٹ) کر (سکتے ہیں|سکتے ہو|سکتی ہیں)"},
    form{remove, "<task> [ko] (delete|hazf|remove) kar (sakte hain|sakte ho|sakti hain)"},
    // The rest
    form{help, "(مدد|میری مدد کرو|madad|meri madad karo|madad karo)"},
    form{
        help,
        "(تم کیا کر سکتے ہو|آپ کیا کر سکتے ہیں|tum kya kar sakte ho|aap kya kar sakte hain|aap kya "
        "karte hain)"},
    form{
        greeting,
        "(سلام|السلام علیکم|ہیلو|salam|salaam|assalam o alaikum|assalamualaikum|aoa|assalam "
        "alaikum)"},
    form{thanks, "(شکریہ|بہت شکریہ|shukriya|bohat shukriya|bahut shukriya|meherbani)"},
};

constexpr std::array urdu_numbers{
    entry{"صفر|sifar", 0},
    entry{"ایک|یکم|aik|ek", 1},
    entry{"دو|do", 2},
    entry{"تین|teen|tin", 3},
    entry{"چار|char|chaar", 4},
    entry{"پانچ|paanch|panch", 5},
    entry{"چھ|چھے|chay|chhe|che", 6},
    entry{"سات|saat|sat", 7},
    entry{"آٹھ|aath|ath", 8},
    entry{"نو|nau", 9},
    entry{"دس|das", 10},
    entry{"گیارہ|gyarah", 11},
    entry{"بارہ|barah", 12},
    entry{"بیس|bees", 20},
};

constexpr std::array urdu_ordinals{
    entry{"پہلا|پہلی|پہلے|pehla|pehli|pehle|pahla|pahli", 1},
    entry{"دوسرا|دوسری|دوسرے|doosra|dusra|doosri|dusri|doosre|dusre", 2},
    entry{"تیسرا|تیسری|تیسرے|teesra|tisra|teesri|teesre", 3},
    entry{"چوتھا|چوتھی|chautha|chauthi|chotha", 4},
    entry{"پانچواں|پانچویں|panchwan|paanchwan|panchwa", 5},
    entry{"آخری|akhri|aakhri|akhiri", -1},
};

constexpr std::array urdu_priorities{
    entry{"فوری|انتہائی اہم|ضروری|zaroori|fori|foran|urgent|bohat zaroori", 2},
    entry{"عام|normal", 1},
    entry{"کم اہم|kam aham", 0},
};

constexpr std::array urdu_days{
    entry{"آج|aaj|aj", 0},
    entry{"کل|kal", 1},
    entry{"پرسوں|parson|parso", 2},
};

constexpr std::array urdu_parts{
    entry{"صبح|subah|subha|صبح کو", 9 * 60},
    entry{"دوپہر|dopahar|dopehar|dopeher", 12 * 60},
    entry{"سہ پہر|seh pahar", 15 * 60},
    entry{"شام|shaam|sham", 18 * 60},
    entry{"رات|raat", 21 * 60},
    entry{"آج رات|aaj raat", 21 * 60 + is_of_today},
    entry{"آج شام|aaj shaam|aaj sham", 18 * 60 + is_of_today},
};

constexpr std::array urdu_units{
    entry{"منٹ|minute|mint|minat|min", 1},
    entry{"گھنٹہ|گھنٹے|گھنٹوں|ghanta|ghante|ghanton|ghantay", 60},
    entry{"دن|دنوں|din|dino", 1440},
    entry{"ہفتہ|ہفتے|ہفتوں|hafta|hafte|haftay", 7 * 1440},
    entry{"مہینہ|مہینے|مہینوں|mahina|mahine|mahinay", -1},
    entry{"سال|saal", -12},
};

} // namespace

extern constinit language const urdu{
    .code = "ur",
    .forms = urdu_forms,
    .openings = "براہ کرم|براہ مہربانی|مہربانی کر کے|پلیز|اور|پھر|اب|ٹھیک ہے|سلام|meherbani kar "
                "ke|barah e karam|barah karam|please|plz|"
                "pls|aur|phir|ab|theek hai|zara|ذرا|yaar|bhai|acha|اچھا|hi|hello|salam|han|میں "
                "چاہتا ہوں کہ",
    .corrections = "نہیں|نہیں نہیں|nahi|nahin|nahi nahi",
    .requests = "کیا آپ|کیا تم|kya aap|kya tum|kya ap",
    .closings = "براہ کرم|پلیز|please|plz|pls|ذرا|zara|na|yaar|bhai",
    .afterthoughts = "شکریہ|shukriya|thanks|ok|🙏|👍|🙂|😊",
    .confirmations = "ہاں|جی ہاں|جی|ہاں مجھے یقین ہے|مجھے یقین ہے|پوچھے بغیر|بغیر "
                     "پوچھے|haan|han|ji haan|ji han|ji|mujhe yaqeen hai|"
                     "haan mujhe yaqeen hai|bina pooche|baghair pooche|poochna mat|pakka|haan "
                     "pakka|yes|confirm|confirmed",
    .conjunctions = "اور|پھر|اور پھر|aur|phir|aur phir|or",
    .neighbours = "کیا|نہیں|مت|اگر|جب|شاید|nahi|nahin|mat|agar|jab|shayad|karna|karta|karte|karti|"
                  "karunga|doodh|dudh|roti|anda|"
                  "pani|kitab|bijli|delete|deleted|rename|renamed|khareedna|khareedo|likha|dikha|"
                  "dikhata|hatana|hataya|mitaya",
    .doubts = "نہیں|مت|نہ|اگر|جب|شاید|کیوں|کاش|کہا|رکو|ٹھہرو|nahi|nahin|nai|mat|na "
              "karo|agar|jab|shayad|kyun|kyon|kash|kaha|"
              "ruko|thehro|lekin|لیکن|magar|مگر|ke bajaye|کے بجائے|kya mujhe|کیا مجھے|kya main|کیا "
              "میں|chahiye|چاہیے",
    .past = "گزشتہ|پچھلے|پچھلی|guzishta|pichle|pichli|pehle se|تھا|تھی|تھے|tha|thi|kal|کل",
    .provisos = "اگر پہلے سے نہیں ہے|agar pehle se nahi hai",
    .retractions = "mera matlab|lekin nahi|نہیں رہنے دو|رہنے دو|مذاق|nahi rehne do|rehne "
                   "do|mazaq|chhoro|choro|nahi "
                   "ruko|chor do|ya nahi",
    .numbers = urdu_numbers,
    .ordinals = urdu_ordinals,
    .number_marks = "نمبر|number|no|nambar",
    .pronouns = "یہ|وہ|اسے|اس|اس کو|یہ والا|وہ والا|یہ کام|وہ "
                "کام|yeh|ye|woh|wo|ise|isay|usay|use|is|us|isko|usko|is ko|us ko|"
                "ye wala|wo wala|yeh wala|woh wala",
    .everything = "سب|سارے|تمام|سب کام|سارے کام|تمام کام|سب کچھ|پوری "
                  "فہرست|sab|saare|sare|tamam|sab kaam|saare kaam|sab kuch|"
                  "poori list|puri list|sab tasks|kaam|کام|tasks|kuch|کچھ",
    .exceptions = "کے علاوہ|کے سوا|ke ilawa|ke siwa|chhor kar",
    .articles = "میرا|میری|میرے|mera|meri|mere|یہ|وہ",
    .nouns = "کام|ٹاسک|چیز|نمبر کام|والا|والی|والے|والا کام|kaam|task|item|wala|wali|wale|wala "
             "kaam|wali cheez|cheez|کو|ko|نمبر|number|"
             "list mein se|فہرست سے|list se",
    .no_titles = "کیا|یہ|وہ|اسے|کچھ|کیسے|کب|کہاں|نہیں|مت|kya|yeh|ye|woh|wo|ise|kuch|kaise|kab|"
                 "kahan|nahi|mat|ke|کہ|aur|اور",
    .priorities = urdu_priorities,
    .times =
        {
            .weekdays =
                {"پیر|سوموار|peer|pir|somwar",
                 "منگل|mangal",
                 "بدھ|budh",
                 "جمعرات|jumerat|jumeraat",
                 "جمعہ|جمعے|juma|jumma|jummah",
                 "ہفتے کے دن|saneechar",
                 "اتوار|itwar|itwaar"},
            .months =
                {"جنوری|january|janwari",
                 "فروری|february|farwari",
                 "مارچ|march",
                 "اپریل|april",
                 "مئی|may|mai",
                 "جون|june|joon",
                 "جولائی|july|julai",
                 "اگست|august|agast",
                 "ستمبر|september|sitambar",
                 "اکتوبر|october|aktubar",
                 "نومبر|november|nawambar",
                 "دسمبر|december|disambar"},
            .days = urdu_days,
            .parts = urdu_parts,
            .units = urdu_units,
            .seconds = "سیکنڈ|second|seconds|sec",
            .next = "اگلے|اگلی|اگلا|agle|agli|agla|is|اس",
            .within = "میں|بعد|کے بعد|mein|me|baad|ke baad|bad",
            .at = "",
            .on = "",
            .numbered = "ورژن|باب|آیت|کمرہ|پرواز|صفحہ|غلطی|نمبر|بس|version|python|kamra|bab|ayat|"
                        "safha|flight|number|bus|release",
            .topics = "سے|se|پچھلے|پچھلی|pichle|pichli",
            .turns = "یا|ya|آخری|akhri|نہیں",
            .behind = "کو|تک|پر|ko|tak|par|pe|ke liye|کے لیے|کے|ke",
            .hours = "بجے|baje|bajay|bje|بجے تک|baje tak",
            .before_noon = "",
            .after_noon = "",
            .half = "آدھا|آدھے|aadha|aadhe|adha",
            .recurring = "ہر|روزانہ|har|rozana|roz|ہر روز",
        },
};

} // namespace postrider::agent::todo
