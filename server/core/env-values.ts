import { isIP } from "node:net";
import * as z from "zod";

/* Kinds of settings, each with the sentence for a wrong value. No sentence contains a value that may be secret. */

/** The messages of every kind follow the name of the setting and a colon. */
type Check<T> = (text: string) => { value: T } | { problem: string };

function setting<T>(check: Check<T>) {
  return z.string().transform((text, ctx): T => {
    const result = check(text);
    if ("value" in result) return result.value;
    ctx.issues.push({ code: "custom", message: result.problem, input: text });
    return z.NEVER;
  });
}

/** Joins alternatives for a sentence: `a, b or c`. */
const or = (words: readonly string[]) => words.join(", ").replace(/, ([^,]*)$/, " or $1");

/** Repeats a wrong value, at most its beginning. */
const shown = (text: string) => (text.length > 30 ? `${text.slice(0, 30)}…` : text);

/** A whole number in decimal digits. */
export const whole = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  number(min, max, /^\d+$/, "whole number");

/** A number in decimal digits, with a point or without. */
export const decimal = (min: number, max: number) => number(min, max, /^\d+(\.\d+)?$/, "number");

function number(min: number, max: number, digits: RegExp, kind: string) {
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  return setting((text) => {
    const value = digits.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return { value };
    return { problem: `must be a ${kind} ${range}, not ${shown(text)}` };
  });
}

export function choice<const Word extends string>(...words: Word[]) {
  return z.enum(words, { error: ({ input }) => `must be ${or(words)}, not ${shown(String(input))}` });
}

export const flag = () =>
  z.stringbool({ error: ({ input }) => `must be true or false, not ${shown(String(input))}` });

/** A text of `min` to `max` characters. */
export const text = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  z.string().min(min, `must have at least ${min} characters`).max(max, `must have at most ${max} characters`);

/** A value that another schema accepts, whose own messages are for people who fill in a form. */
export const as = <T>(schema: z.ZodType<T>, problem: string) =>
  setting((given) => {
    const { success, data } = schema.safeParse(given);
    return success ? { value: data } : { problem };
  });

function httpProblem(given: string, example: string): string | undefined {
  if (!/^https?:\/\//i.test(given)) return `must begin with https://, such as ${example}`;
  if (!URL.canParse(given)) return `is no address such as ${example}`;
  return undefined;
}

/** An address of the web, without slashes at its end. */
export const address = (example: string) =>
  setting((given) => {
    const problem = httpProblem(given, example);
    return problem ? { problem } : { value: given.replace(/(?<!\/)\/+$/, "") };
  });

/** An address without anything behind the host and port. */
export const origin = (example: string, hint = "without a path, a query or a user") =>
  setting((given) => {
    const problem = httpProblem(given, example);
    if (problem) return { problem };
    const url = new URL(given);
    const isAlone = !(url.username || url.password || url.search || url.hash) && /^\/*$/.test(url.pathname);
    if (!isAlone) return { problem: `must be an address alone, such as ${example}, ${hint}` };
    return { value: url.origin };
  });

const ESCAPES = "write # / @ ? % in the password as %23 %2F %40 %3F %25";

interface ServiceAddress {
  schemes: string[];
  example: string;
  /** Whether the path names a database, and the driver accepts a % that escapes nothing. */
  database?: boolean;
}

/** An address that may have a user and a password. */
export const serviceAddress = (kind: ServiceAddress) =>
  setting((given) => {
    const problem = serviceProblem(given, kind);
    return problem ? { problem } : { value: given };
  });

function serviceProblem(given: string, { schemes, example, database }: ServiceAddress): string | undefined {
  if (!schemes.some((scheme) => given.startsWith(`${scheme}://`)))
    return `must begin with ${or(schemes.map((scheme) => `${scheme}://`))}, such as ${example}`;
  // A host may be missing where the query names a socket.
  const readable = [given, given.replace("@/", "@socket/")].find((each) => URL.canParse(each));
  const url = readable && new URL(readable);
  if (!url || isMisread(url) || (!database && !isDecodable(url)))
    return `is no address such as ${example}; ${ESCAPES}`;
  if (!url.hostname && !url.searchParams.get("host")) return `names no host; write it such as ${example}`;
  if (database && /^\/?$/.test(url.pathname)) return `names no database; write it such as ${example}`;
  return undefined;
}

/** A # / or ? in a password ends the host early: the rest, with its @, is then in the path, the query or the fragment. */
function isMisread({ hash, pathname, search, searchParams, username }: URL): boolean {
  if (hash || pathname.includes("@") || /^\?[^=]*@/.test(search)) return true;
  return !username && search.includes("@") && !searchParams.has("user");
}

function isDecodable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

const HOST_NAME = /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/i;

/** An address or name to listen on. */
export const listenHost = () =>
  setting((given) => {
    if (isIP(given) > 0 || HOST_NAME.test(given)) return { value: given };
    return {
      problem: "must be an address or a name to listen on, such as 127.0.0.1, without https:// and port",
    };
  });

/** Addresses of resolvers, with ports or without; names would need a resolver themselves. */
export const resolvers = () =>
  setting((given) => {
    const list = given.split(",").map((each) => each.trim());
    const isAddress = (each: string) =>
      isIP(each) > 0 || isIP(/^\[?([^\]]*)\]?:\d{1,5}$/.exec(each)?.[1] ?? "") > 0;
    if (list.every(isAddress)) return { value: list.join(",") };
    return { problem: "must be addresses, comma-separated, such as 9.9.9.9, 149.112.112.112" };
  });

const MAILBOX = String.raw`[^\s@<>,;:"]+@[^\s@<>,;:"]+`;
const SENDER = new RegExp(`^(${MAILBOX}|("[^"]*" *|[^"<>,;:@]*)<${MAILBOX}>)$`);

/** An e-mail address, alone or behind a name. */
export const sender = () =>
  z.string().regex(SENDER, "must be an e-mail address, such as Tellal <no-reply@example.com>");

/** A comma-separated list without its empty parts. */
export const list = () =>
  z
    .string()
    .default("")
    .transform((given) => given.split(",").flatMap((each) => each.trim() || []));
