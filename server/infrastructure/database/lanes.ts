import type pg from "pg";
import { log } from "@/server/core/log";
import type { Query } from "./connection";
import { ReadConnection } from "./pg-internals";

/** How many connections short reads share, besides the pool. */
export const LANES = 4;

/** Statements of one turn of the event loop that one lane takes: further ones run beside them. */
const SHARE = 4;

interface Lane {
  connection: ReadConnection;
  /** Statements sent and not yet answered. */
  pending: number;
}

/**
 * A few connections that take many statements at once, without waiting for the ones before: for short reads, which
 * cost less than fetching a connection from the pool. A slow statement would hold up those behind it, and one that
 * waits for a lock could wait for itself.
 */
export class Lanes {
  private open: Lane[] = [];

  constructor(
    private readonly config: pg.ClientConfig,
    private readonly onConnect?: (connection: ReadConnection) => Promise<void>,
  ) {}

  async query(query: Query): Promise<pg.QueryResult> {
    const isOpen = ({ connection, pending }: Lane) => connection.isGathering && pending < SHARE;
    const lane = this.open.find(isOpen) ?? this.freest();
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

  private freest(): Lane {
    let found: Lane | undefined;
    for (const lane of this.open) if (!found || lane.pending < found.pending) found = lane;
    return found && (found.pending === 0 || this.open.length >= LANES) ? found : this.add();
  }

  /** Statements wait in the new connection until it stands, and fail with it. */
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
    // Sent ahead of the first statement; a connection that breaks meanwhile has said so.
    this.onConnect?.(connection).catch(() => {});
    this.open.push(lane);
    return lane;
  }
}
