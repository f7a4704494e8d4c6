import { formatErrorText } from "@/server/core/error-text";
import { AppError } from "@/server/core/errors";
import { OperatorError, toOperatorError } from "@/server/core/operator-error";
import { getErrorReason, redactText } from "@/server/core/redact";
import { isDatabaseUnavailable, isDiskFullError } from "@/server/infrastructure/database/error-kinds";
import { StorageError } from "@/server/infrastructure/storage/driver";
import { printError } from "@/server/print-error";

/** Runs a command. Prints an operator's error as a sentence and a bug with its stack, and exits with 1. */
export async function runCommand(work: () => Promise<void> | void): Promise<void> {
  try {
    await work();
  } catch (error) {
    process.exitCode = 1;
    const sentence = formatOperatorError(error);
    if (sentence) process.stderr.write(`${sentence}\n`);
    else printError(error);
  }
}

function formatOperatorError(error: unknown): string | undefined {
  if (error instanceof AppError) return formatErrorText(error, "en");
  if (error instanceof OperatorError || error instanceof StorageError) return error.message;
  const { code, path } = error as NodeJS.ErrnoException;
  if (path && (code === "EACCES" || code === "EPERM"))
    return (toOperatorError(error, path, "read") as OperatorError).message;
  if (isDiskFullError(error)) return "The disk is full; free some space and try again.";
  if (isDatabaseUnavailable(error))
    return `The database cannot be reached: ${redactText(getErrorReason(error))}`;
  return undefined;
}
