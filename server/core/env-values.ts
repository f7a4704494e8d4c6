import { isIP } from "node:net";
import * as z from "zod";

/* Schemas of environment variables. Messages are printed after `NAME: ` and never contain a secret. */

type Check<T> = (text: string) => { value: T } | { problem: string };

function variable<T>(check: Check<T>) {
  return z.string().transform((text, ctx): T => {
    const result = check(text);
    if ("value" in result) return result.value;
    ctx.issues.push({ code: "custom", message: result.problem, input: text });
    return z.NEVER;
  });
}

const joinWithOr = (words: readonly string[]) => words.join(", ").replace(/, ([^,]*)$/, " or $1");

const shorten = (text: string) => (text.length > 30 ? `${text.slice(0, 30)}…` : text);

export const intVariable = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  numberVariable(min, max, /^\d+$/, "whole number");

export const decimal = (min: number, max: number) => numberVariable(min, max, /^\d+(\.\d+)?$/, "number");

function numberVariable(min: number, max: number, pattern: RegExp, kind: string) {
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  return variable((text) => {
    const value = pattern.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return { value };
    return { problem: `must be a ${kind} ${range}, not ${shorten(text)}` };
  });
}

export function choice<const Word extends string>(...words: Word[]) {
  return z.enum(words, {
    error: ({ input }) => `must be ${joinWithOr(words)}, not ${shorten(String(input))}`,
  });
}

export const flag = () =>
  z.stringbool({ error: ({ input }) => `must be true or false, not ${shorten(String(input))}` });

export const text = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  z.string().min(min, `must have at least ${min} characters`).max(max, `must have at most ${max} characters`);

/** Value of another schema, with a message of its own: the schema's messages are for forms. */
export const fromSchema = <T>(schema: z.ZodType<T>, problem: string) =>
  variable((input) => {
    const { success, data } = schema.safeParse(input);
    return success ? { value: data } : { problem };
  });

function findHttpProblem(input: string, example: string): string | undefined {
  if (!/^https?:\/\//i.test(input)) return `must begin with https://, such as ${example}`;
  if (!URL.canParse(input)) return `is not a valid URL such as ${example}`;
  return undefined;
}

/** http(s) URL; trailing slashes are removed. */
export const httpUrl = (example: string) =>
  variable((input) => {
    const problem = findHttpProblem(input, example);
    return problem ? { problem } : { value: input.replace(/(?<!\/)\/+$/, "") };
  });

/** http(s) URL without anything after host and port. */
export const origin = (example: string, hint = "without a path, a query or a user") =>
  variable((input) => {
    const problem = findHttpProblem(input, example);
    if (problem) return { problem };
    const url = new URL(input);
    const hasOnlyHost =
      !(url.username || url.password || url.search || url.hash) && /^\/*$/.test(url.pathname);
    if (!hasOnlyHost) return { problem: `must be an address alone, such as ${example}, ${hint}` };
    return { value: url.origin };
  });

const ESCAPE_HINT = "write # / @ ? % in the password as %23 %2F %40 %3F %25";

interface ServiceUrlOptions {
  schemes: string[];
  example: string;
  /** The path must name a database; the driver accepts a literal %. */
  requiresDatabaseName?: boolean;
}

export const serviceUrl = (options: ServiceUrlOptions) =>
  variable((input) => {
    const problem = findServiceProblem(input, options);
    return problem ? { problem } : { value: input };
  });

function findServiceProblem(
  input: string,
  { schemes, example, requiresDatabaseName }: ServiceUrlOptions,
): string | undefined {
  if (!schemes.some((scheme) => input.startsWith(`${scheme}://`)))
    return `must begin with ${joinWithOr(schemes.map((scheme) => `${scheme}://`))}, such as ${example}`;
  // The host may be empty when the query names a socket.
  const parsableUrl = [input, input.replace("@/", "@socket/")].find((each) => URL.canParse(each));
  const url = parsableUrl && new URL(parsableUrl);
  if (!url || isMisread(url) || (!requiresDatabaseName && !isDecodable(url)))
    return `is not a valid URL such as ${example}; ${ESCAPE_HINT}`;
  if (!url.hostname && !url.searchParams.get("host")) return `has no host; write it as in ${example}`;
  if (requiresDatabaseName && /^\/?$/.test(url.pathname))
    return `has no database name; write it as in ${example}`;
  return undefined;
}

/** Tests for an unescaped # / or ? in a password, which moves its @ into the path, query or fragment. */
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

export const listenHost = () =>
  variable((input) => {
    if (isIP(input) > 0 || HOST_NAME.test(input)) return { value: input };
    return {
      problem: "must be an address or a name to listen on, such as 127.0.0.1, without https:// and port",
    };
  });

/** IP addresses of resolvers, with optional ports; names would need a resolver. */
export const dnsServers = () =>
  variable((input) => {
    const list = input.split(",").map((each) => each.trim());
    const isAddress = (each: string) =>
      isIP(each) > 0 || isIP(/^\[?([^\]]*)\]?:\d{1,5}$/.exec(each)?.[1] ?? "") > 0;
    if (list.every(isAddress)) return { value: list.join(",") };
    return { problem: "must be addresses, comma-separated, such as 9.9.9.9, 149.112.112.112" };
  });

const MAILBOX = String.raw`[^\s@<>,;:"]+@[^\s@<>,;:"]+`;
const SENDER = new RegExp(`^(${MAILBOX}|("[^"]*" *|[^"<>,;:@]*)<${MAILBOX}>)$`);

export const mailSender = () =>
  z.string().regex(SENDER, "must be an email address, such as Tellal <no-reply@example.com>");

export const commaList = () =>
  z
    .string()
    .default("")
    .transform((input) => input.split(",").flatMap((each) => each.trim() || []));
