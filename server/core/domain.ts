import type { Messages } from "use-intl";
import type { Context, UserActor } from "./context";
import type { Handler } from "./contract";
import type { Database, Sql } from "./sql";

/*
 * What a domain declares about itself in its `domain.ts`. `server/domains.ts` lists the domains; REST's table, the
 * panel's router, background jobs and their schedule, the handling of personal data, audit actions, mails and kinds
 * of secrets are derived from that list. Error codes have a list of their own, `server/errors.ts`: contracts name codes,
 * and TypeScript cannot derive a type from a list that contains the contracts.
 */

/** A group of rows as people understand it, named in the dictionary under `deletion.topics`. */
export type Topic = keyof Messages["deletion"]["topics"];
/** A file in the personal data archive, described in the dictionary under `dataExport.files`. */
export type ExportFile = keyof Messages["dataExport"]["files"];

/**
 * What happens to rows when their account ends. `delete`: they are removed. `anonymise`: they stay without anything
 * that identifies a person. `detach`: they belong to somebody else and lose the link. `keep`: the law requires them
 * until the end of the tenth year after. Rows under `delete` are also removed when the owner of an address takes over
 * an account that was registered with it.
 */
type Rule = "delete" | "anonymise" | "detach" | "keep";

/** The file that contains the rows, or the reason why none does. */
type Exported = ExportFile | { leftOut: string };

/** A column that refers to an account. */
export interface AccountRelation {
  table: string;
  column: string;
  topic: Topic;
  onDeletion: Rule;
  export: Exported;
  /** Columns with the keys of stored files that are removed with the row. */
  files?: readonly string[];
}

/** A column that refers to a site. The rows go with their site and are exported to its owner. */
interface SiteRelation {
  table: string;
  column: string;
  of: "site";
  export: Exported;
}

/** A column that refers to an account in rows about other people. The rows stay and are exported to those people. */
interface ForeignRelation {
  table: string;
  column: string;
  of: "others";
  export: { leftOut: string };
}

export type Relation = AccountRelation | SiteRelation | ForeignRelation;

/** Reads one account's rows for a file of its archive. Keys become columns in their order, in snake_case. */
export type Reader = (db: Database, userId: number) => Promise<object[]>;

/** Stored files of one account that its archive holds as they are: their name there, and the key of the storage. */
export type Attachments = (db: Database, userId: number) => Promise<Array<{ name: string; key: string }>>;

/** What accounts have at outside parties. It ends with the account, by jobs: a party that is away keeps nobody. */
interface Outside {
  /** All that undoing one account's things needs, each sealed on its own. */
  seal(work: { db: Database }, userId: number): Promise<Uint8Array[]>;
  /** Undoes one of them. Throws when it has to be tried again. */
  undo(sealed: Uint8Array): Promise<void>;
}

/** What a check has found wrong, in words that anybody may read. */
export class Finding extends Error {}

/** Throws when its part does not work, else describes its state in words that anybody may read. */
type Check = (work: { db: Database }) => Promise<string>;

/** Why somebody outside did not take us: told in words below `health.fixes`, as `party_<problem>` unless there is better. */
export class PartyProblem extends Error {
  override name = "PartyProblem";
  constructor(
    readonly problem: "refused" | "unreachable" | "unexpected",
    readonly options: { cause?: unknown; fix?: string } = {},
  ) {
    super(problem, { cause: options.cause });
  }
}

/** Somebody outside whom the settings of the installation name. */
export interface Party {
  /** As people know them; the same in every language. */
  label: string;
  /** The settings that lead to them, for whoever has to correct one. */
  settings: string;
  /** Whether this installation calls them. */
  isSet(): boolean;
  /** Calls them without changing anything there. Throws a {@link PartyProblem}. */
  test(ctx: Context<UserActor>): Promise<void>;
}

/** A kind of work that can fail for good, named in the dictionary under `jobs.kinds`. */
type FailedKind = keyof Messages["jobs"]["kinds"];

/** Work that has failed and that nobody tries again by itself. */
export interface FailedWork {
  /** How much there is, since when, and what was said last, if that was kept. */
  look(work: {
    db: Database;
    sql: Sql;
  }): Promise<{ count: number; since: Date | null; error: string | null }>;
  /** The page of the panel that shows it one by one. */
  page?: `/admin/${string}`;
  /** Has the oldest `limit` tried again, within the caller's transaction; how many. None where that cannot help. */
  retry?(tx: Context<UserActor>, limit: number): Promise<number>;
}

/** Background work, performed at least once: a job that died half-way runs again. */
// biome-ignore lint/suspicious/noExplicitAny: each job has a payload of its own
export interface Job<Payload = any> {
  run(payload: Payload): Promise<void>;
  schedule?: Schedule;
}
interface Schedule {
  /** Minute, hour, day, month, weekday; UTC. */
  cron: string;
  /** How far back a missed run is caught up on, such as `1h`; not at all when omitted. */
  fill?: `${number}${"h" | "d"}`;
}

/** Declares a job; its payload carries ids, never secrets. */
export function job<Payload = Record<string, never>>(
  run: (payload: Payload) => Promise<void>,
  schedule?: Schedule,
): Job<Payload> {
  return { run, schedule };
}

/** A kind of addition, named in the dictionary under `additions.kinds`. */
export type AdditionKind = keyof Messages["additions"]["kinds"];

/** Something that was added to an account. */
export interface Addition {
  id: number;
  /** A name that the owner recognises; empty for a kind of which an account has one. */
  name: string;
  at: Date;
}

/** A kind of record that a signed-in caller can add to an account, and an intruder would leave behind. */
export interface Additions {
  /** Reads what was added or redirected since a moment and still works, newest first. */
  find(work: { db: Database }, userId: number, since: Date): Promise<Addition[]>;
  /** Ends these, with entries in the audit log. The caller holds the account's lock. */
  end(tx: Context, userId: number, ids: readonly number[]): Promise<void>;
  /** Only the owner's choice ends them. All others end with a reset of the password. */
  byChoice?: true;
}

/** A column whose values `seal()` encrypted for one purpose, in a table whose rows are numbered. */
export interface Sealed {
  table: string;
  /** The column with the number: `id` unless given. */
  numbered?: string;
  column: string;
  purpose: string;
  /** Rows whose column means something else are left out. */
  only?: { column: string; value: string };
}

/** A column with the keys, or the public paths, of files below one folder of the storage. */
interface Stored {
  table: string;
  column: string;
  folder: string;
}

export interface Domain {
  /** Operations bound to their service functions, served by REST and by the panel's tRPC. */
  operations?: Record<string, Handler>;
  /** The operations exist in demo mode only. */
  demoOnly?: boolean;
  jobs?: Record<string, Job>;
  /** What `/api/health` says of this domain, by the name of the part. */
  checks?: Record<string, Check>;
  /** Whom administrators can call from the health page, by a name of their own. */
  parties?: Record<string, Party>;
  /** What administrators see of this domain's failures, by its kind. */
  failed?: Partial<Record<FailedKind, FailedWork>>;
  /** Every column that refers to an account or a site. */
  relations?: readonly Relation[];
  /** Additions to an account, by kind. */
  additions?: Partial<Record<AdditionKind, Additions>>;
  /** Things outside that are undone when an account ends or is taken over, by their kind. */
  outside?: Record<string, Outside>;
  /** Every column that names stored files; those that none names are left over. */
  stored?: readonly Stored[];
  /** Every column that is encrypted under the application's secret. */
  sealed?: readonly Sealed[];
  /** Files that this domain adds to the personal data archive. */
  exports?: Partial<Record<ExportFile, Reader>>;
  /** Files that are added to it as they are stored. */
  attachments?: Attachments;
  /** Mails with recipients and parameters of their own. */
  mails?: readonly MailText[];
  /** Mails that tell the owner of an account about a change to it, sent by `notifyOwner`. */
  notices?: readonly MailText[];
  /** Actions recorded in the audit log. */
  audit?: readonly `${string}.${string}`[];
  /** Those of them whose entries outlive the log's retention, because something is proven by them. */
  evidence?: readonly `${string}.${string}`[];
  /** Kinds of secrets by prefix, with the purpose of each. */
  tokens?: Record<string, string>;
}
type MailText = {
  [Key in keyof Messages["mail"]]: Messages["mail"][Key] extends string ? never : Key;
}[keyof Messages["mail"]];

/** Declares a domain. Returns its argument; the function only infers the types. */
export function domain<const D extends Domain>(shape: D): D {
  return shape;
}

/** Filled by `server/domains.ts`, so that modules below the list know its types. @public */
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
/** Payload of a job. */
export type PayloadOf<N extends JobName> =
  Named<"jobs"> extends infer J ? (J extends Record<N, Job<infer Payload>> ? Payload : never) : never;

let listed: readonly Domain[] = [];

/** Registers the list; called once, by `server/domains.ts`. Throws when two domains declare the same name. */
export function register(domains: readonly Domain[]): void {
  for (const key of ["jobs", "exports", "tokens", "outside", "failed", "additions"] as const)
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

/** Returns every domain. Empty in a process that never loads `server/domains.ts`. */
export function declared(): readonly Domain[] {
  return listed;
}
