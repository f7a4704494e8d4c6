/** Exits a `dist` program that was given an argument: prints the usage, with code 0 for `--help`. */
export function rejectArguments(usage: string): void {
  const [argument] = process.argv.slice(2);
  if (argument === undefined) return;
  const isHelp = argument === "--help" || argument === "-h";
  if (isHelp) process.stdout.write(usage);
  else process.stderr.write(`Unexpected argument '${argument}'.\n\n${usage}`);
  process.exit(isHelp ? 0 : 2);
}
