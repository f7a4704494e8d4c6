import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import { nearestName } from "./nearest";

/** Parsed .env file. `problems` prevent a start; `warnings` are printed. */
export interface SettingsFile {
  path?: string;
  values: Record<string, string>;
  problems: string[];
  warnings: Array<{ text: string; name?: string }>;
}

/** Variables of other programs in the same file, such as deploy/compose.yaml. */
const OTHER_PROGRAMS =
  /^(NODE|NEXT|NPM|UV|OTEL|POSTGRES|COMPOSE|DOCKER|CADDY|LC)_|^PG[A-Z]+$|^(HTTPS?|NO|ALL)_PROXY$|_ROUNDS$|^(TZ|LANG|PATH|HOME|USER|TMPDIR|SITE|S3_PASSWORD|CHROMIUM_PATH)$/i;

/** Only plain names are printed: an unknown line may be part of a private key. */
const PRINTABLE_NAME = /^([A-Z][A-Z0-9_]{0,39}|[a-z][a-z0-9_]{0,39})$/;

const ENTRY = /^[^\S\n]*(?:export\s+)?([^\s=#]+)[^\S\n]*=[^\S\n]*/;

/** Reads the file at `path`; `names` are those of all variables. */
export function readSettingsFile(path: string, names: readonly string[]): SettingsFile {
  const file: SettingsFile = { path: resolve(path), values: {}, problems: [], warnings: [] };
  try {
    // A byte order mark would become part of the first name.
    const text = readFileSync(path, "utf8").replace(/^\uFEFF/, "");
    if (text.includes("\0")) file.problems.push(`${file.path}: is not UTF-8 text; save it as UTF-8`);
    else new Reader(file, names).read(text.replaceAll("\r\n", "\n"));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") file.path = undefined;
    else if (code === "EISDIR")
      file.problems.push(`${file.path}: is a directory; put a file with lines NAME=value in its place`);
    else if (code === "EACCES" || code === "EPERM")
      file.problems.push(
        `${file.path}: this user may not read it; give it to the user who runs the server: chown USER .env`,
      );
    else throw error;
  }
  return file;
}

/** Splits a file into entries for `parseEnv`, which would join a line without `=` to the next. */
class Reader {
  private readonly lineOf = new Map<string, number>();
  private line = 0;

  constructor(
    private readonly file: SettingsFile,
    private readonly names: readonly string[],
  ) {}

  read(text: string): void {
    const lines = text.split("\n");
    while (this.line < lines.length) {
      const first = lines[this.line]!;
      this.line++;
      if (!/^\s*(#|$)/.test(first)) this.readEntry(first, lines);
    }
  }

  private readEntry(first: string, lines: string[]): void {
    const [start = "", name = ""] = ENTRY.exec(first) ?? [];
    if (!name) return void this.refuseLine(first);
    const at = this.line;
    let rest = first.slice(start.length);
    const quote = /^["'`]/.exec(rest)?.[0];
    if (quote && !rest.includes(quote, 1)) {
      const end = lines.slice(at).findIndex((line) => line.includes(quote));
      if (end < 0)
        return void this.file.problems.push(
          `${name} in .env (line ${at}): the quotation mark is never closed; put one at the end of the value`,
        );
      rest = [rest, ...lines.slice(at, at + end + 1)].join("\n");
      this.line += end + 1;
    }
    this.file.values[name] = parseEnv(`VALUE=${rest}`).VALUE ?? "";
    this.warnOfLoss(name, at, rest, quote);
    this.judgeName(name, at);
  }

  private refuseLine(line: string): void {
    const at = this.line;
    const name = /^\s*(?:export\s+)?([A-Z0-9_]+)\b/.exec(line)?.[1];
    if (name && this.names.includes(name))
      this.file.problems.push(`${name} in .env (line ${at}) has no =; write ${name}=value`);
    else this.warn(`line ${at} of .env is not NAME=value and is ignored`);
  }

  private warnOfLoss(name: string, at: number, rest: string, quote: string | undefined): void {
    const isCut = quote ? /^\s*[^\s#]/.test(rest.slice(rest.indexOf(quote, 1) + 1)) : /[^\s#]#/.test(rest);
    if (isCut)
      this.warn(
        quote
          ? `${name} in .env (line ${at}) ends at the second ${quote}; put the value in other quotation marks`
          : `${name} in .env (line ${at}) ends before the #; put the value in quotation marks`,
        name,
      );
    const before = this.lineOf.get(name);
    if (before)
      this.warn(`${name} is in .env twice, in lines ${before} and ${at}; the last one counts`, name);
    // Not for empty values: operators often add lines below a copy of .env.example.
    if (!this.file.values[name]) return;
    this.lineOf.set(name, at);
  }

  private judgeName(name: string, at: number): void {
    if (this.names.includes(name)) return;
    const nearest = nearestName(name, this.names);
    if (nearest)
      this.file.problems.push(`${name} in .env (line ${at}) is not a setting; did you mean ${nearest}?`);
    else if (!OTHER_PROGRAMS.test(name)) this.warn(unknown(name, at, this.names));
  }

  private warn(text: string, name?: string): void {
    this.file.warnings.push({ text, name });
  }
}

function unknown(name: string, at: number, names: readonly string[]): string {
  if (!PRINTABLE_NAME.test(name)) return `line ${at} of .env is not a setting and is ignored`;
  const family = names.filter((each) => each.startsWith(`${name.split("_", 1)[0]}_`));
  const hint = family.length > 0 ? `; there is ${family.slice(0, 4).join(", ")}` : "";
  return `${name} in .env (line ${at}) is not a setting and is ignored${hint}`;
}
