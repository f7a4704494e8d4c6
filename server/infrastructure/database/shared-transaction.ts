import type pg from "pg";
import { AsyncContext } from "@/server/core/async-context";
import type { Connection } from "./connection";

/** The transaction has ended, usually by its timeout. Has the code of Prisma's own error. */
class TransactionOverError extends Error {
  override name = "TransactionOver";
  code = "P2028";
  override message = "The transaction is over";
}

/** Connection of an open Prisma transaction, for use by named statements. */
export class SharedConnection {
  private state: "before" | "over" | Connection = "before";

  /** Throws after the transaction has ended, when the connection may serve another one. */
  get(): Connection {
    if (typeof this.state === "string") throw new TransactionOverError();
    return this.state;
  }

  /** Returns a client that rejects statements after a timeout: they would run in the next transaction. */
  captureClient(client: pg.PoolClient): pg.PoolClient {
    if (this.state !== "before") return client;
    this.state = client as pg.PoolClient & Connection;
    const { release } = client;
    const overrides = {
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
        const value = Reflect.get(Object.hasOwn(overrides, name) ? overrides : target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  }
}

/** On globalThis, because a process contains several copies of this module. */
const globals = globalThis as { tellalOpening?: AsyncContext<SharedConnection> };

function getOpeningContext(): AsyncContext<SharedConnection> {
  globals.tellalOpening ??= new AsyncContext();
  return globals.tellalOpening;
}

/** Runs `open`, which opens a Prisma transaction, and captures its connection. */
export function withCapturedConnection<T>(connection: SharedConnection, open: () => Promise<T>): Promise<T> {
  return getOpeningContext().run(connection, open);
}

/** Captures the pool connection that Prisma takes for the transaction being opened. */
export async function captureConnection(clientPromise: Promise<pg.PoolClient>): Promise<pg.PoolClient> {
  const connection = getOpeningContext().get();
  const client = await clientPromise;
  return connection ? connection.captureClient(client) : client;
}
