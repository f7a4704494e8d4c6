import { SECOND } from "@/server/core/time";
import { OutboundError } from "./outbound-error";

const FAILURES_TO_OPEN = 5;
const OPEN_MS = 30 * SECOND;
/** Maximum tracked hosts; the one with the oldest failure is dropped first. */
const MAX_HOSTS = 1000;

interface HostState {
  failureCount: number;
  openUntil: number;
  isTrialRunning: boolean;
}

/** Circuit breaker per host: opens for 30 s after five failures or statuses from 500, then allows a trial. */
export class CircuitBreaker {
  private readonly hosts = new Map<string, HostState>();
  constructor(private readonly now = () => performance.now()) {}

  async guard<T extends { status: number }>(hostKey: string, call: () => Promise<T>): Promise<T> {
    const hostState = this.hosts.get(hostKey) ?? { failureCount: 0, openUntil: 0, isTrialRunning: false };
    if (hostState.failureCount >= FAILURES_TO_OPEN) {
      if (hostState.isTrialRunning || this.now() < hostState.openUntil)
        throw new OutboundError("breaker_open");
      hostState.isTrialRunning = true;
    }
    try {
      const response = await call();
      if (response.status >= 500) this.recordFailure(hostKey, hostState);
      else this.hosts.delete(hostKey);
      return response;
    } catch (error) {
      this.recordFailure(hostKey, hostState);
      throw error;
    }
  }

  private recordFailure(hostKey: string, hostState: HostState): void {
    // Concurrent calls may have failed in the meantime.
    const current = this.hosts.get(hostKey) ?? hostState;
    current.failureCount++;
    current.isTrialRunning = false;
    current.openUntil = this.now() + OPEN_MS;
    this.hosts.delete(hostKey);
    this.hosts.set(hostKey, current);
    if (this.hosts.size > MAX_HOSTS) this.hosts.delete(this.hosts.keys().next().value!);
  }
}
