import { readdirSync, readFileSync } from "node:fs";

/* Figures of processes; undefined on systems without /proc. */

/** Returns the CPU microseconds of a process with all threads. */
export function readCpuMicroseconds(pid: number): number | undefined {
  // utime and stime, in hundredths of a second.
  const fields = readText(`/proc/${pid}/stat`)?.split(") ")[1]?.split(" ");
  return fields && (Number(fields[11]) + Number(fields[12])) * 10_000;
}

/** Returns the resident memory of a process in MB. */
export function readResidentMegabytes(pid: number): number | undefined {
  const kB = /^VmRSS:\s+(\d+)/m.exec(readText(`/proc/${pid}/status`) ?? "")?.[1];
  return kB ? Number(kB) / 1024 : undefined;
}

/** Returns the memory of a process and its children in MB; shared memory counts once. */
export function readProcessTreeMegabytes(pid: number): number | undefined {
  const pids = [pid, ...findChildren(pid)];
  const shares = pids.map(
    (member) => /^Pss:\s+(\d+)/m.exec(readText(`/proc/${member}/smaps_rollup`) ?? "")?.[1],
  );
  return shares[0] ? shares.reduce((sum, share) => sum + Number(share ?? 0), 0) / 1024 : undefined;
}

export function findPagesProcess(pid: number): number | undefined {
  return findChildren(pid).find((child) => readText(`/proc/${child}/cmdline`)?.includes("pages.js"));
}

function findChildren(pid: number): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter(
      (candidate) =>
        candidate && readText(`/proc/${candidate}/stat`)?.split(") ")[1]?.split(" ")[1] === String(pid),
    );
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
