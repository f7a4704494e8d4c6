import { readdir } from "node:fs/promises";
import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { HealthCheckError, registeredDomains } from "@/server/core/domain";
import { env } from "@/server/core/env";
import { withLatinDigits } from "@/server/core/locale";
import { DAY, fromNow, HOUR, isoMicros, MINUTE, SECOND } from "@/server/core/time";
import { MIGRATIONS } from "@/server/infrastructure/database/migrate";
import { ALIVE_WITHIN } from "@/server/infrastructure/process-heartbeat";
import { redisResponds } from "@/server/infrastructure/rate-limit/limiter";
import type { getPlatformHealth } from "../contract";
import { countWorkers, listAppliedMigrations } from "../statements";
import { portalCertificates } from "./certificates";
import {
  backlog,
  FREE_SPACE_MIN,
  freeSpace,
  JOB_AGE_MAX,
  lastBackup,
  lastLedgerCheck,
  lateMails,
  type Work,
} from "./check";
import { listServices } from "./external-services";
import { checkParts, type PartCheck, type PartState, unmeasured } from "./part-state";
import { selfChecks } from "./self-check";
import { storedFiles } from "./stored-files";

const WARNING_SPACE = 10 * FREE_SPACE_MIN;

/** Returns the state of every part, with a fix for yellow and red ones. */
export async function rows(
  ctx: Context<UserActor>,
  { query }: Input<typeof getPlatformHealth>,
): Promise<Output<typeof getPlatformHealth>> {
  requireAdministrator(ctx.actor);
  const processes = await ctx.db.processBeat.findMany({
    where: { seenAt: { gt: fromNow(-ALIVE_WITHIN) } },
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
    ...selfChecks(ctx, query.browser_time),
    ...platformChecks(ctx, processes),
    ...domainChecks(ctx),
    processes: async () => processesSight(processes),
  });
  return {
    success: true,
    rows: allRows,
    data: allRows,
    count: allRows.length,
    processes: processes.map(({ startedAt, seenAt, storage: _, role, ...rest }) => ({
      ...rest,
      role: ROLES.find((each) => each === role) ?? "server",
      started_at: isoMicros(startedAt),
      seen_at: isoMicros(seenAt),
    })),
    parties: listServices(),
  };
}

const ROLES = ["server", "pages", "worker"] as const;

function platformChecks(ctx: Context<UserActor>, processes: readonly Beat[]): Record<string, PartCheck> {
  const numbers = new Intl.NumberFormat(withLatinDigits(ctx.locale), { maximumFractionDigits: 1 });
  return {
    migrations: () => migrations(ctx),
    disk: async () => {
      const free = await freeSpace();
      const value = { key: "free", params: { size: `${numbers.format(free / 1024 ** 3)} GB` } };
      if (free < FREE_SPACE_MIN) return { light: "red", value, fix: { key: "disk" } };
      return free < WARNING_SPACE
        ? { light: "yellow", value, fix: { key: "disk" } }
        : { light: "green", value };
    },
    workers: () => workers(ctx, processes),
    queue: () => queue(ctx),
    failed_mails: () => failedMails(ctx),
    ledger: () => ledger(ctx),
    backups: () => backups(ctx),
    stored_files: () => storedFiles(ctx),
    portals: () => portals(ctx),
    portal_certificates: () => portalCertificates(ctx),
    providers,
    limits: async () => {
      const up = await redisResponds();
      if (up === undefined) return undefined;
      return up
        ? { light: "green", value: "Redis" }
        : { light: "red", value: { key: "failing" }, fix: { key: "limits" } };
    },
  };
}

/** Texts of checks without a result, mapped to message keys. */
const UNMEASURED: Record<string, string> = { "not checked yet": "notChecked", "not set up": "notSet" };

/** Checks that domains declare for `/api/health`. Their other texts have no translation and are not shown. */
function domainChecks(work: Work): Record<string, PartCheck> {
  const checks = registeredDomains().flatMap((each) => Object.entries(each.checks ?? {}));
  return Object.fromEntries(
    checks.map(([name, run]) => [
      name,
      async (): Promise<PartState> => {
        try {
          const state = UNMEASURED[await run(work)];
          return state ? unmeasured({ key: state }) : { light: "green", value: { key: "working" } };
        } catch (error) {
          if (!(error instanceof HealthCheckError)) throw error;
          return { light: "red", value: { key: "failing" }, fix: { key: name } };
        }
      },
    ]),
  );
}

async function migrations(work: Work): Promise<PartState> {
  const applied = new Set((await listAppliedMigrations(work)).map(({ name }) => name));
  const folders = await readdir(MIGRATIONS, { withFileTypes: true }).catch(() => []);
  const folderNames = folders.filter((each) => each.isDirectory()).map(({ name }) => name);
  const waiting = folderNames.filter((name) => !applied.has(name)).length;
  const foreign = [...applied].filter((name) => !folderNames.includes(name)).length;
  const value = { key: "applied", params: { count: applied.size } };
  if (folderNames.length === 0) return unmeasured(value);
  if (waiting > 0)
    return { light: "red", value, fix: { key: "migrationsWaiting", params: { count: waiting } } };
  // A newer release has migrated the database: this server is older, in an update or after a rollback.
  if (foreign > 0) return { light: "yellow", value, fix: { key: "migrationsNewer" } };
  return { light: "green", value };
}

const STARTING = 30 * SECOND;

async function workers(work: Work, processes: readonly Beat[]): Promise<PartState> {
  const [counted] = await countWorkers(work);
  const value = { key: "workers", params: { count: counted?.alive ?? 0 } };
  if (counted?.alive) return { light: "green", value };
  if (processes.some(({ startedAt }) => startedAt > fromNow(-STARTING))) return unmeasured(value);
  return { light: "red", value, since: counted?.last, fix: { key: "workers" } };
}

async function queue(work: Work): Promise<PartState> {
  const { waiting, oldest } = await backlog(work);
  const value = { key: "waiting", params: { count: waiting } };
  if (oldest <= JOB_AGE_MAX) return { light: "green", value };
  return { light: "red", value, since: fromNow(-oldest * SECOND), fix: { key: "queue" } };
}

async function failedMails(work: Work): Promise<PartState> {
  const where = { state: "failed", createdAt: { gt: fromNow(-DAY) } } as const;
  const [late, failed] = [await lateMails(work), await work.db.mailMessage.count({ where })];
  const value = { key: "mails", params: { late, failed } };
  if (late > 0) return { light: "red", value, fix: { key: "lateMails" } };
  return failed > 0 ? { light: "yellow", value, fix: { key: "failed_mails" } } : { light: "green", value };
}

async function ledger(work: Work): Promise<PartState> {
  const checked = await lastLedgerCheck(work);
  if (!checked) return unmeasured({ key: "notYet" });
  const { at: since, differences: count } = checked;
  if (count === 0) return { light: "green", value: { key: "agrees" }, since };
  return { light: "red", value: { key: "differences", params: { count } }, since, fix: { key: "ledger" } };
}

/** One hour more than a day, because backups take varying time. */
const BACKUP_MAX = DAY + HOUR;

/** Age of the last `npm run backup`. A demo needs none; backups by other means are not measured. */
async function backups(work: Work): Promise<PartState> {
  const { APP_MODE, BACKUPS } = env();
  if (BACKUPS === "elsewhere") return unmeasured({ key: "backupElsewhere" });
  const at = await lastBackup(work);
  if (!at && APP_MODE === "demo") return unmeasured({ key: "noBackup" });
  const age = at && Date.now() - at.getTime();
  const value =
    age === undefined
      ? { key: "noBackup" }
      : { key: "backupAge", params: { hours: Math.max(0, Math.floor(age / HOUR)) } };
  const isOk = APP_MODE === "demo" || (age !== undefined && age < BACKUP_MAX);
  return isOk ? { light: "green", value } : { light: "yellow", value, fix: { key: "backups" } };
}

async function portals({ db }: Work): Promise<PartState | undefined> {
  const verified = { verifiedAt: { not: null } };
  const count = await db.resellerPortal.count({ where: verified });
  if (count === 0) return undefined;
  const failing = await db.resellerPortal.findMany({
    where: { ...verified, failingSince: { not: null } },
    orderBy: { failingSince: "asc" },
    take: 3,
    select: { domain: true, failingSince: true },
  });
  const value = { key: "portals", params: { count } };
  if (failing.length === 0) return { light: "green", value };
  return {
    light: "yellow",
    value,
    since: failing[0]!.failingSince,
    fix: { key: "portalsFailing", params: { domains: failing.map(({ domain }) => domain).join(", ") } },
  };
}

async function providers(): Promise<PartState> {
  const { GOOGLE_CLIENT_ID, APPLE_CLIENT_ID, META_APP_ID, sms, parasut } = env();
  const names = {
    Google: GOOGLE_CLIENT_ID,
    Apple: APPLE_CLIENT_ID,
    Twilio: sms,
    Meta: META_APP_ID,
    Paraşüt: parasut,
  };
  const set = Object.entries(names).flatMap(([name, value]) => (value ? [name] : []));
  return unmeasured(set.length > 0 ? set.join(", ") : { key: "none" });
}

interface Beat {
  role: string;
  version: string;
  storage: string;
  startedAt: Date;
}

function processesSight(processes: readonly Beat[]): PartState {
  const versions = [...new Set(processes.map(({ version }) => version))];
  const value = {
    key: "processes",
    params: { count: processes.length, versions: versions.join(", ") || "–" },
  };
  if (processes.length === 0) return unmeasured(value);
  // A single word is no location: `unknown`, or the format of releases until November 2026.
  const places = processes.map(({ storage }) => storage).filter((place) => place.includes(" "));
  if (new Set(places).size > 1) return { light: "red", value, fix: { key: "filesApart" } };
  if (versions.length > 1) {
    const since = new Date(Math.max(...processes.map(({ startedAt }) => startedAt.getTime())));
    const isLong = since < fromNow(-30 * MINUTE);
    return { light: isLong ? "red" : "yellow", value, since, fix: { key: "versions" } };
  }
  return { light: "green", value };
}
