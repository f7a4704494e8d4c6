interface Cause {
  /** PostgreSQL's own code. */
  originalCode?: string;
  constraint?: { index?: string };
}

/** What the driver said beneath an error of Prisma's; nothing of an error that is none. */
export function causeOf(error: unknown): Cause {
  const { meta } = error as { meta?: { driverAdapterError?: { cause?: Cause } } };
  return meta?.driverAdapterError?.cause ?? {};
}

/**
 * Whether a write of Prisma's failed because somebody else has this value. `column` is the last part of the unique
 * index's name: `email_key` of `users_email_key_key`. Told at the edge of the transaction, which it has ended.
 */
export function isTaken(error: unknown, column: string): boolean {
  const { code } = error as { code?: string };
  return code === "P2002" && Boolean(causeOf(error).constraint?.index?.endsWith(`_${column}_key`));
}
