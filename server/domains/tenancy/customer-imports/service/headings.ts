import { fold } from "@/server/core/fold";

/** Content of a column by its heading. `name` is a whole name or, beside the other part, a first or last name. */
type Meaning = "email" | "phone" | "full" | "first" | "last" | "company" | "name";

export interface Heading {
  meaning: Meaning;
  /** A second address, a number at home: taken when it has more rows. */
  isSecondary: boolean;
  isMobile: boolean;
}

interface Rule {
  meaning: Meaning | "other";
  /** Parts of a heading without spaces. */
  parts: string;
  /** Whole words of a heading: "ad" is in "adres", too, "tel" in "hotel". */
  words?: string;
}

/** Headings in the product's languages, by the programs that export addresses. The first rule that fits counts. */
const RULES: readonly Rule[] = [
  {
    meaning: "other",
    parts: `phonetic yomi fonetik phonetisch middlename additionalname nickname spitzname surnom takmaad soprannome никнейм
      maildisplayname postagörünenad fileas speichernunter prefix suffix önek sonek username benutzername kullanıcı utilisateur
      utente пользовател filename domain website weiterevorname ikinciad deuxièmeprénom secondonome отчество
      mailing postakod postalcode postcode postleitzahl codepostal codicepostale индекс الرمزالبريدي adressepostale
      fax faks факс فاكس telex pager çağrıcihaz spouse manager assistant assistent yönetici asistan referredby`,
    words: "label type typ tip türü tür тип نوع title",
  },
  { meaning: "email", parts: "mail eposta postaelettronica почт courriel بريد ايميل", words: "posta" },
  {
    meaning: "phone",
    parts: "phone telefon mobil rufnummer телефон هاتف جوال موبايل محمول cellulare whatsapp",
    words: "tel gsm cep тел handy portable cell",
  },
  {
    meaning: "full",
    parts: `fullname displayname anzeigename görünenad adsoyad adısoyad advesoyad adıvesoyad isimsoyad isimsoyisim
      isimvesoyisim vollständigername ganzername nomcomplet nomecompleto nomecognome nomeecognome cognomenome cognomeenome
      nometprénom nomprénom prénometnom prénomnom vornamenachname vornachname vorundnachname vornameundnachname
      nachnamevorname firstlastname firstandlastname полноеимя имяифамилия имяфамилия фамилияимя фамилияиимя фио
      الاسمالكامل`,
  },
  {
    meaning: "first",
    parts: "firstname givenname forename vorname rufname prénom ilkad الاسمالأول الاسمالشخصي",
  },
  {
    meaning: "last",
    parts: `lastname surname familyname nachname familienname zuname soyad soyisim cognome nomdefamille фамили اسمالعائلة
      العائلة الكنية اللقب`,
  },
  {
    meaning: "company",
    parts: `company organization organisation firma şirket kurum unternehmen entreprise société società azienda organizzazione
      компани организаци شركة`,
  },
  { meaning: "name", parts: "name isim", words: "ad adı adınız nom nome имя اسم الاسم" },
  { meaning: "company", parts: "müşteri unvan customer kunde client клиент" },
];

const wordsOf = (list = "") => list.split(/\s+/).filter(Boolean).map(fold);
const COMPILED = RULES.map(({ meaning, parts, words }) => ({
  meaning,
  parts: wordsOf(parts),
  words: new Set(wordsOf(words)),
}));

const SECONDARY =
  /[2-9]|secon|ikinci|weiter|zweit|alternat|other|diger|andere|autre|altr[ao]|друго|дополн|home|priva/;
const MOBILE = /mobil|cell|cep|gsm|handy|portable|мобил|جوال|محمول|موبايل/;

/** Reads a heading; undefined when no field of an invitation is called like it. */
export function headingOf(text: string): Heading | undefined {
  // "TelNo" and "tel_no" are two words as "tel no" is.
  const words = fold(text.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " "))
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  const compact = words.join("");
  const rule = COMPILED.find(
    (each) => each.parts.some((part) => compact.includes(part)) || words.some((word) => each.words.has(word)),
  );
  if (!rule || rule.meaning === "other") return undefined;
  const { meaning } = rule;
  return { meaning, isSecondary: SECONDARY.test(compact), isMobile: MOBILE.test(compact) };
}
