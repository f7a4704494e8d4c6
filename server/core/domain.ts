import type { Messages } from "use-intl";
import type { Context, UserActor } from "./context";
import type { Handler } from "./contract";
import type { Database, Sql } from "./sql";

/* A domain's manifest. Error codes are in `server/errors.ts`: types from contracts would be circular. */

/** Only certificates of earlier releases contain `team` and `connections`. */
export type PersonalDataTopic = Exclude<keyof Messages["deletion"]["topics"], "team" | "connections">;
export type ExportFile = keyof Messages["dataExport"]["files"];

/**
 * Treatment of rows on account deletion. `anonymise` removes identifying values, `detach` clears the
 * reference, `keep` retains them to the end of the tenth following year, as the law requires. `delete` also
 * applies when the owner of an email address takes over an account that was registered with it.
 */
type DeletionRule = "delete" | "anonymise" | "detach" | "keep";

/** Archive file that contains the rows, or the reason for leaving them out. */
type ExportTarget = ExportFile | { omittedBecause: string };

/** Column that references the account to which the rows belong. */
export interface AccountRelation {
  table: string;
  column: string;
  topic: PersonalDataTopic;
  onDeletion: DeletionRule;
  export: ExportTarget;
  /** Columns with storage keys of files to delete with the row. */
  files?: readonly string[];
}

/** Column that references a site. Its rows are deleted with the site and exported to the site's owner. */
interface SiteRelation {
  table: string;
  column: string;
  rowsBelongTo: "site";
  export: ExportTarget;
}

/** Column that references an account in another account's row, which is exported to its owner only. */
interface ForeignRelation {
  table: string;
  column: string;
  rowsBelongTo: "others";
  export: { omittedBecause: string };
}

export type Relation = AccountRelation | SiteRelation | ForeignRelation;

/** Reads an account's rows for one archive file. Keys become snake_case columns, in the same order. */
export type ExportReader = (db: Database, userId: number) => Promise<object[]>;

/** Lists an account's stored files to copy into its archive: name in the archive and storage key. */
export type AttachmentReader = (
  db: Database,
  userId: number,
) => Promise<Array<{ name: string; key: string }>>;

/** Clean-up at an external service when an account ends. Runs as jobs: an outage blocks no deletion. */
interface ExternalCleanup {
  /** Returns the data for each item to clean up, encrypted. */
  seal(access: { db: Database }, userId: number): Promise<Uint8Array[]>;
  /** Cleans up one item. Throws to be retried. */
  cleanUp(sealed: Uint8Array): Promise<void>;
}

/** Failure of a health check. Its message is public. */
export class HealthCheckError extends Error {}

/** Returns a public description of the state, or throws when the component does not work. */
type HealthCheck = (access: { db: Database }) => Promise<string>;

/** Failed call to an external service. `fix` is a key below `health.fixes`; by default `party_<problem>`. */
export class ExternalServiceError extends Error {
  override name = "ExternalServiceError";
  constructor(
    readonly problem: "refused" | "unreachable" | "unexpected",
    readonly options: { cause?: unknown; fix?: string } = {},
  ) {
    super(problem, { cause: options.cause });
  }
}

/** External service that this installation is configured to use. */
export interface ExternalService {
  label: string;
  /** Environment variables that configure the service, for display. */
  settings: string;
  isConfigured(): boolean;
  /** Makes a read-only call. Throws {@link ExternalServiceError}. */
  test(ctx: Context<UserActor>): Promise<void>;
}

type FailedWorkKind = keyof Messages["jobs"]["kinds"];

/** Work that failed and is no longer retried. */
export interface FailedWork {
  /** Returns the number of failures, the time of the oldest and the last error if it was stored. */
  inspect(access: {
    db: Database;
    sql: Sql;
  }): Promise<{ count: number; since: Date | null; error: string | null }>;
  page?: `/admin/${string}`;
  /** Retries the oldest `limit` in the transaction; returns their number. Omit it if a retry cannot help. */
  retry?(tx: Context<UserActor>, limit: number): Promise<number>;
}

/** Background job, run at least once: an interrupted run is repeated. */
// biome-ignore lint/suspicious/noExplicitAny: each job has a payload of its own
export interface Job<Payload = any> {
  run(payload: Payload): Promise<void>;
  schedule?: Schedule;
}
interface Schedule {
  /** Minute, hour, day, month, weekday; in UTC. */
  cron: string;
  /** Maximum age of a missed run to catch up on; omitted: missed runs are skipped. */
  catchUp?: `${number}${"h" | "d"}`;
}

/** Declares a job. Payloads are stored in clear text: pass ids, never secrets. */
export function job<Payload = Record<string, never>>(
  run: (payload: Payload) => Promise<void>,
  schedule?: Schedule,
): Job<Payload> {
  return { run, schedule };
}

export type AdditionKind = keyof Messages["additions"]["kinds"];

export interface Addition {
  id: number;
  /** Name that the owner recognises; empty for kinds of which an account has only one. */
  name: string;
  at: Date;
}

/** Kind of record that an intruder could add to an account to keep access. */
export interface AdditionSource {
  /** Returns active records added or changed since a time, newest first. */
  find(access: { db: Database }, userId: number, since: Date): Promise<Addition[]>;
  /** Revokes records and writes audit entries. The caller holds the account's lock. */
  revoke(tx: Context, userId: number, ids: readonly number[]): Promise<void>;
  /** The owner must select records of this kind to revoke them. A password reset revokes all other kinds. */
  requiresSelection?: true;
}

/** Column with values encrypted by `seal()`, in a table with an integer key. */
export interface SealedColumn {
  table: string;
  /** Key column; default `id`. */
  keyColumn?: string;
  column: string;
  purpose: string;
  /** Restricts the rows where the column holds several kinds of values. */
  condition?: { column: string; value: string };
}

/** Column with storage keys or public paths of the files in one folder. */
interface StoredFileColumn {
  table: string;
  column: string;
  folder: string;
}

export interface Domain {
  operations?: Record<string, Handler>;
  demoOnly?: boolean;
  jobs?: Record<string, Job>;
  checks?: Record<string, HealthCheck>;
  externalServices?: Record<string, ExternalService>;
  failedWork?: Partial<Record<FailedWorkKind, FailedWork>>;
  /** Every column that references an account or a site. */
  relations?: readonly Relation[];
  additions?: Partial<Record<AdditionKind, AdditionSource>>;
  externalCleanups?: Record<string, ExternalCleanup>;
  /** Every column that names stored files. Files that no column names are deleted as orphans. */
  storedFileColumns?: readonly StoredFileColumn[];
  /** Every column encrypted under APP_SECRET. */
  sealedColumns?: readonly SealedColumn[];
  exports?: Partial<Record<ExportFile, ExportReader>>;
  attachments?: AttachmentReader;
  /** Mails with their own recipients and parameters. */
  mails?: readonly MailKey[];
  /** Mails that notify an account's owner of a change, sent by `notifyOwner`. */
  notices?: readonly MailKey[];
  audit?: readonly `${string}.${string}`[];
  /** Audit actions whose entries are kept beyond the retention, as evidence. */
  evidence?: readonly `${string}.${string}`[];
  /** Purpose of each token kind, by prefix. */
  tokens?: Record<string, string>;
}
type MailKey = {
  [Key in keyof Messages["mail"]]: Messages["mail"][Key] extends string ? never : Key;
}[keyof Messages["mail"]];

/** Keeps literal types for the types below. An unknown key is a compile error. */
export function domain<const DomainType extends Domain>(
  shape: DomainType & Record<Exclude<keyof DomainType, keyof Domain>, never>,
): DomainType {
  return shape;
}

/** Augmented by `server/domains.ts`: lower layers get its types without importing it. @public */
// biome-ignore lint/suspicious/noEmptyInterface: declarations merge into it
export interface Register {}
type Domains = Register extends { domains: infer List } ? List[keyof List] : never;
type ItemsOf<Key extends string> = Domains extends infer DomainType
  ? DomainType extends Record<Key, readonly (infer Item)[]>
    ? Item
    : never
  : never;
type ValueOf<Key extends string> = Domains extends infer DomainType
  ? DomainType extends Record<Key, infer Value>
    ? Value
    : never
  : never;
type KeysOf<T> = T extends unknown ? keyof T & string : never;

export type AuditAction = ItemsOf<"audit">;
export type Notice = ItemsOf<"notices">;
export type MailTemplate = ItemsOf<"mails"> | Notice;
export type TokenPrefix = KeysOf<ValueOf<"tokens">>;
export type JobName = KeysOf<ValueOf<"jobs">>;
export type PayloadOf<Name extends JobName> =
  ValueOf<"jobs"> extends infer Jobs
    ? Jobs extends Record<Name, Job<infer Payload>>
      ? Payload
      : never
    : never;

let allDomains: readonly Domain[] = [];

/** Registers all domains; called once by `server/domains.ts`. Throws if two declare the same name. */
export function registerDomains(domains: readonly Domain[]): void {
  for (const key of ["jobs", "exports", "tokens", "externalCleanups", "failedWork", "additions"] as const)
    requireUnique(
      key,
      domains.flatMap((each) => Object.keys(each[key] ?? {})),
    );
  for (const key of ["audit", "mails", "notices"] as const)
    requireUnique(
      key,
      domains.flatMap((each) => [...(each[key] ?? [])]),
    );
  allDomains = domains;
}

function requireUnique(kind: string, names: string[]): void {
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate) throw new Error(`two domains declare "${duplicate}" among their ${kind}`);
}

/** Returns all domains; empty until `server/domains.ts` is loaded. */
export function getRegisteredDomains(): readonly Domain[] {
  return allDomains;
}
