/**
 * Whether a write of Prisma's failed because somebody else has this value. `column` is the last part of the unique
 * index's name: `email_key` of `users_email_key_key`. Told at the edge of the transaction, which it has ended.
 */
export function isTaken(error: unknown, column: string): boolean {
  const { code, meta } = error as {
    code?: string;
    meta?: { driverAdapterError?: { cause?: { constraint?: { index?: string } } } };
  };
  const index = meta?.driverAdapterError?.cause?.constraint?.index;
  return code === "P2002" && Boolean(index?.endsWith(`_${column}_key`));
}
