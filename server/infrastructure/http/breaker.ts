import { SECOND } from "@/server/core/time";
import { OutboundError } from "./outbound-error";

const FAILURES = 5;
const OPEN_FOR = 30 * SECOND;
/** Maximum tracked hosts; the one with the oldest failure is dropped first. */
const HOSTS = 1000;

interface Host {
  failures: number;
  openUntil: number;
  trying: boolean;
}

/** Circuit breaker per host: opens for 30 s after five failures or statuses from 500, then allows a trial. */
export class Breaker {
  private readonly hosts = new Map<string, Host>();
  constructor(private readonly now = () => performance.now()) {}

  async guard<T extends { status: number }>(name: string, call: () => Promise<T>): Promise<T> {
    const host = this.hosts.get(name) ?? { failures: 0, openUntil: 0, trying: false };
    if (host.failures >= FAILURES) {
      if (host.trying || this.now() < host.openUntil) throw new OutboundError("breaker_open");
      host.trying = true;
    }
    try {
      const response = await call();
      if (response.status >= 500) this.failed(name, host);
      else this.hosts.delete(name);
      return response;
    } catch (error) {
      this.failed(name, host);
      throw error;
    }
  }

  private failed(name: string, host: Host): void {
    // Concurrent calls may have failed in the meantime.
    const current = this.hosts.get(name) ?? host;
    current.failures++;
    current.trying = false;
    current.openUntil = this.now() + OPEN_FOR;
    this.hosts.delete(name);
    this.hosts.set(name, current);
    if (this.hosts.size > HOSTS) this.hosts.delete(this.hosts.keys().next().value!);
  }
}
