import { foldText } from "@/server/core/fold";

/** Characters that no list of people contains: C1 controls, unassigned characters, box drawing. */
const UNREADABLE_CHARACTER = /[\x80-\x9F\uFFFD\uF8FF\u2500-\u259F]/;
const MAX_SCORED_WORDS = 2000;
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
const createBuiltInDecoder = (name: string) => (bytes: Uint8Array) => new TextDecoder(name).decode(bytes);
const createTableDecoder = (letters: string) => (bytes: Uint8Array) =>
  decodeLatin1(bytes).replace(/[\x80-\xFF]/g, (byte) => letters[byte.charCodeAt(0) - 0x80]!);

/** Node.js 20 decodes Windows-1252 as Latin-1, so replace the letters that differ from Windows-1254. */
const decodeWindows1252 = (bytes: Uint8Array) =>
  createBuiltInDecoder("windows-1254")(bytes).replace(
    /[ĞİŞğış\x8E\x9E]/g,
    (letter) => "ÐÝÞðýþŽž"["ĞİŞğış\x8E\x9E".indexOf(letter)]!,
  );

const TURKISH_WORD = /^[a-zçğıİöşüâîûäßéèêëàùúôœæïÿìòóíáñ’]+$/iu;
const WESTERN_WORD = /^[a-zçöüâîûäßéèêëàùúôœæïÿìòóíáñåãõøšž’]+$/iu;
const RUSSIAN_WORD = /^[а-яё]{2,}$/iu;
const ARABIC_WORD = /^[\u0621-\u0652پچژگک]{2,}$/u;

/** "Ayşe", "ayşe" and "AYŞE", not "aYşE": a wrong code page changes the case within a word. */
const hasConsistentCase = (word: string) => /^(\p{L}?[^\p{Lu}]*|[^\p{Ll}]*)$/u.test(word);

const createMixedWordTest = (letters: RegExp) => (word: string) =>
  letters.test(word) && /[a-z]/i.test(word) && hasConsistentCase(word);
const createLatinWordTest = (letters: RegExp) => (word: string) =>
  createMixedWordTest(letters)(word) ||
  (word.length < 3 && letters.test(word) && hasConsistentCase(word)) ||
  /^[“„‘«]?[a-z]+[”“’»]?$/i.test(word);
const isRussian = (word: string) => RUSSIAN_WORD.test(word) && hasConsistentCase(word);

/** The order matters: the first of equal scores wins. */
const CODE_PAGES: readonly CodePage[] = [
  { decode: createBuiltInDecoder("windows-1254"), fits: createLatinWordTest(TURKISH_WORD) },
  { decode: decodeWindows1252, fits: createLatinWordTest(WESTERN_WORD) },
  { decode: createBuiltInDecoder("windows-1251"), fits: isRussian },
  { decode: createBuiltInDecoder("windows-1256"), fits: (word) => ARABIC_WORD.test(word) },
  { isOld: true, decode: createTableDecoder(CP857), fits: createMixedWordTest(TURKISH_WORD) },
  { isOld: true, decode: createTableDecoder(CP850), fits: createMixedWordTest(WESTERN_WORD) },
  { isOld: true, decode: createBuiltInDecoder("macintosh"), fits: createMixedWordTest(WESTERN_WORD) },
  { isOld: true, decode: createTableDecoder(MAC_TURKISH), fits: createMixedWordTest(TURKISH_WORD) },
  { isOld: true, decode: createBuiltInDecoder("ibm866"), fits: isRussian },
  { isOld: true, decode: createBuiltInDecoder("koi8-r"), fits: isRussian },
  { isOld: true, decode: createBuiltInDecoder("x-mac-cyrillic"), fits: isRussian },
];

/** Uses the code page that fits most words; undefined if the text is unreadable. */
export function decodeByCodePage(bytes: Uint8Array): string | undefined {
  const words = extractWords(bytes);
  const scores = CODE_PAGES.map(({ decode, fits, isOld }) => {
    const decodedWords = words.length > 0 ? decode(Buffer.from(words.join("\n"), "latin1")).split("\n") : [];
    const score = decodedWords.reduce((sum, word) => sum + scoreWord(word, fits), 0);
    return { decode, score: isOld && score * 3 < words.length * 2 ? 0 : score };
  });
  const [firstScore] = scores;
  const [bestScore] = scores.toSorted((a, b) => b.score - a.score);
  const text = (bestScore!.score > 0 ? bestScore! : firstScore!).decode(bytes);
  return UNREADABLE_CHARACTER.test(text) ? undefined : text;
}

function extractWords(bytes: Uint8Array): string[] {
  const words: string[] = [];
  for (const [word] of decodeLatin1(bytes).matchAll(/[A-Za-z\x80-\xFF]+/g)) {
    if (word.length > MAX_WORD_LENGTH || /^[A-Za-z]*$/.test(word)) continue;
    if (words.push(word) === MAX_SCORED_WORDS) break;
  }
  return words;
}

const PUNCTUATION = /[“”„‘’«»‹›–—…•·\xA0]/g;

/** 1 for a fitting word, 0.5 if it is hard to pronounce, 0 for others, -1 for unreadable characters. */
function scoreWord(rawWord: string, fits: (word: string) => boolean): number {
  if (UNREADABLE_CHARACTER.test(rawWord)) return -1;
  const word = [rawWord, rawWord.replace(PUNCTUATION, "")].find(fits);
  if (!word) return 0;
  return isPronounceable(word) ? 1 : 0.5;
}

const VOWEL = /[aeiouyæœø]/;

/** True for `Müller`, false for `Mşller`: checks the neighbours of non-ASCII letters inside a word. */
function isPronounceable(word: string): boolean {
  const letters = [...word];
  const vowelFlags = letters.map((letter) => VOWEL.test(foldText(letter)));
  if (letters.every((letter) => letter > "\x7F")) return true;
  return letters.every((letter, index) => {
    if (letter <= "\x7F" || index === 0 || index === letters.length - 1) return true;
    if (!vowelFlags[index]) return vowelFlags[index - 1] || vowelFlags[index + 1];
    return !vowelFlags[index - 1] && !vowelFlags[index + 1];
  });
}
