import { readFileSync } from "node:fs";

/** Clock ticks per second in /proc, the same on every Linux that Node.js supports. */
const TICKS = 100;
let previous = 0;

/** Returns the CPU seconds of all ended child processes; undefined without /proc. */
export function cpuTotal() {
  try {
    // Children's times are the 14th and 15th field after the program's name, which may contain spaces.
    const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1).split(" ");
    return (Number(fields[13]) + Number(fields[14])) / TICKS;
  } catch {
    return undefined;
  }
}

/** Returns the CPU seconds of children that have ended since the last call. */
export function cpuOfEnded() {
  const now = cpuTotal();
  if (now === undefined) return undefined;
  const seconds = now - previous;
  previous = now;
  return seconds;
}
