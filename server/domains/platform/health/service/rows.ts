import { readdir } from "node:fs/promises";
import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { getRegisteredDomains, HealthCheckError } from "@/server/core/domain";
import { env } from "@/server/core/env";
import { getNumberFormat } from "@/server/core/format";
import { DAY, fromNow, HOUR, MINUTE, SECOND, toIsoMicros } from "@/server/core/time";
import { MIGRATIONS_DIR } from "@/server/infrastructure/database/migrate";
import { PROCESS_DEAD_AFTER_MS } from "@/server/infrastructure/process-heartbeat";
import { isRedisResponding } from "@/server/infrastructure/rate-limit/limiter";
import type { getPlatformHealth } from "../contract";
import { countWorkers, listAppliedMigrations } from "../statements";
import { checkPortalCertificates } from "./certificates";
import {
  countLateMails,
  FREE_SPACE_MIN_BYTES,
  findLastBackupAt,
  findLastLedgerCheck,
  JOB_AGE_MAX_SECONDS,
  type QueryContext,
  readBacklog,
  readFreeBytes,
} from "./check";
import { listConfiguredServices } from "./external-services";
import { checkParts, type PartCheck, type PartState, toUnmeasuredState } from "./part-state";
import { buildSelfChecks } from "./self-check";
import { checkStoredFiles } from "./stored-files";

const FREE_SPACE_WARNING_BYTES = 10 * FREE_SPACE_MIN_BYTES;

export async function readPlatformHealth(
  ctx: Context<UserActor>,
  { query }: Input<typeof getPlatformHealth>,
): Promise<Output<typeof getPlatformHealth>> {
  requireAdministrator(ctx.actor);
  const processes = await ctx.db.processBeat.findMany({
    where: { seenAt: { gt: fromNow(-PROCESS_DEAD_AFTER_MS) } },
    orderBy: [{ role: "asc" }, { startedAt: "asc" }, { id: "asc" }],
    select: {
      host: true,
      pid: true,
      role: true,
      version: true,
      storage: true,
      startedAt: true,
      seenAt: true,
    },
  });
  const allRows = await checkParts(ctx.locale, {
    ...buildSelfChecks(ctx, query.browser_time),
    ...buildPlatformChecks(ctx, processes),
    ...buildDomainChecks(ctx),
    processes: async () => toProcessesState(processes),
  });
  return {
    success: true,
    rows: allRows,
    data: allRows,
    count: allRows.length,
    processes: processes.map(({ startedAt, seenAt, storage: _, role, ...processFields }) => ({
      ...processFields,
      role: PROCESS_ROLES.find((each) => each === role) ?? "server",
      started_at: toIsoMicros(startedAt),
      seen_at: toIsoMicros(seenAt),
    })),
    parties: listConfiguredServices(),
  };
}

const PROCESS_ROLES = ["server", "pages", "worker"] as const;

function buildPlatformChecks(
  ctx: Context<UserActor>,
  processes: readonly ProcessRow[],
): Record<string, PartCheck> {
  const numberFormat = getNumberFormat(ctx.locale, { maximumFractionDigits: 1 });
  return {
    migrations: () => checkMigrations(ctx),
    disk: async () => {
      const freeBytes = await readFreeBytes();
      const value = { key: "free", params: { size: `${numberFormat.format(freeBytes / 1024 ** 3)} GB` } };
      if (freeBytes < FREE_SPACE_MIN_BYTES) return { light: "red", value, fix: { key: "disk" } };
      return freeBytes < FREE_SPACE_WARNING_BYTES
        ? { light: "yellow", value, fix: { key: "disk" } }
        : { light: "green", value };
    },
    workers: () => checkWorkers(ctx, processes),
    queue: () => checkQueue(ctx),
    failed_mails: () => checkFailedMails(ctx),
    failed_invoices: () => checkFailedInvoices(ctx),
    ledger: () => checkLedger(ctx),
    backups: () => checkBackups(ctx),
    stored_files: () => checkStoredFiles(ctx),
    portals: () => checkPortals(ctx),
    portal_certificates: () => checkPortalCertificates(ctx),
    providers: describeProviders,
    limits: async () => {
      const isUp = await isRedisResponding();
      if (isUp === undefined) return undefined;
      return isUp
        ? { light: "green", value: "Redis" }
        : { light: "red", value: { key: "failing" }, fix: { key: "limits" } };
    },
  };
}

/** Texts that checks return when they measure nothing, mapped to message keys. Must match those checks. */
const UNMEASURED_KEYS: Record<string, string> = { "not checked yet": "notChecked", "not set up": "notSet" };

/** Checks that domains declare for `/api/health`. Their texts are not translated, so they are not shown. */
function buildDomainChecks(ctx: QueryContext): Record<string, PartCheck> {
  const checks = getRegisteredDomains().flatMap((each) => Object.entries(each.checks ?? {}));
  return Object.fromEntries(
    checks.map(([name, check]) => [
      name,
      async (): Promise<PartState> => {
        try {
          const unmeasuredKey = UNMEASURED_KEYS[await check(ctx)];
          return unmeasuredKey
            ? toUnmeasuredState({ key: unmeasuredKey })
            : { light: "green", value: { key: "working" } };
        } catch (error) {
          if (!(error instanceof HealthCheckError)) throw error;
          return { light: "red", value: { key: "failing" }, fix: { key: name } };
        }
      },
    ]),
  );
}

async function checkMigrations(ctx: QueryContext): Promise<PartState> {
  const appliedNames = new Set((await listAppliedMigrations(ctx)).map(({ name }) => name));
  const folders = await readdir(MIGRATIONS_DIR, { withFileTypes: true }).catch(() => []);
  const folderNames = folders.filter((each) => each.isDirectory()).map(({ name }) => name);
  const pendingCount = folderNames.filter((name) => !appliedNames.has(name)).length;
  const unknownCount = [...appliedNames].filter((name) => !folderNames.includes(name)).length;
  const value = { key: "applied", params: { count: appliedNames.size } };
  if (folderNames.length === 0) return toUnmeasuredState(value);
  if (pendingCount > 0)
    return { light: "red", value, fix: { key: "migrationsWaiting", params: { count: pendingCount } } };
  // A newer release has migrated the database: this server is older, in an update or after a rollback.
  if (unknownCount > 0) return { light: "yellow", value, fix: { key: "migrationsNewer" } };
  return { light: "green", value };
}

/** Age of a process below which its workers may not have reported yet. */
const STARTUP_MS = 30 * SECOND;

async function checkWorkers(ctx: QueryContext, processes: readonly ProcessRow[]): Promise<PartState> {
  const [workerCounts] = await countWorkers(ctx);
  const value = { key: "workers", params: { count: workerCounts?.aliveCount ?? 0 } };
  if (workerCounts?.aliveCount) return { light: "green", value };
  if (processes.some(({ startedAt }) => startedAt > fromNow(-STARTUP_MS))) return toUnmeasuredState(value);
  return { light: "red", value, since: workerCounts?.lastSeenAt, fix: { key: "workers" } };
}

async function checkQueue(ctx: QueryContext): Promise<PartState> {
  const { waitingCount, oldestAgeSeconds } = await readBacklog(ctx);
  const value = { key: "waiting", params: { count: waitingCount } };
  if (oldestAgeSeconds <= JOB_AGE_MAX_SECONDS) return { light: "green", value };
  return { light: "red", value, since: fromNow(-oldestAgeSeconds * SECOND), fix: { key: "queue" } };
}

async function checkFailedMails(ctx: QueryContext): Promise<PartState> {
  const where = { state: "failed", createdAt: { gt: fromNow(-DAY) } } as const;
  const [late, failed] = [await countLateMails(ctx), await ctx.db.mailMessage.count({ where })];
  const value = { key: "mails", params: { late, failed } };
  if (late > 0) return { light: "red", value, fix: { key: "lateMails" } };
  return failed > 0 ? { light: "yellow", value, fix: { key: "failed_mails" } } : { light: "green", value };
}

async function checkFailedInvoices({ db }: QueryContext): Promise<PartState> {
  const count = await db.accountingDocument.count({ where: { state: "failed" } });
  const value = { key: "failed", params: { count } };
  return count > 0 ? { light: "yellow", value, fix: { key: "failed_invoices" } } : { light: "green", value };
}

async function checkLedger(ctx: QueryContext): Promise<PartState> {
  const lastCheck = await findLastLedgerCheck(ctx);
  if (!lastCheck) return toUnmeasuredState({ key: "notYet" });
  const { at: since, differences: count } = lastCheck;
  if (count === 0) return { light: "green", value: { key: "agrees" }, since };
  return { light: "red", value: { key: "differences", params: { count } }, since, fix: { key: "ledger" } };
}

/** One hour more than a day, because backups take varying time. */
const BACKUP_AGE_MAX_MS = DAY + HOUR;

/** Age of the last `npm run backup`. A demo needs none; backups by other means are not measured. */
async function checkBackups(ctx: QueryContext): Promise<PartState> {
  const { APP_MODE, BACKUPS } = env();
  if (BACKUPS === "elsewhere") return toUnmeasuredState({ key: "backupElsewhere" });
  const at = await findLastBackupAt(ctx);
  if (!at && APP_MODE === "demo") return toUnmeasuredState({ key: "noBackup" });
  const ageMs = at && Date.now() - at.getTime();
  const value =
    ageMs === undefined
      ? { key: "noBackup" }
      : { key: "backupAge", params: { hours: Math.max(0, Math.floor(ageMs / HOUR)) } };
  const isOk = APP_MODE === "demo" || (ageMs !== undefined && ageMs < BACKUP_AGE_MAX_MS);
  return isOk ? { light: "green", value } : { light: "yellow", value, fix: { key: "backups" } };
}

async function checkPortals({ db }: QueryContext): Promise<PartState | undefined> {
  const verifiedFilter = { verifiedAt: { not: null } };
  const count = await db.resellerPortal.count({ where: verifiedFilter });
  if (count === 0) return undefined;
  const failingPortals = await db.resellerPortal.findMany({
    where: { ...verifiedFilter, failingSince: { not: null } },
    orderBy: { failingSince: "asc" },
    take: 3,
    select: { domain: true, failingSince: true },
  });
  const value = { key: "portals", params: { count } };
  if (failingPortals.length === 0) return { light: "green", value };
  return {
    light: "yellow",
    value,
    since: failingPortals[0]!.failingSince,
    fix: {
      key: "portalsFailing",
      params: { domains: failingPortals.map(({ domain }) => domain).join(", ") },
    },
  };
}

async function describeProviders(): Promise<PartState> {
  const { GOOGLE_CLIENT_ID, APPLE_CLIENT_ID, META_APP_ID, canSendSms, parasut } = env();
  const settingByProvider = {
    Google: GOOGLE_CLIENT_ID,
    Apple: APPLE_CLIENT_ID,
    Twilio: canSendSms,
    Meta: META_APP_ID,
    Paraşüt: parasut,
  };
  const configuredNames = Object.entries(settingByProvider).flatMap(([name, value]) => (value ? [name] : []));
  return toUnmeasuredState(configuredNames.length > 0 ? configuredNames.join(", ") : { key: "none" });
}

interface ProcessRow {
  role: string;
  version: string;
  storage: string;
  startedAt: Date;
}

function toProcessesState(processes: readonly ProcessRow[]): PartState {
  const versions = [...new Set(processes.map(({ version }) => version))];
  const value = {
    key: "processes",
    params: { count: processes.length, versions: versions.join(", ") || "–" },
  };
  if (processes.length === 0) return toUnmeasuredState(value);
  // Values without a space are not locations: `unknown`, and the format before December 2026.
  const storageIds = processes.map(({ storage }) => storage).filter((place) => place.includes(" "));
  if (new Set(storageIds).size > 1) return { light: "red", value, fix: { key: "filesApart" } };
  if (versions.length > 1) {
    const since = new Date(Math.max(...processes.map(({ startedAt }) => startedAt.getTime())));
    const isStuck = since < fromNow(-30 * MINUTE);
    return { light: isStuck ? "red" : "yellow", value, since, fix: { key: "versions" } };
  }
  return { light: "green", value };
}
