import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

/*
 * The first block comment of a command's file is its usage. A line that begins with `npm` is a form: `<name>` is an argument,
 * `[…]` is optional, `--name` is a flag, and two spaces separate the form from its explanation.
 */
const COMMENT = /^\/\*(?!\*)\s([\s\S]*?)\*\//m;
const FORM = /^npm (?:run )?\S+(.*?)(?: {2}|$)/gm;
const OPTION = /--([a-z][a-z-]*)/g;
const ARGUMENT = /<[^>]+>|\w[\w-]*/g;

/**
 * Parses the arguments of a command by its usage. Prints the usage and exits with 0 for `--help`, with 2 for arguments that
 * the usage does not have.
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
    // The rest of Node's message is about file names that begin with a dash.
    refuse(file, `${error.message.split(/\.\s/)[0].replace(/\.$/, "")}.`);
  }
}

/**
 * Prints a sentence and the usage, and exits with 2.
 *
 * @returns {never}
 */
export function refuse(file, sentence) {
  process.stderr.write(`${sentence}\n\n${usageOf(file)}`);
  process.exit(2);
}

export const isHash = (text) => /^[0-9a-f]{64}$/.test(text);

/** Returns the usage of a command's file. */
export function usageOf(file) {
  const comment = COMMENT.exec(readFileSync(new URL(file), "utf8"))?.[1] ?? "";
  return `${comment.replace(/^ \* ?/gm, "").trim()}\n`;
}

/** Returns the options of a usage, the arguments of its shortest form, and the number of arguments of its longest. */
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
