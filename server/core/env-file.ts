import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import { findNearestName } from "./nearest-name";

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

const ENTRY_START = /^[^\S\n]*(?:export\s+)?([^\s=#]+)[^\S\n]*=[^\S\n]*/;

export function readSettingsFile(path: string, settingNames: readonly string[]): SettingsFile {
  const file: SettingsFile = { path: resolve(path), values: {}, problems: [], warnings: [] };
  try {
    // A byte order mark would become part of the first name.
    const text = readFileSync(path, "utf8").replace(/^\uFEFF/, "");
    if (text.includes("\0")) file.problems.push(`${file.path}: is not UTF-8 text; save it as UTF-8`);
    else new EnvFileReader(file, settingNames).read(text.replaceAll("\r\n", "\n"));
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
class EnvFileReader {
  private readonly lineByName = new Map<string, number>();
  private nextLine = 0;

  constructor(
    private readonly file: SettingsFile,
    private readonly settingNames: readonly string[],
  ) {}

  read(text: string): void {
    const lines = text.split("\n");
    while (this.nextLine < lines.length) {
      const firstLine = lines[this.nextLine]!;
      this.nextLine++;
      if (!/^\s*(#|$)/.test(firstLine)) this.readEntry(firstLine, lines);
    }
  }

  private readEntry(firstLine: string, lines: string[]): void {
    const [prefix = "", name = ""] = ENTRY_START.exec(firstLine) ?? [];
    if (!name) return void this.reportInvalidLine(firstLine);
    const lineNumber = this.nextLine;
    let rawValue = firstLine.slice(prefix.length);
    const quote = /^["'`]/.exec(rawValue)?.[0];
    if (quote && !rawValue.includes(quote, 1)) {
      const closingIndex = lines.slice(lineNumber).findIndex((line) => line.includes(quote));
      if (closingIndex < 0)
        return void this.file.problems.push(
          `${name} in .env (line ${lineNumber}): the quotation mark is never closed; put one at the end of the value`,
        );
      rawValue = [rawValue, ...lines.slice(lineNumber, lineNumber + closingIndex + 1)].join("\n");
      this.nextLine += closingIndex + 1;
    }
    this.file.values[name] = parseEnv(`VALUE=${rawValue}`).VALUE ?? "";
    this.warnOfLostText(name, lineNumber, rawValue, quote);
    this.checkName(name, lineNumber);
  }

  private reportInvalidLine(line: string): void {
    const lineNumber = this.nextLine;
    const name = /^\s*(?:export\s+)?([A-Z0-9_]+)\b/.exec(line)?.[1];
    if (name && this.settingNames.includes(name))
      this.file.problems.push(`${name} in .env (line ${lineNumber}) has no =; write ${name}=value`);
    else this.warn(`line ${lineNumber} of .env is not NAME=value and is ignored`);
  }

  private warnOfLostText(
    name: string,
    lineNumber: number,
    rawValue: string,
    quote: string | undefined,
  ): void {
    const isCut = quote
      ? /^\s*[^\s#]/.test(rawValue.slice(rawValue.indexOf(quote, 1) + 1))
      : /[^\s#]#/.test(rawValue);
    if (isCut)
      this.warn(
        quote
          ? `${name} in .env (line ${lineNumber}) ends at the second ${quote}; put the value in other quotation marks`
          : `${name} in .env (line ${lineNumber}) ends before the #; put the value in quotation marks`,
        name,
      );
    const earlierLine = this.lineByName.get(name);
    if (earlierLine)
      this.warn(
        `${name} is in .env twice, in lines ${earlierLine} and ${lineNumber}; the last one counts`,
        name,
      );
    // Not for empty values: operators often add lines below a copy of .env.example.
    if (!this.file.values[name]) return;
    this.lineByName.set(name, lineNumber);
  }

  private checkName(name: string, lineNumber: number): void {
    if (this.settingNames.includes(name)) return;
    const nearestName = findNearestName(name, this.settingNames);
    if (nearestName)
      this.file.problems.push(
        `${name} in .env (line ${lineNumber}) is not a setting; did you mean ${nearestName}?`,
      );
    else if (!OTHER_PROGRAMS.test(name)) this.warn(describeUnknownName(name, lineNumber, this.settingNames));
  }

  private warn(text: string, name?: string): void {
    this.file.warnings.push({ text, name });
  }
}

function describeUnknownName(name: string, lineNumber: number, settingNames: readonly string[]): string {
  if (!PRINTABLE_NAME.test(name)) return `line ${lineNumber} of .env is not a setting and is ignored`;
  const relatedNames = settingNames.filter((each) => each.startsWith(`${name.split("_", 1)[0]}_`));
  const hint = relatedNames.length > 0 ? `; there is ${relatedNames.slice(0, 4).join(", ")}` : "";
  return `${name} in .env (line ${lineNumber}) is not a setting and is ignored${hint}`;
}
