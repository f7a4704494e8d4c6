export interface TextToken {
  /** `word`: true, false or null. `rest`: everything else, also in texts that are too long to colour. */
  kind: "key" | "string" | "number" | "word" | "secret" | "rest";
  text: string;
}

const SECRET_KEY_PATTERN = /^"(token|secret|password|code|uri|.*_(token|secret|key|codes?))"$/;
const SECRET_PATTERN = /\b(?:ds[a-z]|whsec)_[\w+/=-]{6,}/;
/** Longer texts are not coloured, because thousands of elements are slow to render. */
const MAX_COLOURED_LENGTH = 200_000;

/** Splits a text for highlighting: JSON tokens and secrets; in other texts only secrets. */
export function tokenize(text: string, isJson: boolean): TextToken[] {
  const tokens = isJson
    ? tokenizeJson(text)
    : splitByPattern(text, new RegExp(SECRET_PATTERN, "g"), () => "secret");
  if (text.length <= MAX_COLOURED_LENGTH) return tokens;
  return tokens.reduce<TextToken[]>((merged, { kind, text: content }) => {
    const last = merged.at(-1);
    if (kind === "secret") merged.push({ kind, text: content });
    else if (last?.kind === "rest") last.text += content;
    else merged.push({ kind: "rest", text: content });
    return merged;
  }, []);
}

function tokenizeJson(text: string): TextToken[] {
  let lastKey = "";
  const tokenPattern =
    /"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)(?=(\s*:)?)|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/g;
  return splitByPattern(text, tokenPattern, ([token, colon]) => {
    if (colon !== undefined) {
      lastKey = token;
      return "key";
    }
    if (!token.startsWith('"')) return /^[tfn]/.test(token) ? "word" : "number";
    return SECRET_PATTERN.test(token) || SECRET_KEY_PATTERN.test(lastKey) ? "secret" : "string";
  });
}

function splitByPattern(
  text: string,
  pattern: RegExp,
  getKind: (match: RegExpMatchArray) => TextToken["kind"],
): TextToken[] {
  const tokens: TextToken[] = [];
  let position = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > position) tokens.push({ kind: "rest", text: text.slice(position, match.index) });
    tokens.push({ kind: getKind(match), text: match[0] });
    position = match.index + match[0].length;
  }
  if (position < text.length) tokens.push({ kind: "rest", text: text.slice(position) });
  return tokens;
}
