import type pg from "pg";
import { Ambient } from "@/server/core/ambient";
import type { Connection } from "./connection";

/** A statement of a transaction that has ended, usually because it took too long. It has the code of Prisma's own error. */
class TransactionOver extends Error {
  override name = "TransactionOver";
  code = "P2028";
  override message = "The transaction is over";
}

/** The connection of one Prisma transaction, for named statements, while it is open. */
export class SharedConnection {
  private state: "before" | "over" | Connection = "before";

  /** Throws once the transaction is over: the connection then belongs to another one. */
  get(): Connection {
    if (typeof this.state === "string") throw new TransactionOver();
    return this.state;
  }

  /**
   * Lends the first connection that is asked for until its transaction ends. Prisma ends a transaction that takes too
   * long even during a call of several statements: the rest of them would run within the next transaction.
   */
  lend(client: pg.PoolClient): pg.PoolClient {
    if (this.state !== "before") return client;
    this.state = client as pg.PoolClient & Connection;
    const { release } = client;
    const lent = {
      query: async (query: pg.QueryConfig) => {
        const connection = this.get();
        if (/^(commit|rollback)$/i.test(query.text)) this.state = "over";
        return connection.query(query);
      },
      release: (error?: Error | boolean) => {
        this.state = "over";
        release(error);
      },
    };
    return new Proxy(client, {
      get(target, name) {
        const value = Reflect.get(Object.hasOwn(lent, name) ? lent : target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  }
}

/** On globalThis, like the client, because a process holds several copies of this module. */
const shared = globalThis as { tellalOpening?: Ambient<SharedConnection> };

function opening(): Ambient<SharedConnection> {
  shared.tellalOpening ??= new Ambient();
  return shared.tellalOpening;
}

/** Runs `open`, which opens a Prisma transaction, and shares the connection of it. */
export function sharing<T>(connection: SharedConnection, open: () => Promise<T>): Promise<T> {
  return opening().run(connection, open);
}

/** Notes which connection Prisma takes from the pool for the transaction that it opens. */
export async function lend(connecting: Promise<pg.PoolClient>): Promise<pg.PoolClient> {
  const connection = opening().get();
  const client = await connecting;
  return connection ? connection.lend(client) : client;
}
