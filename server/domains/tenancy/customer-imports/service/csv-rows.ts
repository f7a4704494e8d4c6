/** An unclosed quotation mark. `line` and `column` count from 1. */
export class UnclosedQuoteError extends Error {
  constructor(
    readonly line: number,
    readonly column: number,
  ) {
    super(`The quotation mark in line ${line}, column ${column} is not closed.`);
  }
}

export interface CsvRow {
  /** Number of preceding rows, including empty ones. */
  index: number;
  cells: string[];
  isQuoted: boolean;
}

/** Parses CSV (RFC 4180) in linear time. Quotation marks in unquoted cells are text: `Kaya "Kahve" Ltd`. */
export function* parseRows(text: string, separator: string, startIndex = 0): Generator<CsvRow> {
  const scanner = new Scanner(text, separator, startIndex);
  for (let index = 0; !scanner.isAtEnd; index++) {
    const { isBlank } = scanner;
    const { cells, isQuoted } = scanner.readRow();
    while (cells.at(-1) === "") cells.pop();
    if (!isBlank) yield { index, cells, isQuoted };
  }
}

class Scanner {
  private readonly lineEnd: ForwardSearch;
  private readonly cellEnd: ForwardSearch;
  private readonly closingQuote: ForwardSearch;

  constructor(
    private readonly text: string,
    private readonly separator: string,
    private position: number,
  ) {
    const isLineEnd = (index: number) => text[index] === "\n" || text[index] === "\r";
    const isCellEnd = (index: number) =>
      index >= text.length || text[index] === separator || isLineEnd(index);
    this.lineEnd = new ForwardSearch(text.length, isLineEnd);
    this.cellEnd = new ForwardSearch(text.length, isCellEnd);
    this.closingQuote = new ForwardSearch(text.length, (index) => {
      if (text[index] !== '"') return false;
      let next = index + 1;
      while (text[next] === " ") next++;
      return isCellEnd(next);
    });
  }

  get isAtEnd(): boolean {
    return this.position >= this.text.length;
  }

  get isBlank(): boolean {
    return this.lineEnd.findNext(this.position) === this.position;
  }

  readRow(): { cells: string[]; isQuoted: boolean } {
    const cells: string[] = [];
    let isQuoted = false;
    for (;;) {
      const { value, quoted } = this.readCell(cells.length + 1);
      isQuoted ||= quoted && cells.length === 0;
      cells.push(value);
      if (this.text[this.position] !== this.separator) break;
      this.position++;
    }
    this.position += this.text.startsWith("\r\n", this.position) ? 2 : 1;
    return { cells, isQuoted };
  }

  private readCell(column: number): { value: string; quoted: boolean } {
    const begin = this.position;
    if (this.text[begin] === this.separator) return { value: "", quoted: false };
    let from = begin;
    while (this.text[from] === " ") from++;
    const quotedCell = this.text[from] === '"' ? this.readQuotedCell(from, column) : undefined;
    const end = this.cellEnd.findNext(quotedCell?.end ?? begin);
    this.position = end;
    return { value: quotedCell?.value ?? this.text.slice(begin, end), quoted: quotedCell !== undefined };
  }

  /** Reads a quoted cell; undefined if the first quotation mark is part of an unquoted one. */
  private readQuotedCell(openingIndex: number, column: number): { value: string; end: number } | undefined {
    const { text } = this;
    const firstLineEnd = this.lineEnd.findNext(openingIndex);
    const isClosing = (index: number) => text[index] === '"' && this.closingQuote.findNext(index) === index;
    let value = "";
    let usesEscapedQuotes = true;
    for (let from = openingIndex + 1; ; ) {
      const quoteIndex = text.indexOf('"', from);
      if (quoteIndex < 0) throw this.createUnclosedQuoteError(openingIndex, column);
      value += text.slice(from, quoteIndex);
      if (text[quoteIndex + 1] === '"' && (usesEscapedQuotes || !isClosing(quoteIndex + 1))) {
        from = quoteIndex + 2;
      } else if (isClosing(quoteIndex)) {
        return { value, end: quoteIndex + 1 };
      } else {
        usesEscapedQuotes = false;
        const isFirstLine = quoteIndex < firstLineEnd;
        const isClosedInLine = this.closingQuote.findNext(quoteIndex) < this.lineEnd.findNext(quoteIndex);
        if (isFirstLine && !isClosedInLine) return undefined;
        // After a line break, a quotation mark at the start of a cell shows that the first one was not closed.
        if (!isFirstLine && (!isClosedInLine || this.startsCell(quoteIndex)))
          throw this.createUnclosedQuoteError(openingIndex, column);
        from = quoteIndex + 1;
      }
      value += '"';
    }
  }

  private startsCell(quoteIndex: number): boolean {
    return [this.separator, "\r", "\n"].includes(this.text[quoteIndex - 1]!);
  }

  private createUnclosedQuoteError(index: number, column: number): UnclosedQuoteError {
    return new UnclosedQuoteError(this.text.slice(0, index).split(/\r\n|[\r\n]/).length, column);
  }
}

/** Caches the next match, so that all forward searches together read the text once. */
class ForwardSearch {
  private begin = 0;
  private next = -1;

  constructor(
    private readonly length: number,
    private readonly matches: (index: number) => boolean,
  ) {}

  findNext(index: number): number {
    if (index >= this.begin && index <= this.next) return this.next;
    this.begin = index;
    let next = index;
    while (next < this.length && !this.matches(next)) next++;
    this.next = next;
    return next;
  }
}
