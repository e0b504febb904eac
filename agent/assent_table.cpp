#include "agent/assent.hpp"

#include <array>

// What is understood in every language stands in each list: a message is read in one language.
#define POSTRIDER_ASSENT_ANYWHERE_YES "|ok|okay|okey|👍|👌|✅|✔|💯|🆗|"
#define POSTRIDER_ASSENT_ANYWHERE_NO "|👎|❌|🚫|⛔|🛑|✖|"
#define POSTRIDER_ASSENT_ANYWHERE_FILLER "|🙏|🙂|😊|😀|😄|"

namespace postrider::agent {

namespace {

constexpr std::array table{
    assent_words{
        .language = "en",
        .yes = "yes|y|yep|yup|yeah|yea|yeh|aye|sure|sure thing|of course|certainly|absolutely|"
               "definitely|affirmative|confirm|confirmed|i confirm|approve|approved|i approve|"
               "do it|do that|do so|go ahead|go for it|go on|proceed|please do|by all means|"
               "i'm sure|i am sure|im sure|totally|agreed|correct|that's right|yes i do|yes i am|"
               "make it so|100 percent|sounds good|go" POSTRIDER_ASSENT_ANYWHERE_YES,
        .no = "no|n|nope|nah|nay|no way|not now|never|never mind|nevermind|nvm|don't|do not|"
              "don't do it|don't do that|do not do it|do not do that|please don't|cancel|cancelled|"
              "cancel it|cancel that|stop|abort|reject|rejected|deny|denied|decline|declined|"
              "keep it|keep that|leave it|forget it|no thanks|no thank you|negative|absolutely not|"
              "definitely not|of course not|certainly not|better not|rather not|i'd rather not|"
              "not yet|don't delete it|do not delete it|don't delete|hell "
              "no" POSTRIDER_ASSENT_ANYWHERE_NO,
        .fillers = "please|pls|plz|thanks|thank you|thx|now|then|delete it|delete that|"
                   "remove it|remove that|rename it|send it|run it|that's fine|it|"
                   "i want that|i want it|bot" POSTRIDER_ASSENT_ANYWHERE_FILLER,
    },
    assent_words{
        .language = "de",
        .yes =
            "ja|jo|jap|jep|jup|joa|jawohl|jawoll|ja klar|klar|na klar|sicher|sicher doch|"
            "bin sicher|ich bin sicher|ich bin mir sicher|natürlich|natuerlich|selbstverständlich|"
            "gerne|gern|mach|mach das|mach es|mach's|machs|mach mal|tu es|tu das|leg los|"
            "einverstanden|bestätigt|bestätige|ich bestätige|genehmigt|genau|unbedingt|"
            "auf jeden fall|stimmt|passt|in ordnung" POSTRIDER_ASSENT_ANYWHERE_YES,
        .no =
            "nein|ne|nee|nö|noe|nein danke|auf keinen fall|keinesfalls|niemals|lieber nicht|"
            "bitte nicht|nicht|mach das nicht|mach es nicht|tu das nicht|tu es nicht|nicht löschen|"
            "nicht loeschen|lösch das nicht|lösche es nicht|abbrechen|abbruch|brich ab|stopp|stop|"
            "halt|lass es|lass das|lass mal|vergiss es|behalten|ablehnen|abgelehnt|noch nicht|"
            "jetzt nicht" POSTRIDER_ASSENT_ANYWHERE_NO,
        .fillers = "bitte|danke|jetzt|dann|mal|doch|lösch es|lösche es|lösch das|lösche das|"
                   "lösch ihn|lösch sie|lösche sie|lösche ihn|loesch es|löschen|weg damit|"
                   "umbenennen|benenne es um|so|das" POSTRIDER_ASSENT_ANYWHERE_FILLER,
    },
    assent_words{
        .language = "es",
        .yes = "sí|sip|sep|claro|claro que sí|por supuesto|desde luego|vale|dale|de acuerdo|"
               "adelante|hazlo|confirmo|confirmado|confirmar|apruebo|aprobado|seguro|estoy seguro|"
               "estoy segura|exacto|correcto|cómo no|venga|sin duda" POSTRIDER_ASSENT_ANYWHERE_YES,
        .no = "no|nop|nel|no gracias|para nada|de ninguna manera|jamás|nunca|mejor no|todavía no|"
              "aún no|ahora no|no lo hagas|no lo borres|no la borres|no lo elimines|no borres|"
              "cancelar|cancela|cancelado|cancélalo|para|detente|alto|déjalo|olvídalo|rechazo|"
              "rechazado|claro que no|por supuesto que no|ni hablar|que "
              "no" POSTRIDER_ASSENT_ANYWHERE_NO,
        .fillers = "por favor|porfa|porfavor|gracias|ahora|bórralo|bórrala|elimínalo|elimínala|"
                   "quítalo|quítala|borralo ya|ya|renómbralo|renómbrala|muchas "
                   "gracias" POSTRIDER_ASSENT_ANYWHERE_FILLER,
    },
    assent_words{
        .language = "fr",
        .yes = "oui|ouais|ouaip|mais oui|oui oui|si|bien sûr|bien sur|certainement|absolument|"
               "d'accord|daccord|dac|vas-y|allez-y|allez|fais-le|faites-le|fais ça|je confirme|"
               "confirmé|confirme|approuvé|j'approuve|volontiers|exact|tout à fait|je suis sûr|"
               "je suis sûre|certain|carrément|entendu|ça marche" POSTRIDER_ASSENT_ANYWHERE_YES,
        .no = "non|nan|non merci|jamais|surtout pas|pas maintenant|pas encore|pas du tout|"
              "certainement pas|bien sûr que non|ne le fais pas|ne fais pas ça|fais pas ça|"
              "ne supprime pas|ne le supprime pas|ne la supprime pas|annule|annuler|annulé|"
              "annulez|arrête|arrêtez|stop|laisse|laisse tomber|oublie|refusé|je refuse|"
              "plutôt pas|mieux vaut pas" POSTRIDER_ASSENT_ANYWHERE_NO,
        .fillers = "s'il te plaît|s'il vous plaît|stp|svp|merci|maintenant|supprime-le|supprime-la|"
                   "supprimez-le|supprimez-la|efface-le|efface-la|renomme-le|renomme-la|ça|"
                   "alors" POSTRIDER_ASSENT_ANYWHERE_FILLER,
    },
    assent_words{
        .language = "ru",
        .yes = "да|ага|угу|ну да|да да|конечно|разумеется|хорошо|ладно|давай|давайте|согласен|"
               "согласна|подтверждаю|одобряю|уверен|уверена|я уверен|я уверена|точно|верно|"
               "действуй|сделай|сделай это|делай|продолжай|можно|именно|окей|ок|д|da|aga|konechno|"
               "davai|davay|horosho" POSTRIDER_ASSENT_ANYWHERE_YES,
        .no = "нет|не|неа|не надо|не нужно|ни в коем случае|никогда|не сейчас|пока нет|ещё нет|"
              "не делай|не делай этого|не удаляй|не удалять|отмена|отмени|отменить|отменяй|стоп|"
              "хватит|оставь|забудь|отклоняю|против|лучше не надо|лучше не|нет спасибо|"
              "конечно нет|точно нет|н|net|nyet|ne nado" POSTRIDER_ASSENT_ANYWHERE_NO,
        .fillers = "пожалуйста|пож|плиз|спасибо|сейчас|теперь|удали|удаляй|удали его|удали её|"
                   "удали это|удалить|переименуй|ну|всё" POSTRIDER_ASSENT_ANYWHERE_FILLER,
    },
    assent_words{
        .language = "ur",
        .yes = "ہاں|جی|جی ہاں|ہاں جی|جی بالکل|بالکل|ضرور|ٹھیک ہے|ٹھیک|درست|کر دو|کر دیں|کر دیجیے|"
               "کرو|کریں|منظور|منظور ہے|یقینا|مجھے یقین ہے|haan|han|haan ji|han ji|ji|"
               "ji haan|ji han|jee|jee haan|bilkul|ji bilkul|zaroor|zarur|theek hai|thik hai|theek|"
               "thik|kar do|kardo|kar dein|kar den|karo|karein|manzoor|manzoor hai|yaqeenan|"
               "mujhe yaqeen hai|chalo" POSTRIDER_ASSENT_ANYWHERE_YES,
        .no = "نہیں|نہ|نا|جی نہیں|نہیں جی|ہرگز نہیں|بالکل نہیں|مت کرو|مت کریں|نہ کرو|نہ کریں|"
              "رہنے دو|رہنے دیں|رک جاؤ|رکو|منسوخ|منسوخ کرو|منسوخ کریں|ابھی نہیں|چھوڑو|چھوڑ دو|"
              "nahi|nahin|nai|nahee|na|ji nahi|ji nahin|nahi ji|hargiz nahi|bilkul nahi|"
              "bilkul nahin|mat karo|mat karein|mat karen|na karo|na karein|rehne do|rehne dein|"
              "ruko|ruk jao|mansookh|cancel karo|abhi nahi|abhi nahin|choro|chhoro|chor "
              "do" POSTRIDER_ASSENT_ANYWHERE_NO,
        .fillers = "شکریہ|براہ کرم|مہربانی|پلیز|اب|حذف|حذف کر دو|حذف کر دیں|حذف کرو|اسے|"
                   "مٹا دو|مٹا دیں|اسے مٹا دو|shukriya|meherbani|plz|please|ab|isay|ise|usay|use|"
                   "delete kar do|delete kardo|delete karo|hata do|mita "
                   "do|yaar|bhai" POSTRIDER_ASSENT_ANYWHERE_FILLER,
    },
};

} // namespace

std::span<assent_words const> assent_table() noexcept {
    return table;
}

} // namespace postrider::agent
