import { fold } from "@/server/core/fold";

/** Characters that no list of people contains: C1 controls, unassigned characters, box drawing. */
const UNREADABLE = /[\x80-\x9F\uFFFD\uF8FF\u2500-\u259F]/;
const MAX_WORDS = 2000;
const MAX_WORD_LENGTH = 40;

/** Bytes 0x80 to 0xFF of code pages that `TextDecoder` does not support. */
const CP857 =
  "ÇüéâäàåçêëèïîıÄÅÉæÆôöòûùİÖÜø£ØŞşáíóúñÑĞğ¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ºªÊËÈ�ÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµ�×ÚÛÙìÿ¯´\xAD±�¾¶§÷¸°¨·¹³²■\xA0";
const CP850 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\xAD±‗¾¶§÷¸°¨·¹³²■\xA0";
const MAC_TURKISH =
  "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\xA0ÀÃÕŒœ–—“”‘’÷◊ÿŸĞğİıŞş‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\uF8FFÒÚÛÙ�ˆ˜¯˘˙˚¸˝˛ˇ";

interface CodePage {
  /** A DOS or Macintosh code page. It needs a high score, because any bytes decode in it. */
  isOld?: boolean;
  decode: (bytes: Uint8Array) => string;
  fits: (word: string) => boolean;
}

const decodeLatin1 = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
const builtInDecoder = (name: string) => (bytes: Uint8Array) => new TextDecoder(name).decode(bytes);
const tableDecoder = (letters: string) => (bytes: Uint8Array) =>
  decodeLatin1(bytes).replace(/[\x80-\xFF]/g, (byte) => letters[byte.charCodeAt(0) - 0x80]!);

/** Node.js 20 decodes Windows-1252 as Latin-1, so replace the letters that differ from Windows-1254. */
const decodeWindows1252 = (bytes: Uint8Array) =>
  builtInDecoder("windows-1254")(bytes).replace(
    /[ĞİŞğış\x8E\x9E]/g,
    (letter) => "ÐÝÞðýþŽž"["ĞİŞğış\x8E\x9E".indexOf(letter)]!,
  );

const TURKISH = /^[a-zçğıİöşüâîûäßéèêëàùúôœæïÿìòóíáñ’]+$/iu;
const WESTERN = /^[a-zçöüâîûäßéèêëàùúôœæïÿìòóíáñåãõøšž’]+$/iu;
const RUSSIAN = /^[а-яё]{2,}$/iu;
const ARABIC = /^[\u0621-\u0652پچژگک]{2,}$/u;

/** "Ayşe", "ayşe" and "AYŞE", not "aYşE": a wrong code page changes the case within a word. */
const hasConsistentCase = (word: string) => /^(\p{L}?[^\p{Lu}]*|[^\p{Ll}]*)$/u.test(word);

/** Latin words mix ASCII with a few other letters. */
const mixedWordTest = (letters: RegExp) => (word: string) =>
  letters.test(word) && /[a-z]/i.test(word) && hasConsistentCase(word);
const latinWordTest = (letters: RegExp) => (word: string) =>
  mixedWordTest(letters)(word) ||
  (word.length < 3 && letters.test(word) && hasConsistentCase(word)) ||
  /^[“„‘«]?[a-z]+[”“’»]?$/i.test(word);
const isRussian = (word: string) => RUSSIAN.test(word) && hasConsistentCase(word);

/** The first one wins a tie. */
const CODE_PAGES: readonly CodePage[] = [
  { decode: builtInDecoder("windows-1254"), fits: latinWordTest(TURKISH) },
  { decode: decodeWindows1252, fits: latinWordTest(WESTERN) },
  { decode: builtInDecoder("windows-1251"), fits: isRussian },
  { decode: builtInDecoder("windows-1256"), fits: (word) => ARABIC.test(word) },
  { isOld: true, decode: tableDecoder(CP857), fits: mixedWordTest(TURKISH) },
  { isOld: true, decode: tableDecoder(CP850), fits: mixedWordTest(WESTERN) },
  { isOld: true, decode: builtInDecoder("macintosh"), fits: mixedWordTest(WESTERN) },
  { isOld: true, decode: tableDecoder(MAC_TURKISH), fits: mixedWordTest(TURKISH) },
  { isOld: true, decode: builtInDecoder("ibm866"), fits: isRussian },
  { isOld: true, decode: builtInDecoder("koi8-r"), fits: isRussian },
  { isOld: true, decode: builtInDecoder("x-mac-cyrillic"), fits: isRussian },
];

/** Uses the code page that fits most words; undefined if the text is unreadable. */
export function decodeByCodePage(bytes: Uint8Array): string | undefined {
  const words = extractWords(bytes);
  const scores = CODE_PAGES.map(({ decode, fits, isOld }) => {
    const decoded = words.length > 0 ? decode(Buffer.from(words.join("\n"), "latin1")).split("\n") : [];
    const score = decoded.reduce((sum, word) => sum + scoreWord(word, fits), 0);
    return { decode, score: isOld && score * 3 < words.length * 2 ? 0 : score };
  });
  const [first] = scores;
  const [best] = scores.toSorted((a, b) => b.score - a.score);
  const text = (best!.score > 0 ? best! : first!).decode(bytes);
  return UNREADABLE.test(text) ? undefined : text;
}

function extractWords(bytes: Uint8Array): string[] {
  const words: string[] = [];
  for (const [word] of decodeLatin1(bytes).matchAll(/[A-Za-z\x80-\xFF]+/g)) {
    if (word.length > MAX_WORD_LENGTH || /^[A-Za-z]*$/.test(word)) continue;
    if (words.push(word) === MAX_WORDS) break;
  }
  return words;
}

const PUNCTUATION = /[“”„‘’«»‹›–—…•·\xA0]/g;

/** 1 for a fitting word, 0.5 if it is hard to pronounce, 0 for others, -1 for unreadable characters. */
function scoreWord(rawWord: string, fits: (word: string) => boolean): number {
  if (UNREADABLE.test(rawWord)) return -1;
  const word = [rawWord, rawWord.replace(PUNCTUATION, "")].find(fits);
  if (!word) return 0;
  return isPronounceable(word) ? 1 : 0.5;
}

const VOWEL = /[aeiouyæœø]/;

/** `Müller`, not `Mşller`: between other letters, a non-ASCII vowel needs consonants and vice versa. */
function isPronounceable(word: string): boolean {
  const letters = [...word];
  const isVowel = letters.map((letter) => VOWEL.test(fold(letter)));
  if (letters.every((letter) => letter > "\x7F")) return true;
  return letters.every((letter, index) => {
    if (letter <= "\x7F" || index === 0 || index === letters.length - 1) return true;
    if (!isVowel[index]) return isVowel[index - 1] || isVowel[index + 1];
    return !isVowel[index - 1] && !isVowel[index + 1];
  });
}
