import { fold } from "@/server/core/fold";
import type { ImportField } from "../policy";

/** Parts of headings in the product's languages, folded: long enough to be in no other word. */
const PARTS: Record<ImportField, readonly string[]> = {
  email: ["mail", "posta", "почт", "courriel", "بريد"],
  phone: ["phone", "telefon", "mobil", "телефон", "هاتف", "جوال"],
  name: ["name", "isim", "adsoyad", "adisoyadi", "musteri", "unvan", "customer", "kunde", "client", "клиент"],
};

/** Whole words of them: "ad" is in "adres", too, "tel" in "hotel" and "nom" in "prénom". */
const WORDS: Record<ImportField, readonly string[]> = {
  email: [],
  phone: ["tel", "gsm", "cep", "тел"],
  name: ["ad", "adi", "adiniz", "nom", "nome", "имя", "фио", "اسم", "الاسم"],
};

/** The columns that are probably meant, by their headings. */
export function guess(columns: readonly string[]): Record<ImportField, number | null> {
  const taken = new Set<number>();
  const found = { name: null, email: null, phone: null } as Record<ImportField, number | null>;
  // The most telling words first: an "e-mail name" is an address.
  for (const field of ["email", "phone", "name"] as const) {
    const at = columns.findIndex((column, index) => !taken.has(index) && isCalled(column, field));
    if (at < 0) continue;
    taken.add(at);
    found[field] = at;
  }
  return found;
}

function isCalled(column: string, field: ImportField): boolean {
  const folded = fold(column);
  if (PARTS[field].some((part) => folded.includes(part))) return true;
  // "TelNo" and "tel_no" are two words as "tel no" is.
  const words = fold(column.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " ")).split(/[^\p{L}]+/u);
  return WORDS[field].some((word) => words.includes(word));
}
