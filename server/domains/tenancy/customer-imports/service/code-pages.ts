import { fold } from "@/server/core/fold";

/** Characters that no list of people contains: C1 controls, unassigned characters, box drawing. */
const UNREADABLE = /[\x80-\x9F\uFFFD\uF8FF\u2500-\u259F]/;
const WORDS = 2000;
const LONGEST_WORD = 40;

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

const latin1 = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
const builtIn = (name: string) => (bytes: Uint8Array) => new TextDecoder(name).decode(bytes);
const fromTable = (letters: string) => (bytes: Uint8Array) =>
  latin1(bytes).replace(/[\x80-\xFF]/g, (byte) => letters[byte.charCodeAt(0) - 0x80]!);

/** Node.js 20 decodes Windows-1252 as Latin-1, so replace the letters that differ from Windows-1254. */
const windows1252 = (bytes: Uint8Array) =>
  builtIn("windows-1254")(bytes).replace(
    /[ĞİŞğış\x8E\x9E]/g,
    (letter) => "ÐÝÞðýþŽž"["ĞİŞğış\x8E\x9E".indexOf(letter)]!,
  );

const TURKISH = /^[a-zçğıİöşüâîûäßéèêëàùúôœæïÿìòóíáñ’]+$/iu;
const WESTERN = /^[a-zçöüâîûäßéèêëàùúôœæïÿìòóíáñåãõøšž’]+$/iu;
const RUSSIAN = /^[а-яё]{2,}$/iu;
const ARABIC = /^[\u0621-\u0652پچژگک]{2,}$/u;

/** "Ayşe", "ayşe" and "AYŞE", not "aYşE": a wrong code page changes the case within a word. */
const isCased = (word: string) => /^(\p{L}?[^\p{Lu}]*|[^\p{Ll}]*)$/u.test(word);

/** Latin words mix ASCII with a few other letters; Russian and Arabic words do not. */
const isMixed = (letters: RegExp) => (word: string) =>
  letters.test(word) && /[a-z]/i.test(word) && isCased(word);
const isLatin = (letters: RegExp) => (word: string) =>
  isMixed(letters)(word) ||
  (word.length < 3 && letters.test(word) && isCased(word)) ||
  /^[“„‘«]?[a-z]+[”“’»]?$/i.test(word);
const isRussian = (word: string) => RUSSIAN.test(word) && isCased(word);

/** The first one wins a tie. */
const CODE_PAGES: readonly CodePage[] = [
  { decode: builtIn("windows-1254"), fits: isLatin(TURKISH) },
  { decode: windows1252, fits: isLatin(WESTERN) },
  { decode: builtIn("windows-1251"), fits: isRussian },
  { decode: builtIn("windows-1256"), fits: (word) => ARABIC.test(word) },
  { isOld: true, decode: fromTable(CP857), fits: isMixed(TURKISH) },
  { isOld: true, decode: fromTable(CP850), fits: isMixed(WESTERN) },
  { isOld: true, decode: builtIn("macintosh"), fits: isMixed(WESTERN) },
  { isOld: true, decode: fromTable(MAC_TURKISH), fits: isMixed(TURKISH) },
  { isOld: true, decode: builtIn("ibm866"), fits: isRussian },
  { isOld: true, decode: builtIn("koi8-r"), fits: isRussian },
  { isOld: true, decode: builtIn("x-mac-cyrillic"), fits: isRussian },
];

/** Decodes a text with the code page that fits its words best; undefined if it is unreadable. */
export function decodeByCodePage(bytes: Uint8Array): string | undefined {
  const words = wordsOf(bytes);
  const scores = CODE_PAGES.map(({ decode, fits, isOld }) => {
    const decoded = words.length > 0 ? decode(Buffer.from(words.join("\n"), "latin1")).split("\n") : [];
    const score = decoded.reduce((sum, word) => sum + scoreOf(word, fits), 0);
    return { decode, score: isOld && score * 3 < words.length * 2 ? 0 : score };
  });
  const [first] = scores;
  const [best] = scores.toSorted((a, b) => b.score - a.score);
  const text = (best!.score > 0 ? best! : first!).decode(bytes);
  return UNREADABLE.test(text) ? undefined : text;
}

function wordsOf(bytes: Uint8Array): string[] {
  const words: string[] = [];
  for (const [word] of latin1(bytes).matchAll(/[A-Za-z\x80-\xFF]+/g)) {
    if (word.length > LONGEST_WORD || /^[A-Za-z]*$/.test(word)) continue;
    if (words.push(word) === WORDS) break;
  }
  return words;
}

const MARKS = /[“”„‘’«»‹›–—…•·\xA0]/g;

/** 1 for a fitting word, 0.5 if it is hard to pronounce, -1 for unreadable characters. */
function scoreOf(run: string, fits: (word: string) => boolean): number {
  if (UNREADABLE.test(run)) return -1;
  const word = [run, run.replace(MARKS, "")].find(fits);
  if (!word) return 0;
  return isPronounceable(word) ? 1 : 0.5;
}

const VOWEL = /[aeiouyæœø]/;

/** `Müller`, not `Mşller`: a non-ASCII vowel stands between consonants and vice versa, except at the ends. */
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
