import pino from "pino";
import { getLogLevel } from "./env";
import { redactText, serializeError } from "./redact";

const output = pino.destination({ dest: 1, sync: true });
let buffer = "";

function flush(): void {
  if (buffer) output.write(buffer);
  buffer = "";
}

/** Milliseconds and characters after which the buffer is written. A killed process loses the buffer. */
const FLUSH_AFTER_MS = 5;
const MAX_BUFFER_LENGTH = 65_536;

/** Buffers lines: one write per line would take a tenth of a small request. */
const bufferedOutput = {
  write(line: string): void {
    if (!buffer) setTimeout(flush, FLUSH_AFTER_MS);
    buffer += line;
    if (buffer.length >= MAX_BUFFER_LENGTH) flush();
  },
};
process.on("exit", flush);

// Without a handler, the error of a closed pipe would itself be printed and fail again, endlessly.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

/**
 * Writes one JSON line per event to standard output. Never log secrets, bodies or whole users. Pass errors as
 * `cause` (with stack), texts from external services as `reason` or `message` (redacted).
 */
export const log = pino(
  {
    level: getLogLevel(),
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { cause: serializeError, reason: redactText, message: redactText },
  },
  bufferedOutput,
);

export function printLine(text: string): void {
  process.stdout.write(`  ${text}\n`);
}

export function printStep(text: string, startedAt: number): void {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(`  ${text.padEnd(58)} ${seconds.padStart(6)} s\n`);
}
