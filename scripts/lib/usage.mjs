import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

/*
 * The first block comment of a command's file is its usage. Lines that begin with `npm` are its forms: `<name>` is an
 * argument, `[…]` is optional, `--name` is a flag. Two spaces end a form.
 */
const COMMENT = /^\/\*(?!\*)\s([\s\S]*?)\*\//m;
const FORM = /^npm (?:run )?\S+(.*?)(?: {2}|$)/gm;
const OPTION = /--([a-z][a-z-]*)/g;
const ARGUMENT = /<[^>]+>|\w[\w-]*/g;

/**
 * Reads the arguments of the command in a file, by its usage. Prints the usage and ends the process for `--help` and
 * `-h`, and for arguments that the usage does not have.
 *
 * @param {string | URL} file  as `import.meta.url`
 * @returns {{ values: Record<string, true | undefined>, positionals: string[] }}
 */
export function readArguments(file, args = process.argv.slice(2)) {
  const usage = usageOf(file);
  if (args.includes("--help") || args.includes("-h")) {
    process.stdout.write(usage);
    process.exit(0);
  }
  const { options, names, most } = grammarOf(usage);
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    if (positionals.length > most) refuse(file, `Unexpected argument '${positionals[most]}'.`);
    if (positionals.length < names.length) refuse(file, `${names[positionals.length]} is missing.`);
    return { values, positionals };
  } catch (error) {
    // The rest of Node's text is about file names that begin with a dash.
    refuse(file, `${error.message.split(/\.\s/)[0].replace(/\.$/, "")}.`);
  }
}

/**
 * Ends a command whose arguments are wrong, with its usage.
 *
 * @returns {never}
 */
export function refuse(file, sentence) {
  process.stderr.write(`${sentence}\n\n${usageOf(file)}`);
  process.exit(2);
}

/** Whether an argument looks like a SHA-256 hash as we print it. */
export const isHash = (text) => /^[0-9a-f]{64}$/.test(text);

/** Returns the usage of a command's file. */
export function usageOf(file) {
  const comment = COMMENT.exec(readFileSync(new URL(file), "utf8"))?.[1] ?? "";
  return `${comment.replace(/^ \* ?/gm, "").trim()}\n`;
}

/** The options of a usage, the arguments that its shortest form needs, and how many its longest takes. */
function grammarOf(usage) {
  const forms = [...usage.matchAll(FORM)].map(([, tail]) => tail.replace("-- ", ""));
  const flags = [...forms.join(" ").matchAll(OPTION)].map(([, name]) => [name, { type: "boolean" }]);
  const counted = forms.map((form) => {
    const words = form.replace(OPTION, "");
    const needed = words.replace(/\[[^\]]*\]/g, "").match(ARGUMENT) ?? [];
    return { needed, most: words.match(ARGUMENT)?.length ?? 0 };
  });
  const [{ needed }] = [...counted].sort((a, b) => a.needed.length - b.needed.length);
  return {
    options: Object.fromEntries(flags),
    names: needed,
    most: Math.max(...counted.map(({ most }) => most)),
  };
}
