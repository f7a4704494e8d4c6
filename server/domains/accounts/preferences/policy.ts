import { truncateGraphemes } from "@/server/core/graphemes";

export const LISTS = [
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
export type SavedList = (typeof LISTS)[number];

export const VIEWS_MAX = 20;
export const NAME_MAX = 60;
export const QUERY_MAX = 1000;

/** Sorts the parameters and drops empty ones and the page. Unknown filters stay: the list ignores them. */
export function canonicalQuery(query: string): string {
  const params = new URLSearchParams(query);
  for (const [name, value] of [...params]) if (name === "page" || !value) params.delete(name);
  params.sort();
  return params.toString();
}

/** Key of a menu entry (docs/contract.md 4.9). `constructor` is valid, too: keys are data. */
const MENU_KEY = /^[a-zA-Z][a-zA-Z0-9_]{0,40}$/;

/** Maximum number of labels of an account, and of one call. */
export const MAX_LABELS = 100;
/** Longest label, in code points. */
export const MAX_LABEL = 40;

export function isMenuKey(key: string): boolean {
  return MENU_KEY.test(key);
}

/** Second character of a tag; `<3` and `a < b > c` are not tags. */
const TAG = /[a-z!/?]/i;
/** Includes bidirectional controls, which would affect the surrounding text, and lone surrogates. */
const INVISIBLE = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u200B\u2028\u2029\u2060\uFEFF]/gu;

/** Removes markup and control characters, trims and cuts a label. Empty if nothing visible remains. */
export function cleanLabel(text: string): string {
  const label = withoutTags(text.replace(INVISIBLE, "").normalize("NFC")).normalize("NFC");
  const cut = truncateGraphemes(label.trim(), MAX_LABEL).trim();
  return /[^\p{Z}\p{Cf}]/u.test(cut) ? cut : "";
}

/**
 * Removes comments, tags with their quoted attributes, and everything after an unclosed tag, in one pass. The
 * rest never forms a new tag: a `<` is also matched with text that follows a removed part.
 */
function withoutTags(text: string): string {
  const output: string[] = [];
  /** Positions in the output of each unclosed `<`. */
  const open: number[] = [];
  const isTag = (at: number | undefined) => at !== undefined && TAG.test(output[at + 1] ?? "");
  const absent = new Set<string>();
  /** `indexOf` that remembers absent texts, so that the pass stays linear. */
  const findNext = (what: string, from: number) => {
    const at = absent.has(what) ? -1 : text.indexOf(what, from);
    if (at < 0) absent.add(what);
    return at;
  };
  let before = "";
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    const inTag = isTag(open.at(-1));
    const quoted = inTag && before === "=" && /["']/.test(char) ? findNext(char, at + 1) : -1;
    const comment = text.startsWith("<!--", at) ? findNext("-->", at + 2) : -1;
    if (char.trim()) before = char;
    if (comment >= 0) at = comment + 2;
    else if (quoted >= 0) at = quoted;
    else if (char === ">" && inTag) output.length = open.pop()!;
    else {
      if (char === ">") open.pop();
      if (char === "<") open.push(output.length);
      output.push(char);
    }
  }
  return output.slice(0, open.find(isTag)).join("");
}
