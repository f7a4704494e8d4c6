import { readdirSync, readFileSync } from "node:fs";

/* Figures of processes; undefined on systems without /proc. */

/** Returns the CPU microseconds of a process with all threads. The kernel counts hundredths of a second. */
export function cpuTime(pid: number): number | undefined {
  const fields = read(`/proc/${pid}/stat`)?.split(") ")[1]?.split(" ");
  return fields && (Number(fields[11]) + Number(fields[12])) * 10_000;
}

/** Returns the resident memory of a process in MB. */
export function residentMemory(pid: number): number | undefined {
  const kB = /^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`) ?? "")?.[1];
  return kB ? Number(kB) / 1024 : undefined;
}

/** Returns the memory of a process and its children in MB; shared memory counts once. */
export function processTreeMemory(pid: number): number | undefined {
  const family = [pid, ...childrenOf(pid)];
  const shares = family.map(
    (member) => /^Pss:\s+(\d+)/m.exec(read(`/proc/${member}/smaps_rollup`) ?? "")?.[1],
  );
  return shares[0] ? shares.reduce((sum, share) => sum + Number(share ?? 0), 0) / 1024 : undefined;
}

/** Returns the id of a server's pages process. */
export function findPagesProcess(pid: number): number | undefined {
  return childrenOf(pid).find((child) => read(`/proc/${child}/cmdline`)?.includes("pages.js"));
}

function childrenOf(pid: number): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((other) => other && read(`/proc/${other}/stat`)?.split(") ")[1]?.split(" ")[1] === String(pid));
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
