import { truncated } from "@/server/core/graphemes";

/** The lists of the panel that views can be saved of. */
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

/** The most views of one list that an account keeps. */
export const VIEWS_MAX = 20;
export const NAME_MAX = 60;
/** Maximum length of a view's filters as a query string. */
export const QUERY_MAX = 1000;

/**
 * What narrows and orders a list, as an address has it: without the page, which is another one tomorrow, and in one order,
 * so that the same view is the same text. Filters that a later release no longer knows stay, and narrow nothing.
 */
export function canonicalQuery(query: string): string {
  const params = new URLSearchParams(query);
  for (const [name, value] of [...params]) if (name === "page" || !value) params.delete(name);
  params.sort();
  return params.toString();
}

/** Key of a side menu entry (docs/contract.md 4.9). `constructor` is valid like any other: keys are data. */
const MENU_KEY = /^[a-zA-Z][a-zA-Z0-9_]{0,40}$/;

/** Maximum number of labels of an account, and of one call. */
export const MAX_LABELS = 100;
/** Longest label, in code points. */
export const MAX_LABEL = 40;

export function isMenuKey(key: string): boolean {
  return MENU_KEY.test(key);
}

/** How a tag goes on; `<3` and `a < b > c` are not tags. */
const TAG = /[a-z!/?]/i;
/**
 * Control characters, line separators, lone surrogates, and bidirectional controls that would affect the surrounding
 * text.
 */
const INVISIBLE = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u200B\u2028\u2029\u2060\uFEFF]/gu;

/**
 * Returns a label as it is stored: without markup and control characters, trimmed, at most 40 code points. Empty when
 * nothing visible is left.
 */
export function cleanLabel(text: string): string {
  const label = withoutTags(text.replace(INVISIBLE, "").normalize("NFC")).normalize("NFC");
  const cut = truncated(label.trim(), MAX_LABEL).trim();
  return /[^\p{Z}\p{Cf}]/u.test(cut) ? cut : "";
}

/**
 * Removes comments and tags in one pass, with what is quoted in them, and all behind a tag that is never closed. What is
 * left never forms a new tag: a `<` waits for what follows it, in the text or behind what was removed.
 */
function withoutTags(text: string): string {
  const kept: string[] = [];
  /** Where in `kept` each `<` stands that nothing has closed yet. */
  const open: number[] = [];
  const isTag = (at: number | undefined) => at !== undefined && TAG.test(kept[at + 1] ?? "");
  const absent = new Set<string>();
  /** Where something stands next, or -1; what is not found is not looked for again. */
  const next = (what: string, from: number) => {
    const at = absent.has(what) ? -1 : text.indexOf(what, from);
    if (at < 0) absent.add(what);
    return at;
  };
  let before = "";
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    const inTag = isTag(open.at(-1));
    const quoted = inTag && before === "=" && /["']/.test(char) ? next(char, at + 1) : -1;
    const comment = text.startsWith("<!--", at) ? next("-->", at + 2) : -1;
    if (char.trim()) before = char;
    if (comment >= 0) at = comment + 2;
    else if (quoted >= 0) at = quoted;
    else if (char === ">" && inTag) kept.length = open.pop()!;
    else {
      if (char === ">") open.pop();
      if (char === "<") open.push(kept.length);
      kept.push(char);
    }
  }
  return kept.slice(0, open.find(isTag)).join("");
}
