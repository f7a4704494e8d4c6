import { readFileSync } from "node:fs";

/** Clock ticks of /proc in a second, on every Linux that Node.js runs on. */
const TICKS = 100;
let known = 0;

/** Processor seconds of all programs that have ended below this one; undefined where there is no /proc. */
export function cpuTotal() {
  try {
    // The name of the program, in brackets, may contain spaces; children's times are the 14th and 15th field after it.
    const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1).split(" ");
    return (Number(fields[13]) + Number(fields[14])) / TICKS;
  } catch {
    return undefined;
  }
}

/** The same since the last call: those of a program that has just ended, with everything it waited for. */
export function cpuOfEnded() {
  const now = cpuTotal();
  if (now === undefined) return undefined;
  const seconds = now - known;
  known = now;
  return seconds;
}
