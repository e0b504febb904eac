#include "agent/tools/place_table.hpp"

#include <array>

namespace postrider::agent {

namespace {

constexpr auto zones = std::to_array<zone_places>({
    {"Africa/Abidjan",
     "ivory coast|cote d ivoire|ghana|senegal|mali|gambia|guinea|sierra "
     "leone|togo|mauritania|burkina faso"},
    {"Africa/Algiers", "algeria|oran|alger"},
    {"Africa/Cairo", "alexandria|giza|kairo|le caire|каир"},
    {"Africa/Casablanca", "morocco|rabat|marrakesh|marrakech|fes|tangier|marokko|maroc"},
    {"Africa/Johannesburg", "south africa|cape town|durban|pretoria|kapstadt|sudafrika"},
    {"Africa/Khartoum", "sudan|omdurman"},
    {"Africa/Lagos", "nigeria|abuja|kano|ibadan|cameroon|yaounde|angola|benin|niger|chad|gabon"},
    {"Africa/Maputo", "mozambique|botswana|malawi|zambia|zimbabwe|rwanda|burundi|lubumbashi"},
    {"Africa/Nairobi",
     "kenya|mombasa|ethiopia|tanzania|uganda|somalia|madagascar|zanzibar|eritrea"},
    {"Africa/Tripoli", "benghazi"},
    {"Africa/Tunis", "tunisia|tunesien|tunisie"},
    {"Africa/Windhoek", "namibia"},
    {"America/Anchorage", "alaska|fairbanks"},
    {"America/Argentina/Buenos_Aires", "argentina|rosario|argentinien"},
    {"America/Asuncion", "paraguay"},
    {"America/Bogota", "colombia|medellin|cali|cartagena|barranquilla|kolumbien"},
    {"America/Caracas", "venezuela|maracaibo"},
    {"America/Chicago",
     "houston|dallas|austin|san antonio|new orleans|minneapolis|milwaukee|st louis|saint "
     "louis|kansas city|memphis|nashville|oklahoma "
     "city|omaha|illinois|minnesota|wisconsin|louisiana|missouri|iowa|alabama|mississippi|arkansas|"
     "oklahoma|central time"},
    {"America/Costa_Rica", "san jose costa rica"},
    {"America/Denver",
     "salt lake city|albuquerque|boulder|colorado springs|colorado|utah|montana|wyoming|new "
     "mexico|mountain time"},
    {"America/Detroit", "michigan"},
    {"America/Edmonton", "calgary|alberta"},
    {"America/Guatemala", "guatemala city"},
    {"America/Guayaquil", "ecuador|quito"},
    {"America/Halifax", "nova scotia"},
    {"America/Havana", "habana|la habana|havanna"},
    {"America/La_Paz", "bolivia|santa cruz de la sierra"},
    {"America/Lima", "peru|cusco|arequipa"},
    {"America/Los_Angeles",
     "san francisco|san diego|san jose|seattle|portland|las vegas|sacramento|oakland|silicon "
     "valley|palo alto|la|sf|california|nevada|washington state|hollywood|pacific time|pst|pdt"},
    {"America/Managua", "nicaragua"},
    {"America/Mexico_City", "guadalajara|puebla|ciudad de mexico|mexiko stadt|cdmx"},
    {"America/Montevideo", "uruguay"},
    {"America/New_York",
     "new york city|nyc|brooklyn|manhattan|washington|washington "
     "dc|boston|philadelphia|miami|atlanta|orlando|tampa|baltimore|pittsburgh|cleveland|columbus|"
     "cincinnati|charlotte|raleigh|buffalo|jacksonville|new "
     "jersey|massachusetts|pennsylvania|virginia|georgia usa|ohio|north carolina|south "
     "carolina|maryland|connecticut|maine|vermont|new hampshire|rhode island|delaware|west "
     "virginia|eastern time|edt|нью йорк"},
    {"America/Panama", "panama city"},
    {"America/Phoenix", "arizona|tucson"},
    {"America/Port-au-Prince", "haiti"},
    {"America/Puerto_Rico", "san juan"},
    {"America/Santiago", "chile|valparaiso"},
    {"America/Santo_Domingo", "dominican republic"},
    {"America/Sao_Paulo",
     "rio de janeiro|rio|brasilia|salvador da bahia|belo horizonte|curitiba|porto alegre"},
    {"America/El_Salvador", "san salvador"},
    {"America/Tegucigalpa", "honduras"},
    {"America/Toronto", "ottawa|montreal|quebec|ontario|quebec city|hamilton ontario"},
    {"America/Vancouver", "british columbia"},
    {"America/Winnipeg", "manitoba"},
    {"Asia/Almaty", "kazakhstan|astana|алматы"},
    {"Asia/Amman", "jordan|jordanien"},
    {"Asia/Ashgabat", "turkmenistan"},
    {"Asia/Baghdad", "iraq|basra|mosul|irak"},
    {"Asia/Baku", "azerbaijan"},
    {"Asia/Bangkok", "thailand|phuket|chiang mai|pattaya"},
    {"Asia/Beirut", "lebanon|libanon|liban"},
    {"Asia/Bishkek", "kyrgyzstan"},
    {"Asia/Colombo", "sri lanka|kandy"},
    {"Asia/Damascus", "syria|aleppo|syrien"},
    {"Asia/Dhaka", "bangladesh|chittagong"},
    {"Asia/Dubai", "united arab emirates|uae|abu dhabi|sharjah|oman|muscat|دبئی"},
    {"Asia/Ho_Chi_Minh", "vietnam|hanoi|saigon|ho chi minh city|da nang"},
    {"Asia/Hong_Kong", "香港"},
    {"Asia/Jakarta", "bandung|surabaya|java|sumatra|medan"},
    {"Asia/Jerusalem", "haifa|tel aviv jaffa"},
    {"Asia/Kabul", "afghanistan|herat"},
    {"Asia/Karachi",
     "pakistan|lahore|islamabad|rawalpindi|peshawar|faisalabad|multan|quetta|پاکستان|کراچی|لاہور"},
    {"Asia/Kathmandu", "nepal|pokhara"},
    {"Asia/Kolkata",
     "india|delhi|new "
     "delhi|mumbai|bombay|bangalore|bengaluru|chennai|madras|hyderabad|pune|ahmedabad|jaipur|"
     "lucknow|goa|indien|inde|दिल्ली"},
    {"Asia/Kuala_Lumpur", "malaysia|penang|johor bahru"},
    {"Asia/Kuwait", "kuwait city"},
    {"Asia/Makassar", "bali|denpasar"},
    {"Asia/Manila", "philippines|cebu|davao|philippinen"},
    {"Asia/Phnom_Penh", "cambodia|siem reap"},
    {"Asia/Pyongyang", "north korea"},
    {"Asia/Qatar", "doha|katar"},
    {"Asia/Riyadh", "saudi arabia|jeddah|mecca|makkah|medina|dammam|yemen|مکہ"},
    {"Asia/Seoul", "south korea|korea|busan|incheon|서울|sudkorea"},
    {"Asia/Shanghai",
     "china|beijing|peking|shenzhen|guangzhou|canton|chengdu|chongqing|wuhan|tianjin|hangzhou|"
     "nanjing|xian|北京|上海|пекин"},
    {"Asia/Singapore", "singapur|singapour"},
    {"Asia/Taipei", "taiwan|kaohsiung"},
    {"Asia/Tashkent", "uzbekistan"},
    {"Asia/Tbilisi", "georgia|tiflis|batumi"},
    {"Asia/Tehran", "isfahan|shiraz|teheran|تہران"},
    {"Asia/Thimphu", "bhutan"},
    {"Asia/Tokyo", "osaka|kyoto|yokohama|nagoya|sapporo|fukuoka|hiroshima|tokio|jst|東京|токио"},
    {"Asia/Ulaanbaatar", "ulan bator"},
    {"Asia/Vientiane", "laos"},
    {"Asia/Yangon", "myanmar|burma|rangoon"},
    {"Asia/Yekaterinburg", "ekaterinburg|chelyabinsk|екатеринбург"},
    {"Asia/Yerevan", "armenia|eriwan"},
    {"Atlantic/Azores", "acores|ponta delgada"},
    {"Atlantic/Canary", "canary islands|tenerife|gran canaria|las palmas|fuerteventura|lanzarote"},
    {"Australia/Adelaide", "south australia"},
    {"Australia/Brisbane", "queensland|gold coast|cairns"},
    {"Australia/Darwin", "northern territory"},
    {"Australia/Hobart", "tasmania"},
    {"Australia/Perth", "western australia"},
    {"Australia/Sydney", "canberra|new south wales|aest|aedt|wollongong"},
    {"Europe/Amsterdam", "netherlands|holland|rotterdam|the hague|utrecht|eindhoven|niederlande"},
    {"Europe/Athens", "greece|thessaloniki|crete|griechenland|athen"},
    {"Europe/Belgrade", "serbia|novi sad|serbien|belgrad"},
    {"Europe/Berlin",
     "germany|hamburg|munich|munchen|cologne|koln|frankfurt|stuttgart|dusseldorf|leipzig|dresden|"
     "hanover|hannover|nuremberg|nurnberg|bremen|dortmund|essen|bonn|cest|deutschland|allemagne|"
     "alemania|германия|берлин"},
    {"Europe/Bratislava", "slovakia|slowakei"},
    {"Europe/Brussels", "belgium|antwerp|ghent|bruges|brussel|bruxelles|belgien"},
    {"Europe/Bucharest", "romania|cluj|timisoara|bukarest|rumanien"},
    {"Europe/Budapest", "hungary|ungarn"},
    {"Europe/Chisinau", "moldova"},
    {"Europe/Copenhagen", "denmark|aarhus|kopenhagen|danemark"},
    {"Europe/Dublin", "ireland|cork|galway|irland"},
    {"Europe/Helsinki", "finland|tampere|turku|espoo|finnland"},
    {"Europe/Istanbul", "ankara|izmir|antalya|turkiye|turkei|стамбул"},
    {"Europe/Kyiv", "ukraine|kharkiv|odesa|odessa|lviv|dnipro|киев|украина"},
    {"Europe/Lisbon", "porto|lissabon|lisboa"},
    {"Europe/Ljubljana", "slovenia|slowenien"},
    {"Europe/London",
     "united kingdom|uk|great britain|britain|bst|england|scotland|wales|northern "
     "ireland|manchester|birmingham|edinburgh|glasgow|liverpool|leeds|bristol|oxford|cambridge|"
     "cardiff|londres|grossbritannien|лондон"},
    {"Europe/Luxembourg", "luxemburg"},
    {"Europe/Madrid",
     "spain|barcelona|valencia|seville|sevilla|malaga|bilbao|mallorca|ibiza|spanien|espana|espagne|"
     "мадрид"},
    {"Europe/Minsk", "belarus|минск"},
    {"Europe/Moscow",
     "st petersburg|saint "
     "petersburg|petersburg|sochi|kazan|msk|moskau|moskva|moscou|moscu|москва|санкт петербург"},
    {"Europe/Oslo", "norway|bergen|trondheim|stavanger|norwegen"},
    {"Europe/Paris",
     "france|marseille|lyon|nice|toulouse|bordeaux|strasbourg|lille|nantes|frankreich|francia|"
     "париж"},
    {"Europe/Podgorica", "montenegro"},
    {"Europe/Prague", "czech republic|czechia|brno|prag|praha|tschechien"},
    {"Europe/Riga", "latvia|lettland"},
    {"Europe/Rome",
     "italy|milan|milano|naples|napoli|turin|torino|florence|firenze|venice|venezia|bologna|sicily|"
     "roma|rom|italien|italia|рим"},
    {"Europe/Sarajevo", "bosnia|bosnia and herzegovina|bosnien"},
    {"Europe/Skopje", "north macedonia|macedonia"},
    {"Europe/Sofia", "bulgaria|plovdiv|varna|bulgarien"},
    {"Europe/Stockholm", "sweden|gothenburg|goteborg|malmo|uppsala|schweden|suede"},
    {"Europe/Tallinn", "estonia|estland"},
    {"Europe/Tirane", "albania|tirana|albanien"},
    {"Europe/Vienna", "austria|salzburg|graz|linz|innsbruck|wien|osterreich|vienne"},
    {"Europe/Vilnius", "lithuania|kaunas|litauen"},
    {"Europe/Warsaw",
     "krakow|cracow|krakau|gdansk|danzig|wroclaw|breslau|poznan|lodz|warschau|polen|варшава"},
    {"Europe/Zagreb", "croatia|split|dubrovnik|kroatien"},
    {"Europe/Zurich",
     "switzerland|geneva|basel|bern|lausanne|zug|lucerne|genf|schweiz|suisse|suiza"},
    {"Asia/Nicosia", "cyprus|limassol|larnaca|zypern"},
    {"Asia/Novosibirsk", "новосибирск"},
    {"Asia/Vladivostok", "владивосток"},
    {"Indian/Maldives", "male"},
    {"Pacific/Auckland", "new zealand|wellington|christchurch|queenstown|neuseeland"},
    {"Pacific/Fiji", "suva"},
    {"Pacific/Honolulu", "hawaii|maui|oahu"},
    {"Pacific/Port_Moresby", "papua new guinea"},
});

} // namespace

std::span<zone_places const> zones_of_places() noexcept {
    return zones;
}

std::string_view places_with_several_zones() noexcept {
    return "usa|us|united states|united states of america|america|canada|mexico|brazil|brasil|"
           "russia|russian federation|australia|indonesia|mongolia|congo|greenland|"
           "europe|asia|africa|texas|florida|tennessee|kentucky|indiana|oregon|idaho|"
           "russland|россия|kanada|brasilien|australien|europa";
}

} // namespace postrider::agent
