export type Block =
  | { kind: "heading"; text: string }
  | { kind: "paragraph"; text: string }
  | { kind: "list"; items: string[] };

/** A short line that starts with a number and does not end with punctuation. */
const HEADING = /^\d+(\.\d+)*[.)]\s+\S.{0,98}[^.:;]$/u;
const ITEM = /^[-•]\s+/u;

/** Blank lines separate paragraphs, numbered lines are headings, lines with a hyphen are a list. */
export function blocksOf(text: string): Block[] {
  return text
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .flatMap((part) => {
      const [first = "", ...rest] = part.split("\n");
      if (!HEADING.test(first.trim())) return bodyOf([first, ...rest]);
      return [{ kind: "heading" as const, text: first.trim() }, ...bodyOf(rest)];
    });
}

function bodyOf(lines: readonly string[]): Block[] {
  if (lines.length === 0) return [];
  const isList = lines.every((line) => ITEM.test(line.trim()));
  if (isList) return [{ kind: "list", items: lines.map((line) => line.trim().replace(ITEM, "")) }];
  return [{ kind: "paragraph", text: lines.join("\n") }];
}
