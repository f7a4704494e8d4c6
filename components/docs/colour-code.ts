/** Names of `::highlight()` in `app/globals.css`. */
const KINDS = ["code-key", "code-string", "code-word"] as const;

/**
 * A string, followed by a colon if it is a key; a keyword; or a number. Fits JSON, curl, TypeScript and PHP. An open
 * string ends with its line, because a search for its end from every quotation mark would be slow.
 */
const TOKEN =
  /("(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?)( ?:| =>)?|\b(?:true|false|null|const|await|new|import|from|if|throw|curl)\b|\b\d+(?:\.\d+)?\b/g;

const rangesByBlock = new Map<Element, Range[]>();

/**
 * Colours the code blocks inside an element. The CSS Custom Highlight API needs no elements, of which the reference
 * would have tens of thousands.
 */
export function colourCode(root: ParentNode): void {
  if (typeof Highlight === "undefined" || !("highlights" in CSS)) return;
  for (const block of root.querySelectorAll("pre > code")) {
    const text = block.firstChild;
    if (!(text instanceof Text) || rangesByBlock.has(block)) continue;
    const ranges: Range[] = [];
    rangesByBlock.set(block, ranges);
    for (const match of text.data.matchAll(TOKEN)) {
      const [token, string, colon] = match;
      const range = new Range();
      range.setStart(text, match.index);
      range.setEnd(text, match.index + (string ?? token).length);
      ranges.push(range);
      getHighlight(colon ? "code-key" : string ? "code-string" : "code-word").add(range);
    }
  }
}

/** Releases code blocks that have left the page, which the highlights would keep in memory. */
export function dropDetachedColours(): void {
  for (const [block, ranges] of rangesByBlock) {
    if (block.isConnected) continue;
    for (const kind of KINDS) for (const range of ranges) CSS.highlights.get(kind)?.delete(range);
    rangesByBlock.delete(block);
  }
}

function getHighlight(kind: (typeof KINDS)[number]): Highlight {
  const highlight = CSS.highlights.get(kind) ?? new Highlight();
  CSS.highlights.set(kind, highlight);
  return highlight;
}
