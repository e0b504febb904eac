#include "agent/language/assent.hpp"

#include <array>

// What is understood in every language stands in each list: a message is read in one language.
#define POSTRIDER_ASSENT_ANYWHERE_YES "|ok|okay|okey|👍|👌|✅|✔|💯|🆗|"
#define POSTRIDER_ASSENT_ANYWHERE_NO "|👎|❌|🚫|⛔|🛑|✖|"
#define POSTRIDER_ASSENT_ANYWHERE_FILLER "|🙏|🙂|😊|😀|😄|"
#define POSTRIDER_ASSENT_ANYWHERE_IDIOM "|ok ok|okay okay|okey okey|ok okay|okay ok|"

namespace postrider::agent {

namespace {

constexpr std::array assents{
    assent_words{
        .language = "en",
        .yes = "yes|yep|yup|yeah|yea|yeh|aye|sure|sure thing|of course|certainly|absolutely|"
               "definitely|affirmative|confirmed|i confirm|i confirm it|confirm it|yes confirm|"
               "approved|i approve|i approve it|approve it|yes approve|do it|do that|do so|"
               "go ahead|go for it|go on|go on then|go ahead then|do it then|yes then|then yes|"
               "then do it|proceed|please do|please do it|please do that|please do so|"
               "by all means|i'm sure|i am sure|im sure|totally|agreed|that's right|"
               "yes that's fine|yes i do|yes i am|yes now|yes right now|do it now|do that now|"
               "go ahead now|make it so|100 percent|sounds good" POSTRIDER_ASSENT_ANYWHERE_YES,
        .bare_yes = "y|correct|confirm|approve|go",
        .no = "no|n|nope|nah|nay|no way|not now|never|never mind|nevermind|nvm|don't|do not|"
              "don't do it|don't do that|do not do it|do not do that|please don't|cancel|"
              "cancelled|cancel it|cancel that|stop|stop it|stop that|stop now|cancel now|abort|"
              "abort it|reject|reject it|rejected|deny|deny it|denied|decline|decline it|declined|"
              "keep it|keep that|leave it|forget it|no thanks|no thank you|no then|then no|"
              "then don't|no that's fine|negative|absolutely not|definitely not|of course not|"
              "certainly not|better not|rather not|i'd rather not|not yet|don't delete it|"
              "do not delete it|don't delete|hell no" POSTRIDER_ASSENT_ANYWHERE_NO,
        .fillers = "please|pls|plz|thanks|thank you|thx|delete it|delete that|delete it now|"
                   "remove it|remove that|remove it now|rename it|rename it now|send it|"
                   "send it now|run it|run it now|bot" POSTRIDER_ASSENT_ANYWHERE_FILLER,
        .idioms = "yeah yeah|yea yea|sure sure|of course of course|don't stop|do not stop|"
                  "never stop|don't cancel|do not cancel|don't abort|do not abort|don't keep it|"
                  "do not keep it|don't leave it|do not leave it|don't forget it|y do it|"
                  "y do that|y do so|y go|y confirm|y approve|"
                  "y proceed" POSTRIDER_ASSENT_ANYWHERE_IDIOM,
    },
    assent_words{
        .language = "de",
        .yes = "ja|jo|jap|jep|jup|jawohl|jawoll|ja klar|klar|klar doch|na klar|sicher|bin sicher|"
               "ich bin sicher|ich bin mir sicher|natürlich|natuerlich|selbstverständlich|gerne|"
               "gern|gerne doch|mach|mach das|mach es|mach's|machs|mach mal|mach das mal|"
               "mach es mal|mach es jetzt|mach das jetzt|dann mach es|dann mach das|tu es|tu das|"
               "ja jetzt|leg los|einverstanden|bestätigt|ich bestätige|ich bestätige das|"
               "ich bestätige es|genehmigt|genau|unbedingt|auf jeden fall|"
               "in ordnung" POSTRIDER_ASSENT_ANYWHERE_YES,
        .bare_yes = "bestätige|passt|stimmt",
        .no = "nein|ne|nee|nö|noe|nein danke|auf keinen fall|keinesfalls|niemals|lieber nicht|"
              "bitte nicht|nicht|nicht jetzt|doch nicht|dann nicht|dann lieber nicht|"
              "doch lieber nicht|so nicht|das nicht|das bitte nicht|mach das nicht|mach es nicht|"
              "tu das nicht|tu es nicht|nicht löschen|nicht loeschen|lösch das nicht|"
              "lösche es nicht|abbrechen|abbruch|brich ab|stopp|stop|halt|lass es|lass das|"
              "lass es so|lass das so|lass mal|vergiss es|vergiss das|behalten|ablehnen|abgelehnt|"
              "noch nicht|jetzt nicht" POSTRIDER_ASSENT_ANYWHERE_NO,
        .fillers = "bitte|bitte gern|bitte gerne|danke|lösch es|lösche es|lösch das|lösche "
                   "das|lösch ihn|lösch sie|"
                   "lösche sie|lösche ihn|loesch es|lösch es jetzt|löschen|weg damit|umbenennen|"
                   "benenne es um" POSTRIDER_ASSENT_ANYWHERE_FILLER,
        .idioms = "ja ja|jo jo|klar klar|sicher sicher|nicht abbrechen|"
                  "nicht ablehnen|nicht behalten|passt passt|"
                  "stimmt stimmt" POSTRIDER_ASSENT_ANYWHERE_IDIOM,
    },
    assent_words{
        .language = "es",
        .yes = "sí|sip|sep|claro|claro que sí|por supuesto|desde luego|vale|dale|de acuerdo|"
               "adelante|hazlo|hazlo ya|hazlo ahora|sí ahora|confirmo|confirmado|sí confirmar|"
               "apruebo|aprobado|seguro|estoy seguro|estoy segura|exacto|correcto|sí venga|"
               "venga sí|sin duda" POSTRIDER_ASSENT_ANYWHERE_YES,
        .bare_yes = "confirmar|cómo no|venga",
        .no = "no|nop|nel|no gracias|para nada|de ninguna manera|jamás|nunca|mejor no|todavía no|"
              "aún no|ahora no|no ahora|ya no|no lo hagas|no lo borres|no la borres|"
              "no lo elimines|no borres|cancelar|cancela|cancelado|cancélalo|cancélalo ya|para|"
              "para ya|detente|alto|déjalo|déjalo ya|olvídalo|rechazo|rechazado|claro que no|"
              "por supuesto que no|ni hablar|que no" POSTRIDER_ASSENT_ANYWHERE_NO,
        .fillers = "por favor|porfa|porfavor|gracias|bórralo|bórrala|elimínalo|elimínala|quítalo|"
                   "quítala|bórralo ya|bórrala ya|elimínalo ya|elimínala ya|bórralo ahora|"
                   "bórrala ahora|elimínalo ahora|elimínala ahora|renómbralo|renómbrala|"
                   "muchas gracias" POSTRIDER_ASSENT_ANYWHERE_FILLER,
        .idioms = "vale vale|vale venga|venga vale|venga venga|claro claro|claro seguro|"
                  "seguro seguro|sí cómo no|claro cómo no|sí sí claro|sí sí seguro|sí sí vale|"
                  "por supuesto por supuesto|seguro claro" POSTRIDER_ASSENT_ANYWHERE_IDIOM,
    },
    assent_words{
        .language = "fr",
        .yes = "oui|ouais|ouaip|si|bien sûr|bien sur|certainement|absolument|d'accord|daccord|dac|"
               "vas-y|allez-y|allez vas-y|oui allez|fais-le|faites-le|fais-le maintenant|"
               "oui maintenant|fais ça|je confirme|oui confirmé|j'approuve|volontiers|exact|"
               "tout à fait|je suis sûr|je suis sûre|certain|carrément|entendu|"
               "ça marche" POSTRIDER_ASSENT_ANYWHERE_YES,
        // Without their accents these are imperatives, too.
        .bare_yes = "confirmé|approuvé|mais oui|allez",
        .no = "non|nan|non merci|jamais|surtout pas|pas maintenant|maintenant non|alors non|"
              "pas encore|pas du tout|certainement pas|bien sûr que non|ne le fais pas|"
              "ne fais pas ça|fais pas ça|ne supprime pas|ne le supprime pas|ne la supprime pas|"
              "annule|annule ça|annuler|annulé|annulez|arrête|arrête ça|arrêtez|arrêtez ça|stop|"
              "laisse|laisse ça|laisse tomber|oublie|oublie ça|refusé|je refuse|plutôt pas|"
              "mieux vaut pas|ça non" POSTRIDER_ASSENT_ANYWHERE_NO,
        .fillers = "s'il te plaît|s'il vous plaît|stp|svp|merci|supprime-le|supprime-la|"
                   "supprimez-le|supprimez-la|efface-le|efface-la|supprime-le maintenant|"
                   "supprime-la maintenant|renomme-le|renomme-la" POSTRIDER_ASSENT_ANYWHERE_FILLER,
        .idioms = "oui oui|ouais ouais|ouais bien sûr|ouais bien sur|mais oui bien sûr|"
                  "mais oui bien sur|mais oui mais oui|bien sûr bien sûr|bien sur bien sur|"
                  "d'accord d'accord|daccord daccord|allez allez" POSTRIDER_ASSENT_ANYWHERE_IDIOM,
    },
    assent_words{
        .language = "ru",
        .yes = "да|ага|угу|ну да|да да|конечно|разумеется|согласен|согласна|подтверждаю|одобряю|"
               "уверен|уверена|я уверен|я уверена|точно|верно|всё верно|действуй|сделай|"
               "сделай это|сделай сейчас|делай|продолжай|именно|окей|ок|ладно удаляй|ладно удали|"
               "можно удалить|можно удалять|д|da|aga|konechno|хорошо удаляй|хорошо удали|"
               "хорошо удали его|хорошо удали её|хорошо удали это|давай удали его|давай удали её|"
               "давай удали это|ладно удали его|ладно удали её|ладно удали это|"
               "давай удаляй|давай удали|давайте удалим" POSTRIDER_ASSENT_ANYWHERE_YES,
        .bare_yes = "ладно|можно|хорошо|давай|давайте|horosho|davai|davay",
        .no = "нет|не|неа|ну нет|не надо|ну не надо|не нужно|ни в коем случае|никогда|не сейчас|"
              "сейчас не надо|теперь не надо|пока нет|ещё нет|не делай|не делай этого|не удаляй|"
              "не удалять|отмена|отмени|отменить|отменяй|стоп|хватит|ну хватит|всё хватит|"
              "всё стоп|всё отмена|оставь|забудь|отклоняю|против|лучше не надо|лучше не|"
              "нет спасибо|конечно нет|точно нет|н|net|nyet|ne nado" POSTRIDER_ASSENT_ANYWHERE_NO,
        .fillers = "пожалуйста|пож|плиз|спасибо|удали|удаляй|удали его|удали её|удали это|"
                   "удали сейчас|удаляй сейчас|удалить|"
                   "переименуй" POSTRIDER_ASSENT_ANYWHERE_FILLER,
        .idioms = "да ладно|ага ладно|ок ладно|окей ладно|ладно ладно|да да да|да да конечно|"
                  "да ага|ага да|ага ага|да угу|угу да|угу угу|ага конечно|угу конечно|"
                  "конечно ага|ага разумеется|ну да конечно|ну да разумеется|ну да ну да|"
                  "конечно конечно|хорошо хорошо|давай давай|можно конечно|ок ок|окей окей|"
                  "aga konechno|da aga|da da da|aga aga|davai davai|не против|не забудь|"
                  "не отменяй|ладно давай|давай ладно|ага давай" POSTRIDER_ASSENT_ANYWHERE_IDIOM,
    },
    assent_words{
        .language = "ur",
        .yes = "ہاں|جی|جی ہاں|ہاں جی|جی بالکل|بالکل|ضرور|ٹھیک ہے|کر دو|کر دیں|کر دیجیے|اب کر دو|"
               "کرو|کریں|منظور|منظور ہے|یقینا|مجھے یقین ہے|ہاں یار|ہاں بھائی|haan|han|haan ji|"
               "han ji|ji|ji haan|ji han|jee|jee haan|bilkul|ji bilkul|zaroor|zarur|theek hai|"
               "thik hai|kar do|kardo|kar dein|kar den|ab kar do|chalo kar do|karo|karein|manzoor|"
               "manzoor hai|yaqeenan|mujhe yaqeen hai|haan yaar|haan bhai|"
               "ji bhai" POSTRIDER_ASSENT_ANYWHERE_YES,
        .bare_yes = "ٹھیک|درست|theek|thik",
        .no = "نہیں|نہ|نا|جی نہیں|نہیں جی|نہیں یار|نہیں بھائی|اب نہیں|ہرگز نہیں|بالکل نہیں|مت کرو|"
              "مت کریں|نہ کرو|نہ کریں|رہنے دو|رہنے دیں|رک جاؤ|رکو|منسوخ|منسوخ کرو|منسوخ کریں|"
              "ابھی نہیں|چھوڑو|چھوڑ دو|اسے رہنے دو|اسے رہنے دیں|اسے چھوڑ دو|nahi|nahin|nai|nahee|"
              "na|ji nahi|ji nahin|nahi ji|nahi yaar|nahi bhai|ab nahi|hargiz nahi|bilkul nahi|"
              "bilkul nahin|mat karo|mat karein|mat karen|na karo|na karein|rehne do|"
              "rehne do yaar|rehne do bhai|ise rehne do|isay rehne do|usay rehne do|rehne dein|"
              "ruko|ruk jao|mansookh|cancel karo|abhi nahi|abhi nahin|choro|chhoro|"
              "chor do" POSTRIDER_ASSENT_ANYWHERE_NO,
        .fillers = "شکریہ|براہ کرم|مہربانی|پلیز|حذف|حذف کر دو|حذف کر دیں|حذف کرو|اسے حذف کر دو|"
                   "اسے حذف کر دیں|اسے حذف کرو|مٹا دو|مٹا دیں|اسے مٹا دو|shukriya|meherbani|plz|"
                   "please|delete kar do|delete kardo|delete karo|ise delete kar do|"
                   "isay delete kar do|usay delete kar do|use delete kar do|hata do|"
                   "mita do" POSTRIDER_ASSENT_ANYWHERE_FILLER,
        // "Put it right", not "right".
        .idioms = "ٹھیک کر دو|ٹھیک کر دیں|ٹھیک کر دیجیے|ٹھیک کرو|ٹھیک کریں|درست کر دو|درست کر دیں|"
                  "درست کر دیجیے|درست کرو|درست کریں|theek kar do|theek kardo|theek kar dein|"
                  "theek kar den|theek karo|theek karein|thik kar do|thik kardo|thik kar dein|"
                  "thik kar den|thik karo|thik karein|ہاں ہاں|ٹھیک ہے ٹھیک ہے|haan haan|"
                  "theek hai theek hai|thik hai thik hai|"
                  "karo karo" POSTRIDER_ASSENT_ANYWHERE_IDIOM,
    },
};

} // namespace

std::span<assent_words const> assent_table() noexcept {
    return assents;
}

} // namespace postrider::agent
