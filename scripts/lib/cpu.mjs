import { readFileSync } from "node:fs";

/** Clock ticks per second in /proc, the same on every Linux that Node.js supports. */
const TICKS_PER_SECOND = 100;
let previousSeconds = 0;

/** Returns the CPU seconds of all ended child processes; undefined without /proc. */
export function getTotalChildCpuSeconds() {
  try {
    // utime and stime of children, counted after the program's name, which may contain spaces.
    const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1).split(" ");
    return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}

export function getCpuSecondsSinceLastCall() {
  const totalSeconds = getTotalChildCpuSeconds();
  if (totalSeconds === undefined) return undefined;
  const seconds = totalSeconds - previousSeconds;
  previousSeconds = totalSeconds;
  return seconds;
}
