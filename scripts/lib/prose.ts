import { parseSync } from "oxc-parser";

/** Vague phrases. Prose should name the part of the system that acts. */
const FORBIDDEN_PHRASES = [
  /\b(whoever|whomever|whom|whatever|somebody|nobody|anew|meanwhile|thereof|therein|whereof|hereof|whereby|seldom|besides)\b/i,
  /\b(is|are|was|were|be|been|being) told\b|\b(tells?|told) (of|about|who|what|whether|it|them|the|by|where|apart)\b/i,
  /\b(of|for|to|by|from|with|at|in|on) (who|what) (is|are|was|were|has|had|have|may|might|can|could|needs?|wants?|asks?|asked|does|did|it|they|one|stands|comes|came|goes)\b/i,
  /\b(stands?|stood|lies|lay|goes|went|comes?|came) (there|here|below|above|beside|apart|with it|as it|for it|of it|in (the|its) way)\b/i,
  /\b(is|are) (none|no more|another by now|others by now|as it (was|is|came)|what it is)\b/i,
  /\bwhat (came|comes|becomes?|became|is|was|were) of\b|\blet go of\b|\bin the hands? of\b|\bat (its|their) most\b/i,
  /\b(front door|wings?)\b/i,
];
const FRAGMENT_PATTERN = /^(What|Whom|Whose|Who|How|Where|Those|That of|As|Which|One that|Such)\b(?!.*\?)/;

/** Line of prose. `isFirstLine` marks the first line of a comment or text, which must not be a fragment. */
export interface ProseLine {
  line: number;
  text: string;
  isFirstLine: boolean;
}

/** Returns the comments, test titles and API texts of a file, or the text of a Markdown file. */
export function extractProse(path: string, source: string): ProseLine[] {
  if (path.endsWith(".md")) return splitMarkdown(source);
  if (!/\.(tsx?|mjs)$/.test(path)) return findMatches(source, /^\s*(?:#|--|\/\/\/?)\s+(.+)$/gm);
  const comments = parseSync(path, source).comments.flatMap(({ value, start }) =>
    splitLines(value, getLineNumber(source, start)),
  );
  if (/\.(test|spec)\.tsx?$/.test(path))
    return [
      ...comments,
      ...findMatches(source, /\b(?:it|test|describe)(?:\.\w+)*(?:\([^)]*\))?\(\s*["`](.+?)["`],/g),
    ];
  if (/\/contract\.ts$|^server\/core\/(field|schema|list)\.ts$/.test(path))
    return [...comments, ...findMatches(source, /"([A-Z][^"\n]* [^"\n]*)"/g)];
  return comments;
}

export function findUnclearPhrase({ text, isFirstLine }: ProseLine): string | undefined {
  for (const pattern of FORBIDDEN_PHRASES) if (pattern.test(text)) return pattern.exec(text)![0];
  return isFirstLine ? FRAGMENT_PATTERN.exec(text)?.[0] : undefined;
}

function splitMarkdown(source: string): ProseLine[] {
  const withoutCode = source.replace(/^```.*?^\s*```/gms, (block) => block.replace(/[^\n]/g, ""));
  return splitLines(removeInlineCode(withoutCode), 1).map((each) => ({ ...each, isFirstLine: false }));
}

function splitLines(text: string, firstLine: number): ProseLine[] {
  const lines = text.split("\n").map((line) => line.replace(/^[\s/*]+/, "").trim());
  const firstIndex = lines.findIndex(Boolean);
  return lines.flatMap((line, index) =>
    line ? [{ line: firstLine + index, text: line, isFirstLine: index === firstIndex }] : [],
  );
}

function findMatches(source: string, pattern: RegExp): ProseLine[] {
  return [...source.matchAll(pattern)].map(({ 1: text, index }) => ({
    line: getLineNumber(source, index),
    text: removeInlineCode(text!),
    isFirstLine: true,
  }));
}

const removeInlineCode = (text: string) => text.replace(/`[^`\n]*`/g, "`x`");

const getLineNumber = (source: string, index: number) => source.slice(0, index).split("\n").length;
