import { PrismaPg } from "@prisma/adapter-pg";
import { Ambient } from "@/server/core/ambient";
import type { Connection } from "./connection";

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
    if (typeof this.state === "string") throw new Error("The transaction is over");
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
      if (!begun?.open(client)) return transaction;
      const [commit, rollback] = [transaction.commit, transaction.rollback].map((end) =>
        end.bind(transaction),
      );
      const over = (end: () => Promise<void>) => () => {
        begun.close();
        return end();
      };
      return Object.assign(transaction, { commit: over(commit!), rollback: over(rollback!) });
    };
    return adapter;
  }
}
