/** An unclosed quotation mark. `line` and `column` count from 1. */
export class OpenQuote extends Error {
  constructor(
    readonly line: number,
    readonly column: number,
  ) {
    super(`The quotation mark in line ${line}, column ${column} is not closed.`);
  }
}

export interface Row {
  /** Number of preceding rows, including empty ones. */
  index: number;
  cells: string[];
  isQuoted: boolean;
}

/**
 * Quotation marks follow RFC 4180, and any other one is part of its cell, as in `Kaya "Kahve" Ltd` and `5"
 * pipe`. Takes linear time. Throws `OpenQuote`.
 */
export function* rowsOf(text: string, delimiter: string, start = 0): Generator<Row> {
  const scanner = new Scanner(text, delimiter, start);
  for (let index = 0; !scanner.isAtEnd; index++) {
    const { isBlank } = scanner;
    const { cells, isQuoted } = scanner.row();
    while (cells.at(-1) === "") cells.pop();
    if (!isBlank) yield { index, cells, isQuoted };
  }
}

class Scanner {
  private readonly lineEnd: Search;
  private readonly cellEnd: Search;
  private readonly closing: Search;

  constructor(
    private readonly text: string,
    private readonly delimiter: string,
    private at: number,
  ) {
    const isLineEnd = (place: number) => text[place] === "\n" || text[place] === "\r";
    const isCellEnd = (place: number) =>
      place >= text.length || text[place] === delimiter || isLineEnd(place);
    this.lineEnd = new Search(text.length, isLineEnd);
    this.cellEnd = new Search(text.length, isCellEnd);
    this.closing = new Search(text.length, (place) => {
      if (text[place] !== '"') return false;
      let next = place + 1;
      while (text[next] === " ") next++;
      return isCellEnd(next);
    });
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  get isBlank(): boolean {
    return this.lineEnd.from(this.at) === this.at;
  }

  row(): { cells: string[]; isQuoted: boolean } {
    const cells: string[] = [];
    let isQuoted = false;
    for (;;) {
      const { value, quoted } = this.cell(cells.length + 1);
      isQuoted ||= quoted && cells.length === 0;
      cells.push(value);
      if (this.text[this.at] !== this.delimiter) break;
      this.at++;
    }
    this.at += this.text.startsWith("\r\n", this.at) ? 2 : 1;
    return { cells, isQuoted };
  }

  private cell(column: number): { value: string; quoted: boolean } {
    const begin = this.at;
    if (this.text[begin] === this.delimiter) return { value: "", quoted: false };
    let from = begin;
    while (this.text[from] === " ") from++;
    const quoted = this.text[from] === '"' ? this.quoted(from, column) : undefined;
    const end = this.cellEnd.from(quoted?.end ?? begin);
    this.at = end;
    return { value: quoted?.value ?? this.text.slice(begin, end), quoted: quoted !== undefined };
  }

  /** Reads a quoted cell; undefined if the first quotation mark is part of an unquoted one. */
  private quoted(opening: number, column: number): { value: string; end: number } | undefined {
    const { text } = this;
    const firstLineEnd = this.lineEnd.from(opening);
    const isClosing = (at: number) => text[at] === '"' && this.closing.from(at) === at;
    let value = "";
    let isEscaped = true;
    for (let from = opening + 1; ; ) {
      const quote = text.indexOf('"', from);
      if (quote < 0) throw this.openQuote(opening, column);
      value += text.slice(from, quote);
      if (text[quote + 1] === '"' && (isEscaped || !isClosing(quote + 1))) {
        from = quote + 2;
      } else if (isClosing(quote)) {
        return { value, end: quote + 1 };
      } else {
        isEscaped = false;
        const isFirstLine = quote < firstLineEnd;
        const isClosedInLine = this.closing.from(quote) < this.lineEnd.from(quote);
        if (isFirstLine && !isClosedInLine) return undefined;
        // After a line break, a quotation mark at the start of a cell means that this one was never closed.
        if (!isFirstLine && (!isClosedInLine || this.opensCell(quote))) throw this.openQuote(opening, column);
        from = quote + 1;
      }
      value += '"';
    }
  }

  private opensCell(quote: number): boolean {
    return [this.delimiter, "\r", "\n"].includes(this.text[quote - 1]!);
  }

  private openQuote(at: number, column: number): OpenQuote {
    return new OpenQuote(this.text.slice(0, at).split(/\r\n|[\r\n]/).length, column);
  }
}

/** Finds the next match and caches it, so that forward searches read the text once. */
class Search {
  private begin = 0;
  private next = -1;

  constructor(
    private readonly length: number,
    private readonly matches: (place: number) => boolean,
  ) {}

  from(place: number): number {
    if (place >= this.begin && place <= this.next) return this.next;
    this.begin = place;
    let next = place;
    while (next < this.length && !this.matches(next)) next++;
    this.next = next;
    return next;
  }
}
