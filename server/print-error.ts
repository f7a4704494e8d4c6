import { env, SettingsError } from "./core/env";
import { redactText } from "./core/redact";

export function exitWithError(error: unknown): never {
  printError(error);
  process.exit(1);
}

/** Prints an operator error as one sentence, and any other error, which is a bug, with its stack. */
export function printError(error: unknown): void {
  const { name, message, stack } = error as Error;
  const isOperatorError =
    error instanceof SettingsError || /^(DataDirectoryInUse|DatabaseStart|Migration|PagesExit)/.test(name);
  const text =
    describePortError(error as NodeJS.ErrnoException) ?? (isOperatorError ? message : redactText(stack));
  process.stderr.write(`\n  ${String(text).replaceAll("\n", "\n  ")}\n\n`);
}

type ListenError = NodeJS.ErrnoException & { address?: string; port?: number; hostname?: string };

function describePortError(error: ListenError): string | undefined {
  if (error.syscall === "getaddrinfo") return describeHostError(error);
  if (error.syscall !== "listen") return undefined;
  const isMetrics = error.port === env().METRICS_PORT;
  const setting = isMetrics ? "METRICS_PORT" : "PORT";
  switch (error.code) {
    case "EADDRINUSE":
      return `Port ${error.port} is taken by another program; choose another one with ${setting}=`;
    case "EACCES":
      return `Port ${error.port} is not open to this user; choose one above 1023 with ${setting}=`;
    case "EADDRNOTAVAIL":
      return `${isMetrics ? "METRICS_HOST" : "HOST"}: this machine does not have the address ${error.address}`;
    default:
      return undefined;
  }
}

function describeHostError({ hostname }: ListenError): string | undefined {
  const { HOST, METRICS_HOST } = env();
  const setting = Object.entries({ HOST, METRICS_HOST }).find(([, value]) => value === hostname)?.[0];
  return setting && `${setting}: no address is known for the name ${hostname}; write an address instead`;
}
