export type Block =
  | { kind: "heading"; text: string }
  | { kind: "paragraph"; text: string }
  | { kind: "list"; items: string[] };

const HEADING_PATTERN = /^\d+(\.\d+)*[.)]\s+\S.{0,98}[^.:;]$/u;
const LIST_ITEM_PATTERN = /^[-•]\s+/u;

/** Blank lines separate blocks. Numbered lines are headings, lines with a hyphen are a list. */
export function parseBlocks(text: string): Block[] {
  return text
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .flatMap((part) => {
      const [firstLine = "", ...otherLines] = part.split("\n");
      if (!HEADING_PATTERN.test(firstLine.trim())) return parseBody([firstLine, ...otherLines]);
      return [{ kind: "heading" as const, text: firstLine.trim() }, ...parseBody(otherLines)];
    });
}

function parseBody(lines: readonly string[]): Block[] {
  if (lines.length === 0) return [];
  const isList = lines.every((line) => LIST_ITEM_PATTERN.test(line.trim()));
  if (isList)
    return [{ kind: "list", items: lines.map((line) => line.trim().replace(LIST_ITEM_PATTERN, "")) }];
  return [{ kind: "paragraph", text: lines.join("\n") }];
}
