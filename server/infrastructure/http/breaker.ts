import { SECOND } from "@/server/core/time";
import { OutboundError } from "./outbound-error";

/** Failures in a row after which a host is left alone, and for how long. */
const FAILURES = 5;
const OPEN_FOR = 30 * SECOND;
/** Hosts that are remembered; the one that has been quiet longest is forgotten first. */
const HOSTS = 1000;

interface Host {
  failures: number;
  openUntil: number;
  trying: boolean;
}

/**
 * Keeps calls away from a host that does not answer: after five failures in a row none is made for 30 seconds, then one
 * alone, which decides. An answer with 500 or more counts as a failure.
 */
export class Breaker {
  private readonly hosts = new Map<string, Host>();
  constructor(private readonly now = () => performance.now()) {}

  /** Performs a call, or throws `breaker_open` at once. */
  async guard<T extends { status: number }>(name: string, call: () => Promise<T>): Promise<T> {
    const host = this.hosts.get(name) ?? { failures: 0, openUntil: 0, trying: false };
    if (host.failures >= FAILURES) {
      if (host.trying || this.now() < host.openUntil) throw new OutboundError("breaker_open");
      host.trying = true;
    }
    try {
      const answer = await call();
      if (answer.status >= 500) this.failed(name, host);
      else this.hosts.delete(name);
      return answer;
    } catch (error) {
      this.failed(name, host);
      throw error;
    }
  }

  private failed(name: string, host: Host): void {
    // Others may have failed meanwhile.
    const known = this.hosts.get(name) ?? host;
    known.failures++;
    known.trying = false;
    known.openUntil = this.now() + OPEN_FOR;
    this.hosts.delete(name);
    this.hosts.set(name, known);
    if (this.hosts.size > HOSTS) this.hosts.delete(this.hosts.keys().next().value!);
  }
}
