export interface TextToken {
  kind: "key" | "string" | "number" | "word" | "secret" | "rest";
  text: string;
}

/** JSON keys (quoted) whose values are secrets. */
const SECRET_NAME = /^"(token|secret|password|code|uri|.*_(token|secret|key|codes?))"$/;
const SECRET = /\b(?:ds[a-z]|whsec)_[\w+/=-]{6,}/;
/** Longer texts are not coloured, because thousands of elements are slow to render. */
const COLOURED_MAX = 200_000;

/** Splits a text for highlighting: JSON tokens and secrets; in other texts only secrets. */
export function tokenize(text: string, isJson: boolean): TextToken[] {
  const pieces = isJson ? jsonPieces(text) : split(text, new RegExp(SECRET, "g"), () => "secret");
  if (text.length <= COLOURED_MAX) return pieces;
  return pieces.reduce<TextToken[]>((all, { kind, text: content }) => {
    const last = all.at(-1);
    if (kind === "secret") all.push({ kind, text: content });
    else if (last?.kind === "rest") last.text += content;
    else all.push({ kind: "rest", text: content });
    return all;
  }, []);
}

function jsonPieces(text: string): TextToken[] {
  let name = "";
  const tokenPattern =
    /"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)(?=(\s*:)?)|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/g;
  return split(text, tokenPattern, ([token, colon]) => {
    if (colon !== undefined) {
      name = token;
      return "key";
    }
    if (!token.startsWith('"')) return /^[tfn]/.test(token) ? "word" : "number";
    return SECRET.test(token) || SECRET_NAME.test(name) ? "secret" : "string";
  });
}

function split(
  text: string,
  pattern: RegExp,
  kindOf: (match: RegExpMatchArray) => TextToken["kind"],
): TextToken[] {
  const pieces: TextToken[] = [];
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > at) pieces.push({ kind: "rest", text: text.slice(at, match.index) });
    pieces.push({ kind: kindOf(match), text: match[0] });
    at = match.index + match[0].length;
  }
  if (at < text.length) pieces.push({ kind: "rest", text: text.slice(at) });
  return pieces;
}
