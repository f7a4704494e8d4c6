import { refuse } from "@/server/core/errors";

/** Limits of a JSON body, so that a small request cannot cost a lot of work. */
export const MAX_BODY = 1024 * 1024;
const MAX_DEPTH = 32;
const MAX_KEYS = 1000;

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Parses a JSON body. Throws `malformed_json` for bytes that are not UTF-8, text that is not JSON, and
 * JSON that is deeper than 32 levels, has more than 1,000 keys or names a key twice.
 */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    const text = decoder.decode(bytes);
    checkShape(text);
    return JSON.parse(text);
  } catch (cause) {
    throw refuse("malformed_json", { cause });
  }
}

/** One pass over the text before it is parsed: JSON.parse would accept the depth and drop duplicate keys. */
function checkShape(text: string): void {
  const keys: Array<Set<string> | null> = [];
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === "{" || character === "[") {
      if (keys.push(character === "{" ? new Set() : null) > MAX_DEPTH) throw new Error("too deep");
    } else if (character === "}" || character === "]") {
      keys.pop();
    } else if (character === '"') {
      const end = endOfString(text, at);
      const seen = keys.at(-1);
      if (seen && isKey(text, end + 1)) {
        const key = JSON.parse(text.slice(at, end + 1)) as string;
        if (seen.has(key)) throw new Error("duplicate key");
        seen.add(key);
        if (++count > MAX_KEYS) throw new Error("too many keys");
      }
      at = end;
    }
  }
}

/** Whether a colon follows, after any amount of white space. */
function isKey(text: string, from: number): boolean {
  let at = from;
  while (text[at] === " " || text[at] === "\n" || text[at] === "\r" || text[at] === "\t") at++;
  return text[at] === ":";
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at;
  }
  throw new Error("open string");
}
