import { SECOND } from "@/server/core/time";
import { OutboundError } from "./outbound-error";

const FAILURES_TO_OPEN = 5;
const OPEN_MS = 30 * SECOND;
/** Maximum tracked hosts; the one with the oldest failure is dropped first. */
const MAX_HOSTS = 1000;

interface HostState {
  failures: number;
  openUntil: number;
  isTrialRunning: boolean;
}

/** Circuit breaker per host: opens for 30 s after five failures or statuses from 500, then allows a trial. */
export class CircuitBreaker {
  private readonly hosts = new Map<string, HostState>();
  constructor(private readonly now = () => performance.now()) {}

  async guard<T extends { status: number }>(name: string, call: () => Promise<T>): Promise<T> {
    const host = this.hosts.get(name) ?? { failures: 0, openUntil: 0, isTrialRunning: false };
    if (host.failures >= FAILURES_TO_OPEN) {
      if (host.isTrialRunning || this.now() < host.openUntil) throw new OutboundError("breaker_open");
      host.isTrialRunning = true;
    }
    try {
      const response = await call();
      if (response.status >= 500) this.recordFailure(name, host);
      else this.hosts.delete(name);
      return response;
    } catch (error) {
      this.recordFailure(name, host);
      throw error;
    }
  }

  private recordFailure(name: string, host: HostState): void {
    // Concurrent calls may have failed in the meantime.
    const current = this.hosts.get(name) ?? host;
    current.failures++;
    current.isTrialRunning = false;
    current.openUntil = this.now() + OPEN_MS;
    this.hosts.delete(name);
    this.hosts.set(name, current);
    if (this.hosts.size > MAX_HOSTS) this.hosts.delete(this.hosts.keys().next().value!);
  }
}
