import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const PORT_RELEASE_MS = 600;

/** Rejects if the address is in use. Retries briefly: a process that just ended may still hold the port. */
export async function checkPort(address: { host: string; port: number }): Promise<void> {
  for (const giveUpAt = performance.now() + PORT_RELEASE_MS; ; await sleep(50)) {
    try {
      return await probePort(address);
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
      if (!isTaken || performance.now() > giveUpAt) throw error;
    }
  }
}

function probePort(address: { host: string; port: number }): Promise<void> {
  const probe = createServer();
  return new Promise((resolve, reject) => {
    probe.once("error", reject).listen(address, () => probe.close(() => resolve()));
  });
}
