import { env, SettingsError } from "./core/env";
import { redacted } from "./core/redact";

/**
 * Ends a program that cannot start. Errors that a person has to act on are one sentence; anything else is a bug and
 * keeps its stack.
 */
export function fail(error: unknown): never {
  const { name, message, stack } = error as Error;
  const known =
    error instanceof SettingsError || /^(DataDirectoryInUse|DatabaseStart|Migration|PagesEnded)/.test(name);
  const inUse = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
  const text = inUse
    ? `Port ${(error as { port?: number }).port ?? env().PORT} is taken by another program; choose another one with PORT=`
    : known
      ? message
      : redacted(stack);
  process.stderr.write(`\n  ${String(text).replaceAll("\n", "\n  ")}\n\n`);
  process.exit(1);
}
