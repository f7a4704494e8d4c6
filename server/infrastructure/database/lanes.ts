import type pg from "pg";
import { log } from "@/server/core/log";
import type { Query } from "./connection";
import { ReadConnection } from "./pg-internals";

export const LANES = 4;

/** Maximum statements of one event-loop turn per lane; further ones use another lane. */
const SHARE = 4;

interface Lane {
  connection: ReadConnection;
  pending: number;
}

/**
 * A few pipelining connections for short reads, which are cheaper than checking out a pool connection. Never
 * use them for slow statements, which delay those behind them, or for locks, which can deadlock.
 */
export class Lanes {
  private open: Lane[] = [];

  constructor(
    private readonly config: pg.ClientConfig,
    private readonly onConnect?: (connection: ReadConnection) => Promise<void>,
  ) {}

  async query(query: Query): Promise<pg.QueryResult> {
    const isOpen = ({ connection, pending }: Lane) => connection.isGathering && pending < SHARE;
    const lane = this.open.find(isOpen) ?? this.leastBusy();
    lane.pending++;
    try {
      return await lane.connection.query(query);
    } finally {
      lane.pending--;
    }
  }

  async end(): Promise<void> {
    await Promise.all(this.open.splice(0).map(({ connection }) => connection.end()));
  }

  private leastBusy(): Lane {
    let best: Lane | undefined;
    for (const lane of this.open) if (!best || lane.pending < best.pending) best = lane;
    return best && (best.pending === 0 || this.open.length >= LANES) ? best : this.add();
  }

  /** Statements are queued until the connection is established, and fail with it. */
  private add(): Lane {
    const connection = new ReadConnection(this.config);
    const lane = { connection, pending: 0 };
    const drop = () => {
      this.open = this.open.filter((each) => each !== lane);
    };
    connection.on("error", (error) => {
      drop();
      log.warn({ event: "database.connection_lost", reason: error.message });
    });
    connection.on("end", drop);
    connection.connect().catch(drop);
    // Queued ahead of the first statement. Connection errors are handled above.
    this.onConnect?.(connection).catch(() => {});
    this.open.push(lane);
    return lane;
  }
}
