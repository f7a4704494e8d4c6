import pino from "pino";
import { logLevel } from "./env";
import { described, redacted } from "./redact";

const output = pino.destination({ dest: 1, sync: true });
let lines = "";

function flush(): void {
  if (lines) output.write(lines);
  lines = "";
}

/** Longest wait of a line, and how many characters are written at once. A killed process loses what still waits. */
const LONGEST_WAIT = 5;
const LARGEST_WRITE = 65_536;

/** Joins the lines of some milliseconds into one write: a write per line costs a tenth of a small request. */
const together = {
  write(line: string): void {
    if (!lines) setTimeout(flush, LONGEST_WAIT);
    lines += line;
    if (lines.length >= LARGEST_WRITE) flush();
  },
};
process.on("exit", flush);

// The reader of the output may go away. Unhandled, that error would itself be printed, and so fail again, forever.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

/**
 * One JSON line per event on standard output. Never pass secrets, bodies or whole users: name the fields worth
 * logging. An error goes into `cause`, with its stack; texts of foreign errors into `reason` or `message`.
 */
export const log = pino(
  {
    level: logLevel(),
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { cause: described, reason: redacted, message: redacted },
  },
  together,
);

/** Prints a line for the person who starts the server. */
export function say(text: string): void {
  process.stdout.write(`  ${text}\n`);
}

/** Prints a line about the server's start: what was done and how long it took. */
export function step(text: string, startedAt: number): void {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(`  ${text.padEnd(58)} ${seconds.padStart(6)} s\n`);
}
