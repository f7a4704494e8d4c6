import { truncateGraphemes } from "@/server/core/graphemes";

export const SAVED_VIEW_LISTS = [
  "users",
  "audit",
  "mails",
  "subscriptions",
  "payments",
  "licences",
  "invoices",
  "sites",
  "connections",
  "customers",
] as const;
export type SavedViewList = (typeof SAVED_VIEW_LISTS)[number];

export const MAX_VIEWS_PER_LIST = 20;
export const MAX_VIEW_NAME_LENGTH = 60;
export const MAX_VIEW_QUERY_LENGTH = 1000;

/** Sorts the parameters and removes `page` and empty ones. Keeps unknown filters, which the list ignores. */
export function toCanonicalQuery(query: string): string {
  const params = new URLSearchParams(query);
  for (const [name, value] of [...params]) if (name === "page" || !value) params.delete(name);
  params.sort();
  return params.toString();
}

/** Key of a menu entry (docs/contract.md 4.9). Matches `constructor`, too: do not look keys up in a plain object. */
const MENU_KEY_PATTERN = /^[a-zA-Z][a-zA-Z0-9_]{0,40}$/;

/** Maximum number of labels that an account has and that one call sets. */
export const MAX_MENU_LABELS = 100;
/** Maximum length of a label, in code points. */
export const MAX_MENU_LABEL_LENGTH = 40;

export function isMenuKey(key: string): boolean {
  return MENU_KEY_PATTERN.test(key);
}

/** Second character of a tag; `<3` and `a < b > c` are not tags. */
const TAG_SECOND_CHAR = /[a-z!/?]/i;
/** Includes bidirectional controls, which would affect the surrounding text, and lone surrogates. */
const INVISIBLE_CHARACTERS = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u200B\u2028\u2029\u2060\uFEFF]/gu;

/** Removes markup and control characters, trims and cuts a label. Returns "" if nothing visible remains. */
export function cleanMenuLabel(text: string): string {
  const label = removeTags(text.replace(INVISIBLE_CHARACTERS, "").normalize("NFC")).normalize("NFC");
  const truncated = truncateGraphemes(label.trim(), MAX_MENU_LABEL_LENGTH).trim();
  return /[^\p{Z}\p{Cf}]/u.test(truncated) ? truncated : "";
}

/** Removes all tags in one pass. A `<` before a removed part may form a tag with the text after it: it is removed, too. */
function removeTags(text: string): string {
  const output: string[] = [];
  /** Positions in the output of each unclosed `<`. */
  const openAngles: number[] = [];
  const isTag = (position: number | undefined) =>
    position !== undefined && TAG_SECOND_CHAR.test(output[position + 1] ?? "");
  const absentTexts = new Set<string>();
  /** `indexOf` with a cache of absent texts, so that the pass stays linear. */
  const findNext = (needle: string, from: number) => {
    const position = absentTexts.has(needle) ? -1 : text.indexOf(needle, from);
    if (position < 0) absentTexts.add(needle);
    return position;
  };
  let lastVisibleChar = "";
  for (let position = 0; position < text.length; position++) {
    const char = text[position]!;
    const isInTag = isTag(openAngles.at(-1));
    const quoteEnd =
      isInTag && lastVisibleChar === "=" && /["']/.test(char) ? findNext(char, position + 1) : -1;
    const commentEnd = text.startsWith("<!--", position) ? findNext("-->", position + 2) : -1;
    if (char.trim()) lastVisibleChar = char;
    if (commentEnd >= 0) position = commentEnd + 2;
    else if (quoteEnd >= 0) position = quoteEnd;
    else if (char === ">" && isInTag) output.length = openAngles.pop()!;
    else {
      if (char === ">") openAngles.pop();
      if (char === "<") openAngles.push(output.length);
      output.push(char);
    }
  }
  return output.slice(0, openAngles.find(isTag)).join("");
}
