export type LegalBlock =
  | { kind: "heading"; text: string }
  | { kind: "paragraph"; text: string }
  | { kind: "list"; items: string[] };

const HEADING_PATTERN = /^\d+(\.\d+)*[.)]\s+\S.{0,98}[^.:;]$/u;
const LIST_ITEM_PATTERN = /^[-•]\s+/u;

/** Blank lines separate blocks. Numbered lines are headings, lines with a hyphen are a list. */
export function parseLegalBlocks(text: string): LegalBlock[] {
  return text
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .flatMap((part) => {
      const [firstLine = "", ...otherLines] = part.split("\n");
      if (!HEADING_PATTERN.test(firstLine.trim())) return parseParagraphOrList([firstLine, ...otherLines]);
      return [{ kind: "heading" as const, text: firstLine.trim() }, ...parseParagraphOrList(otherLines)];
    });
}

function parseParagraphOrList(lines: readonly string[]): LegalBlock[] {
  if (lines.length === 0) return [];
  const isList = lines.every((line) => LIST_ITEM_PATTERN.test(line.trim()));
  if (isList)
    return [{ kind: "list", items: lines.map((line) => line.trim().replace(LIST_ITEM_PATTERN, "")) }];
  return [{ kind: "paragraph", text: lines.join("\n") }];
}
