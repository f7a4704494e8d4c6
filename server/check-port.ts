import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A process that is being killed releases its port within this time. */
const PORT_RELEASE = 600;

/** Rejects when a server could not listen there, before anything else is started. */
export async function checkPort(address: { host: string; port: number }): Promise<void> {
  for (const giveUpAt = performance.now() + PORT_RELEASE; ; await sleep(50)) {
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
