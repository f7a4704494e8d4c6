import pino from "pino";
import { logLevel } from "./env";

const output = pino.destination({ dest: 1, sync: true });
let lines = "";

function flush(): void {
  if (lines) output.write(lines);
  lines = "";
}

/** Lines of one turn of the event loop leave in one write: one for each is a tenth of a small request. */
const turnByTurn = {
  write(line: string): void {
    if (!lines) setImmediate(flush);
    lines += line;
  },
};
process.on("exit", flush);

// Whoever reads the output may go away. Unheard, that error would be printed, which is the same error again, for ever.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

/**
 * One JSON line per event on standard output. Never pass secrets, bodies or whole objects of users:
 * what is worth knowing is named field by field.
 */
export const log = pino(
  {
    level: logLevel(),
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  },
  turnByTurn,
);

/** A line a person reads while the server starts: what was done and how long it took. */
export function step(text: string, startedAt: number): void {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(`  ${text.padEnd(58)} ${seconds.padStart(6)} s\n`);
}
