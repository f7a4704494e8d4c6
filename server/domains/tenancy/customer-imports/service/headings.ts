import { foldText } from "@/server/core/fold";
import { detectHeadingEntity } from "./heading-entities";

/** `name`: full or partial name. `person`, `company`, `thing`: name of a customer, company or product. */
export type HeadingMeaning =
  | "email"
  | "phone"
  | "full"
  | "first"
  | "last"
  | "company"
  | "name"
  | "person"
  | "thing";

export interface Heading {
  meaning: HeadingMeaning;
  isSecondary: boolean;
  isMobile: boolean;
  /** True for "E-posta", not for "E-posta kampanyası". */
  isExact: boolean;
}

interface Rule {
  meaning: HeadingMeaning | "other";
  parts: string;
  /** Whole words: "ad" is also in "adres", "tel" in "hotel". */
  words?: string;
  /** Whole headings without spaces: "Last" is a name, "Last login" is not. */
  whole?: string;
}

/** Headings that export programs write, in the product's languages. The first matching rule wins. */
const HEADING_RULES: readonly Rule[] = [
  {
    meaning: "other",
    parts: `phonetic yomi fonetik phonetisch middlename additionalname nickname spitzname surnom takmaad soprannome никнейм
      maildisplayname postagörünenad fileas speichernunter prefix suffix önek sonek username benutzername kullanıcı utilisateur
      utente пользовател filename domain website weiterevorname ikinciad deuxièmeprénom secondonome отчество
      mailing postakod postalcode postcode postleitzahl codepostal codicepostale индекс الرمزالبريدي adressepostale
      segundonombre tussenvoegsel fax faks факс فاكس telex pager çağrıcihaz spouse manager assistant assistent yönetici asistan referredby
      contactowner accountowner leadowner`,
    words: "label type typ tip türü tür тип نوع title",
  },
  { meaning: "email", parts: "mail eposta postaelettronica почт courriel بريد ايميل", words: "posta correo" },
  {
    meaning: "phone",
    parts:
      "phone telefon telefoon mobil mobiel celular móvil rufnummer телефон هاتف جوال موبايل محمول cellulare whatsapp",
    words: "tel gsm cep тел handy portable cell",
  },
  {
    meaning: "full",
    parts: `fullname displayname anzeigename görünenad adsoyad adısoyad advesoyad adıvesoyad isimsoyad isimsoyisim
      isimvesoyisim vollständigername ganzername nomcomplet nomecompleto nomecognome nomeecognome cognomenome cognomeenome
      nometprénom nomprénom prénometnom prénomnom vornamenachname vornachname vorundnachname vornameundnachname
      nachnamevorname firstlastname firstandlastname nombrecompleto nombreyapellido nombresyapellidos nombreapellidos volledigenaam voorenachternaam полноеимя имяифамилия имяфамилия фамилияимя фамилияиимя фио
      الاسمالكامل`,
  },
  {
    meaning: "first",
    parts: `firstname givenname forename namefirst vorname rufname prénom ilkad primernombre voornaam الاسمالأول
      الاسمالشخصي`,
    whole: "first fname gn",
  },
  {
    meaning: "last",
    parts: `lastname surname familyname namelast apellido achternaam nachname familienname zuname soyad soyisim cognome nomdefamille фамили اسمالعائلة
      العائلة الكنية اللقب`,
    whole: "last lname sn sonad",
  },
  {
    meaning: "person",
    parts: `yetkili ilgilikişi ansprechpartner kontaktperson contactperson contactname contactpersoon interlocuteur
      контактноелицо`,
    whole: `contact recipient buyer student attendee participant alıcı öğrenci katılımcı danışan üye kontakt empfänger
      käufer schüler teilnehmer destinataire acheteur élève étudiant contatto destinatario acquirente studente
      partecipante referente contacto destinatario alumno ontvanger получатель покупатель студент участник المستلم
      الطالب المشارك`,
  },
  {
    meaning: "company",
    parts: `company organization organisation firma şirket kurum unternehmen entreprise société società azienda organizzazione
      empresa bedrijf компани организаци شركة`,
  },
  {
    meaning: "name",
    parts: "name isim",
    words: "ad adı adınız ismi isminiz nom nome nombre nombres naam имя اسم الاسم",
  },
  { meaning: "company", parts: "müşteri unvan customer kunde client klant клиент" },
];

const splitWords = (list = "") => list.split(/\s+/).filter(Boolean).map(foldText);
const COMPILED_RULES = HEADING_RULES.map(({ meaning, parts, words, whole }) => ({
  meaning,
  parts: splitWords(parts),
  words: new Set(splitWords(words)),
  whole: new Set(splitWords(whole)),
}));

const SECONDARY_PATTERN =
  /[2-9]|secon|ikinci|weiter|zweit|alternat|other|diger|andere|autre|altr[ao]|друго|дополн|home|priva/;
const MOBILE_PATTERN = /mobil|cell|cep|gsm|handy|portable|мобил|جوال|محمول|موبايل/;

export function parseHeading(text: string): Heading | undefined {
  // "TelNo" and "tel_no" are two words, like "tel no".
  const words = foldText(text.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " "))
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  const joinedWords = words.join("");
  const rule = COMPILED_RULES.find(
    (candidateRule) =>
      candidateRule.whole.has(joinedWords) ||
      candidateRule.parts.some((part) => joinedWords.includes(part)) ||
      words.some((word) => candidateRule.words.has(word)),
  );
  if (!rule || rule.meaning === "other") return undefined;
  const meaning = rule.meaning === "name" ? (detectHeadingEntity(words) ?? "name") : rule.meaning;
  return {
    meaning,
    isSecondary: SECONDARY_PATTERN.test(joinedWords),
    isMobile: MOBILE_PATTERN.test(joinedWords),
    isExact:
      [rule.whole, rule.words].some((list) => list.has(joinedWords)) || rule.parts.includes(joinedWords),
  };
}
