import { foldText } from "@/server/core/fold";

/** Word prefixes for things, so that `Produktname` and `Ürün adı` are not names of people. */
const THING_PREFIXES = `product item article category brand service package course lesson event ticket file folder campaign street
  city district province county country region project department group subject variant coupon
  currency payment property position template table
  ürün urun marka kategori hizmet paket kurs eğitim etkinlik bilet dosya kampanya sokak cadde mahalle semt ilçe şehir ülke
  bölge bölüm şube proje departman grup etiket sipariş model depo belge sınıf
  produkt artikel waren kategorie dienst veranstaltung ereignis datei kampagne straße strasse stadt ortsname länder filiale
  projekt abteilung gruppe bestell
  produit article catégorie cours événement évènement billet fichier campagne ville région agence projet département groupe
  commande
  prodott articol categoria servizi pacchett corso evento bigliett elenco campagna strada città paese regione provincia comune
  filiale progett reparto gruppo ordine
  producto artículo servicio paquete curso archivo campaña calle ciudad país región sucursal proyecto departamento grupo
  pedido
  categorie cursus evenement bestand straat filiaal afdeling groep bestelling
  товар продукт бренд категор услуг пакет курс событи мероприяти билет спис файл кампани улиц город район област регион
  стран банк филиал проект отдел групп заказ
  منتج سلعة صنف فئة خدمة دورة حدث فعالية قائمة ملف حملة شارع مدينة دولة بلد منطقة بنك فرع مشروع قسم مجموعة طلب`;
/** Whole words for things, because other words begin like them. */
const THING_WORDS = `list lists town state card plan class order bank tag job sku page room image user
  mal ders liste il kart oda araç vergi
  ort land marke klasse liste plz
  rue pays liste carte classe marque banque
  via lista carta marca banca classe
  clase tarjeta marca lista banco
  plaats stad land merk klas lijst kaart`;
/** Word prefixes for organisations, whose name is used when no column names a person. */
const COMPANY_PREFIXES = `account store shop school university hesap mağaza bayi okul üniversite konto schule magasin école negozio scuola
  tienda escuela winkel магазин школ متجر مدرسة`;
const PERSON_PREFIXES = `customer client contact buyer recipient student attendee participant patient member subscriber guest
  müşteri alıcı yetkili öğrenci ilgili katılımcı hasta üye abone misafir davetli danışan
  kunde kontakt empfänger käufer schüler teilnehmer mitglied ansprechpartner
  destinataire acheteur élève étudiant participant interlocuteur adhérent
  cliente contatto destinatario acquirente studente partecipante referente
  contacto alumno comprador klant ontvanger
  клиент контакт получател покупател студент ученик участник пациент
  عميل زبون مستلم طالب مشارك`;

const splitWords = (list: string) => list.split(/\s+/).map(foldText);
const thingPrefixes = splitWords(THING_PREFIXES);
const thingWords = new Set(splitWords(THING_WORDS));
const companyPrefixes = splitWords(COMPANY_PREFIXES);
const personPrefixes = splitWords(PERSON_PREFIXES);

export function detectHeadingEntity(words: readonly string[]): "thing" | "company" | "person" | undefined {
  const stems = words.map((word) => word.replace(/^ال/, ""));
  const hasPrefix = (prefixes: readonly string[]) =>
    stems.some((word) => prefixes.some((prefix) => word.startsWith(prefix)));
  if (stems.some((word) => thingWords.has(word)) || hasPrefix(thingPrefixes)) return "thing";
  if (hasPrefix(personPrefixes)) return "person";
  return hasPrefix(companyPrefixes) ? "company" : undefined;
}
