import type { Messages } from "use-intl";
import type { Database } from "@/server/infrastructure/database/client";
import type { Handler } from "./contract";
import type { ErrorSpec } from "./errors";

/*
 * What a domain declares of itself in its `domain.ts`. `server/domains.ts` lists the domains, and everything that used
 * to be a list of its own is made from it: REST's table, the panel's router, background jobs and their schedule, what
 * becomes of personal data, error codes, audit actions, mails and kinds of secrets.
 */

/** What a person understands by some rows; the dictionary's `deletion.topics` names it. */
export type Topic = keyof Messages["deletion"]["topics"];
/** A file in the archive of one's own data; the dictionary's `data_export.files` says what it holds. */
export type ExportFile = keyof Messages["data_export"]["files"];

/**
 * What becomes of rows when their account ends. `delete`: the rows go. `anonymise`: they stay without anything that
 * tells who it was. `detach`: they are somebody else's and lose the link. `keep`: a law asks for them until the end of
 * the tenth year after. Rows under `delete` also go when an account is taken over from whoever squatted its address.
 */
export type Rule = "delete" | "anonymise" | "detach" | "keep";

/** In which file the rows are handed out, or why in none. */
type Exported = ExportFile | { leftOut: string };

/** A column that names an account. */
export interface AccountRelation {
  table: string;
  column: string;
  topic: Topic;
  onDeletion: Rule;
  export: Exported;
  /** Column with the key of a stored file that goes with the row. */
  file?: string;
}

/** A column that names a site: rows go with their site, and only their owner is handed them. */
export interface SiteRelation {
  table: string;
  column: string;
  of: "site";
  export: Exported;
}

/** A column that names an account in rows about others. They stay, and are handed to those others. */
export interface ForeignRelation {
  table: string;
  column: string;
  of: "others";
  export: { leftOut: string };
}

export type Relation = AccountRelation | SiteRelation | ForeignRelation;

/** Reads one account's rows for a file of its archive. Keys become columns in their order; camelCase is spelled out. */
export type Reader = (db: Database, userId: number) => Promise<object[]>;

/** Background work, done at least once: a job that died half-way is run again. */
// biome-ignore lint/suspicious/noExplicitAny: each job has a payload of its own
export interface Job<Payload = any> {
  run(payload: Payload): Promise<void>;
  schedule?: Schedule;
}
interface Schedule {
  /** Minute, hour, day, month, weekday; UTC. */
  cron: string;
  /** How far back a missed run is made up for, such as `1h`; not at all when it is left out. */
  fill?: `${number}${"h" | "d"}`;
}

/** Declares a job; its payload carries ids, never secrets. */
export function job<Payload = Record<string, never>>(
  run: (payload: Payload) => Promise<void>,
  schedule?: Schedule,
): Job<Payload> {
  return { run, schedule };
}

export interface Domain {
  /** Each capability, bound to its verb: REST and the panel's tRPC serve it. */
  operations?: Record<string, Handler>;
  /** Only demo mode serves the operations. */
  demoOnly?: boolean;
  jobs?: Record<string, Job>;
  /** Every column that names an account or a site. */
  relations?: readonly Relation[];
  /** Files that this domain adds to the archive of one's own data. */
  exports?: Partial<Record<ExportFile, Reader>>;
  /** Mails with a receiver and parameters of their own. */
  mails?: readonly MailText[];
  /** Mails to the owner of an account that something about it has changed; `notifyOwner` writes them. */
  notices?: readonly MailText[];
  /** What is worth an entry in the audit log. */
  audit?: readonly `${string}.${string}`[];
  errors?: Record<string, ErrorSpec>;
  /** Kinds of secrets by their first letters, and what each is for. */
  tokens?: Record<string, string>;
}
type MailText = {
  [Key in keyof Messages["mail"]]: Messages["mail"][Key] extends string ? never : Key;
}[keyof Messages["mail"]];

/** Declares a domain. The value is its own description: nothing is added. */
export function domain<const D extends Domain>(shape: D): D {
  return shape;
}

/** Filled by `server/domains.ts`, so that types of the list are known below it. */
// biome-ignore lint/suspicious/noEmptyInterface: declarations merge into it
export interface Register {}
type Domains = Register extends { domains: infer List } ? List[keyof List] : never;
type Listed<Key extends string> = Domains extends infer D
  ? D extends Record<Key, readonly (infer Item)[]>
    ? Item
    : never
  : never;
type Named<Key extends string> = Domains extends infer D
  ? D extends Record<Key, infer Value>
    ? Value
    : never
  : never;
type KeysOf<T> = T extends unknown ? keyof T & string : never;

export type AuditAction = Listed<"audit">;
export type Notice = Listed<"notices">;
export type MailTemplate = Listed<"mails"> | Notice;
export type TokenPrefix = KeysOf<Named<"tokens">>;
export type JobName = KeysOf<Named<"jobs">>;
/** What a job is given. */
export type PayloadOf<N extends JobName> =
  Named<"jobs"> extends infer J ? (J extends Record<N, Job<infer Payload>> ? Payload : never) : never;

let listed: readonly Domain[] = [];

/** Called once, by `server/domains.ts`. Throws when two domains declare the same word. */
export function register(domains: readonly Domain[]): void {
  for (const key of ["jobs", "exports", "errors", "tokens"] as const)
    requireOnce(
      key,
      domains.flatMap((each) => Object.keys(each[key] ?? {})),
    );
  for (const key of ["audit", "mails", "notices"] as const)
    requireOnce(
      key,
      domains.flatMap((each) => [...(each[key] ?? [])]),
    );
  listed = domains;
}

function requireOnce(kind: string, words: string[]): void {
  const twice = words.find((word, index) => words.indexOf(word) !== index);
  if (twice) throw new Error(`two domains declare "${twice}" among their ${kind}`);
}

/** Every domain. Empty in a process that never loads `server/domains.ts`. */
export function declared(): readonly Domain[] {
  return listed;
}
