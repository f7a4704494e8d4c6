/** Bytes that are looked at to tell UTF-16 without a mark from a file that is no text. */
const HEAD = 4096;
/** Words outside ASCII that are compared to find a code page. */
const WORDS = 2000;

/**
 * Decodes the text of a table: UTF-8 or UTF-16 with or without a mark, else the Windows code page that its letters fit.
 * Returns undefined for bytes that are no text.
 */
export function decode(bytes: Uint8Array): string | undefined {
  const text = withEncoding(bytes)?.replace(/^(\uFEFF|\u00EF\u00BB\u00BF)/, "");
  return text === undefined || isBinary(text) ? undefined : text;
}

function withEncoding(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  if (bytes.includes(0)) return utf16(bytes);
  const text = new TextDecoder("utf-8").decode(bytes);
  return isUtf8(text) ? text : withCodePage(bytes);
}

/** Without a mark, the high bytes of separators, digits and Latin letters are zero, and no low byte is. */
function utf16(bytes: Uint8Array): string | undefined {
  const zeros = [0, 0];
  for (let at = 0; at < Math.min(bytes.length, HEAD); at++) if (bytes[at] === 0) zeros[at % 2]!++;
  const [even = 0, odd = 0] = zeros;
  if (odd > 10 * even) return new TextDecoder("utf-16le").decode(bytes);
  return even > 10 * odd ? new TextDecoder("utf-16be").decode(bytes) : undefined;
}

/** A few broken characters do not make a text in UTF-8 one in another encoding. */
function isUtf8(text: string): boolean {
  const broken = text.split("\uFFFD").length - 1;
  if (broken === 0) return true;
  const beyondAscii = (text.match(/[^\p{ASCII}\uFFFD]/gu) ?? []).length;
  return beyondAscii > broken;
}

/** Word processors leave single control characters in cells; a file of other content is full of them. */
function isBinary(text: string): boolean {
  if (text.includes("\0")) return true;
  const controls = (text.match(/[^\P{Cc}\t\n\v\f\r]/gu) ?? []).length;
  return controls * 50 > text.length;
}

interface CodePage {
  name: string;
  /** Whether the letters outside ASCII are those of a language of the product that uses this code page. */
  fits: (word: string) => boolean;
}

/** Turkish, German, French and Italian words mix ASCII with a few letters; Russian and Arabic ones do not. */
const CODE_PAGES: readonly CodePage[] = [
  {
    name: "windows-1254",
    fits: (word) =>
      /^[a-zçğıİöşüâîûäßéèêëàùúôœæïÿìòóíáñ’]+$/iu.test(word) &&
      (/[a-z]/i.test(word) || word.length < 3) &&
      isCased(word),
  },
  { name: "windows-1251", fits: (word) => /^[а-яё]{2,}$/iu.test(word) && isCased(word) },
  { name: "windows-1256", fits: (word) => /^[\u0621-\u0652پچژگک]{2,}$/u.test(word) },
];

/** "Ayşe", "ayşe" and "AYŞE", not "aYşE": letters of a wrong code page change their case within a word. */
function isCased(word: string): boolean {
  return /^(\p{L}?[^\p{Lu}]*|[^\p{Ll}]*)$/u.test(word);
}

function withCodePage(bytes: Uint8Array): string {
  const texts = CODE_PAGES.map(({ name, fits }) => {
    const text = new TextDecoder(name).decode(bytes);
    let words = 0;
    let fitting = 0;
    for (const [word] of text.matchAll(/[\p{L}\p{M}’]+/gu)) {
      if (/^\p{ASCII}*$/u.test(word)) continue;
      if (fits(word)) fitting++;
      if (++words === WORDS) break;
    }
    return { text, fitting };
  });
  return texts.toSorted((a, b) => b.fitting - a.fitting)[0]!.text;
}
