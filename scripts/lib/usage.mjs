import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

/*
 * The first block comment of a command's file is its usage. A line that begins with `npm` is a form: `<name>`
 * is an argument, `[…]` is optional, `--name` is a flag. Two spaces separate the form from its explanation.
 */
const USAGE_COMMENT = /^\/\*(?!\*)\s([\s\S]*?)\*\//m;
const FORM_PATTERN = /^npm (?:run )?\S+(.*?)(?: {2}|$)/gm;
const OPTION_PATTERN = /--([a-z][a-z-]*)/g;
const ARGUMENT_PATTERN = /<[^>]+>|\w[\w-]*/g;

/**
 * Parses the arguments of a command by its usage. Exits with 0 for `--help` and with 2 for invalid arguments.
 * @param {string | URL} file  as `import.meta.url`
 * @returns {{ values: Record<string, true | undefined>, positionals: string[] }}
 */
export function readArguments(file, args = process.argv.slice(2)) {
  const usage = readUsage(file);
  if (args.includes("--help") || args.includes("-h")) {
    process.stdout.write(usage);
    process.exit(0);
  }
  const { options, names, maxArguments } = parseUsage(usage);
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    if (positionals.length > maxArguments)
      refuse(file, `Unexpected argument '${positionals[maxArguments]}'.`);
    if (positionals.length < names.length) refuse(file, `${names[positionals.length]} is missing.`);
    return { values, positionals };
  } catch (error) {
    // Keeps the first sentence of Node's message; the rest is about file names with a dash.
    refuse(file, `${error.message.split(/\.\s/)[0].replace(/\.$/, "")}.`);
  }
}

/**
 * Prints a sentence and the usage, and exits with 2.
 * @returns {never}
 */
export function refuse(file, sentence) {
  process.stderr.write(`${sentence}\n\n${readUsage(file)}`);
  process.exit(2);
}

export const isHash = (text) => /^[0-9a-f]{64}$/.test(text);

export function readUsage(file) {
  const comment = USAGE_COMMENT.exec(readFileSync(new URL(file), "utf8"))?.[1] ?? "";
  return `${comment.replace(/^ \* ?/gm, "").trim()}\n`;
}

function parseUsage(usage) {
  const forms = [...usage.matchAll(FORM_PATTERN)].map(([, tail]) => tail.replace("-- ", ""));
  const flags = [...forms.join(" ").matchAll(OPTION_PATTERN)].map(([, name]) => [name, { type: "boolean" }]);
  const argumentCounts = forms.map((form) => {
    const words = form.replace(OPTION_PATTERN, "");
    const requiredArguments = words.replace(/\[[^\]]*\]/g, "").match(ARGUMENT_PATTERN) ?? [];
    return { requiredArguments, maxArguments: words.match(ARGUMENT_PATTERN)?.length ?? 0 };
  });
  const [{ requiredArguments }] = [...argumentCounts].sort(
    (a, b) => a.requiredArguments.length - b.requiredArguments.length,
  );
  return {
    options: Object.fromEntries(flags),
    names: requiredArguments,
    maxArguments: Math.max(...argumentCounts.map(({ maxArguments }) => maxArguments)),
  };
}
