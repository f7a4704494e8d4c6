interface Cause {
  /** PostgreSQL's own error code. */
  originalCode?: string;
  constraint?: { index?: string };
}

/** Returns what the driver reported beneath a Prisma error, or an empty cause for any other error. */
export function causeOf(error: unknown): Cause {
  const { meta } = error as { meta?: { driverAdapterError?: { cause?: Cause } } };
  return meta?.driverAdapterError?.cause ?? {};
}

/**
 * Whether a write of Prisma's failed because the value is taken. `column` is the last part of the unique index's
 * name: `email_key` of `users_email_key_key`. Check it outside the transaction, which the error has ended.
 */
export function isTaken(error: unknown, column: string): boolean {
  const { code } = error as { code?: string };
  return code === "P2002" && Boolean(causeOf(error).constraint?.index?.endsWith(`_${column}_key`));
}
