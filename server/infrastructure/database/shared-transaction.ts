import { PrismaPg } from "@prisma/adapter-pg";
import type { SqlQuery, Transaction } from "@prisma/driver-adapter-utils";
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

  /** Takes the connection of the first transaction that is opened; others are none of its business. */
  open(client: Connection): boolean {
    if (this.state !== "before") return false;
    this.state = client;
    return true;
  }

  close(): void {
    this.state = "over";
  }

  /** Throws once the transaction is over, since the connection then belongs to somebody else. */
  get(): Connection {
    if (typeof this.state === "string") throw new TransactionOver();
    return this.state;
  }
}

/**
 * Prisma does not tell which connection it took: its adapter tells whoever opens the transaction. On globalThis, like
 * the client, because a process holds several copies of this module.
 */
const shared = globalThis as { tellalOpening?: Ambient<SharedConnection> };

function opening(): Ambient<SharedConnection> {
  shared.tellalOpening ??= new Ambient();
  return shared.tellalOpening;
}

/** Runs `open`, which opens a Prisma transaction, and shares the connection of it. */
export function sharing<T>(connection: SharedConnection, open: () => Promise<T>): Promise<T> {
  return opening().run(connection, open);
}

/** Prisma's adapter, with transactions whose connection named statements can use, too. */
export class SharedPrismaPg extends PrismaPg {
  override async connect() {
    const adapter = await super.connect();
    const start = adapter.startTransaction.bind(adapter);
    adapter.startTransaction = async (isolation) => {
      const transaction = await start(isolation);
      const begun = opening().get();
      const { client } = transaction as unknown as { client: Connection };
      const isShared = begun?.open(client);
      return refusingAfterEnd(transaction, () => isShared && begun?.close());
    };
    return adapter;
  }
}

/**
 * Refuses statements after the end of a transaction. Prisma ends one that takes too long even while a call of several
 * statements is under way; the rest of them would run outside of it, or within the next transaction of the connection.
 */
function refusingAfterEnd(transaction: Transaction, onEnd: () => void): Transaction {
  let over = false;
  const end = () => {
    over = true;
    onEnd();
  };
  const { queryRaw, executeRaw, commit, rollback } = transaction;
  const run = async <T>({ sql }: SqlQuery, statement: () => Promise<T>): Promise<T> => {
    if (over) throw new TransactionOver();
    if (sql === "COMMIT" || sql === "ROLLBACK") end();
    return statement();
  };
  return Object.assign(transaction, {
    queryRaw: (query: SqlQuery) => run(query, () => queryRaw.call(transaction, query)),
    executeRaw: (query: SqlQuery) => run(query, () => executeRaw.call(transaction, query)),
    commit: () => {
      end();
      return commit.call(transaction);
    },
    rollback: () => {
      end();
      return rollback.call(transaction);
    },
  });
}
