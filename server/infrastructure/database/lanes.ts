import type pg from "pg";
import { log } from "@/server/core/log";
import type { Query } from "./connection";
import { ReadConnection } from "./pg-internals";

export const READ_LANE_COUNT = 4;

/** Maximum statements of one event-loop turn per lane; further ones use another lane. */
const MAX_STATEMENTS_PER_TURN = 4;

interface ReadLane {
  connection: ReadConnection;
  pending: number;
}

/** Pipelining connections for short reads. Never use them for slow statements, or for locks (deadlocks). */
export class ReadLanes {
  private lanes: ReadLane[] = [];

  constructor(
    private readonly config: pg.ClientConfig,
    private readonly onConnect?: (connection: ReadConnection) => Promise<void>,
  ) {}

  async query(query: Query): Promise<pg.QueryResult> {
    const hasRoom = ({ connection, pending }: ReadLane) =>
      connection.isCorked && pending < MAX_STATEMENTS_PER_TURN;
    const lane = this.lanes.find(hasRoom) ?? this.getLeastBusyLane();
    lane.pending++;
    try {
      return await lane.connection.query(query);
    } finally {
      lane.pending--;
    }
  }

  async end(): Promise<void> {
    await Promise.all(this.lanes.splice(0).map(({ connection }) => connection.end()));
  }

  private getLeastBusyLane(): ReadLane {
    let leastBusyLane: ReadLane | undefined;
    for (const lane of this.lanes)
      if (!leastBusyLane || lane.pending < leastBusyLane.pending) leastBusyLane = lane;
    return leastBusyLane && (leastBusyLane.pending === 0 || this.lanes.length >= READ_LANE_COUNT)
      ? leastBusyLane
      : this.addLane();
  }

  /** Statements are queued until the connection is established, and fail with it. */
  private addLane(): ReadLane {
    const connection = new ReadConnection(this.config);
    const lane = { connection, pending: 0 };
    const removeLane = () => {
      this.lanes = this.lanes.filter((each) => each !== lane);
    };
    connection.on("error", (error) => {
      removeLane();
      log.warn({ event: "database.connection_lost", reason: error.message });
    });
    connection.on("end", removeLane);
    connection.connect().catch(removeLane);
    // Queued ahead of the first statement. Connection errors are handled above.
    this.onConnect?.(connection).catch(() => {});
    this.lanes.push(lane);
    return lane;
  }
}
