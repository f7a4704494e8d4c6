import { chmodSync, mkdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openS3 } from "@/server/testing/s3";
import { openSmtpPeer } from "@/server/testing/smtp";
import { fillAccounts } from "../data";
import { freePort, serverEnv } from "../servers";
import { mainJob, oneLimit, oneSession } from "./journey";
import { type Kind, Load, send } from "./load";
import { asked, nginx, PASSWORD, type Part, pgbouncer, postgres, program, redis } from "./parts";

/*
 * `npm run drill`: two servers and a worker of the build behind nginx, with PostgreSQL through PgBouncer, Redis and a bucket, by the
 * lines of docs/operating-servers.md. It takes the main way through the product over both servers, restarts everything of ours
 * one after the other, and kills each part, under load. It says what was answered, and fails when an acknowledged
 * write is missing. `npm run drill -- session` or `-- transaction` is one mode of PgBouncer alone.
 */

process.env.APP_SECRET = serverEnv().APP_SECRET;
const say = (text: string) => process.stdout.write(`${text}\n`);
const MODES = ["transaction", "session"];
const BOSS = "boss@example.com";
/** How long everything may take to be as it was, after a part was killed. */
const PATIENCE = 120_000;
let failures = 0;

/** Notes whether something is as it has to be. */
function expects(good: boolean, text: string): void {
  if (!good) failures += 1;
  say(`  ${good ? "ok  " : "FAIL"} ${text}`);
}

async function drill(mode: string): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), "tellal-drill-"));
  chmodSync(dir, 0o777);
  const parts: Part[] = [];
  const [database, pooler, counters, door, first, second, aside] = await Promise.all(
    Array.from({ length: 7 }, freePort),
  );
  const [s3, mail] = await Promise.all([openS3(), openSmtpPeer()]);
  const run = async (part: Part) => {
    parts.push(part);
    await part.start();
    return part;
  };
  const cleanUp = async () => {
    for (const part of parts.splice(0).reverse())
      await part.stop(part.name === "PostgreSQL" ? "SIGINT" : "SIGTERM");
    await Promise.all([s3.close(), mail.stop()]);
    await rm(dir, { recursive: true, force: true });
  };
  const interrupted = () => void cleanUp().finally(() => process.exit(1));
  process.once("SIGINT", interrupted).once("SIGTERM", interrupted);

  try {
    const cluster = await postgres(dir, database!);
    parts.push(cluster.part);
    say(`\n${cluster.version}, PgBouncer pools by ${mode}`);
    const root = `postgresql://postgres@127.0.0.1:${database}/postgres`;
    await asked(root, `create role tellal login password '${PASSWORD}'`);
    await asked(root, "create database tellal owner tellal");
    await asked(root, "alter role tellal set statement_timeout = '30s'");
    const direct = `postgresql://tellal:${PASSWORD}@127.0.0.1:${database}/tellal`;
    const bouncer = await run(pgbouncer(dir, pooler!, { database: database!, mode }));
    const redisPart = await run(redis(dir, counters!));
    const tokens = await fillAccounts(direct);

    const settings = {
      ...s3.env,
      APP_URL: `http://localhost:${door}`,
      DATABASE_URL: `postgresql://tellal:${PASSWORD}@127.0.0.1:${pooler}/tellal`,
      ...(mode === "transaction" && { DATABASE_DIRECT_URL: direct, DATABASE_STATEMENTS: "unnamed" }),
      REDIS_URL: `redis://127.0.0.1:${counters}`,
      SMTP_URL: mail.url,
      // Nothing listens there: whether a mail domain exists is no part of this.
      DNS_SERVERS: "127.0.0.1:9",
      ADMIN_EMAIL: BOSS,
      // The clients' own and nginx.
      TRUSTED_PROXY_HOPS: "2",
      WORKER: "off",
    };
    for (const name of ["server-1", "server-2", "worker"]) mkdirSync(join(dir, name));
    const main = "dist/main.js";
    const one = await run(program(dir, "server 1", { port: first!, file: main, settings }));
    const two = await run(program(dir, "server 2", { port: second!, file: main, settings }));
    const worker = await run(program(dir, "worker", { port: aside!, file: "dist/worker.js", settings }));
    await run(nginx(dir, door!, [first!, second!]));
    const urls: [string, string] = [`http://127.0.0.1:${first}`, `http://127.0.0.1:${second}`];
    const proxy = `http://127.0.0.1:${door}`;

    await mainJob(urls, { mail, boss: BOSS, expects });
    await oneLimit(urls, tokens[9_999]!, expects);
    await oneSession(urls, expects);

    const load = new Load(proxy, tokens.slice(0, 5000));
    load.start();
    await until("the load is under way", () => load.requests > 300);
    say(`  under load: ${told(load)}`);

    load.fresh();
    for (const part of [one, two, worker]) {
      await part.stop();
      await part.start();
    }
    await until("2,000 calls are answered", () => load.requests >= 2000);
    expects(
      load.failed === 0,
      `restarted one after the other: ${load.failed} of ${load.requests} failed; ${told(load)}`,
    );
    for (const failure of load.failures) say(`       ${failure}`);

    for (const part of [two, worker, redisPart, bouncer, cluster.part]) await killed(part, load);
    await load.stop();

    await proven(load, { direct, proxy, mail });
    for (const [index, url] of urls.entries()) {
      const healthy = async () => (await send(`${url}/api/health`)).status === 200;
      expects(
        await until("", healthy).catch(() => false),
        `server ${index + 1} says that everything is well`,
      );
    }
  } finally {
    process.off("SIGINT", interrupted).off("SIGTERM", interrupted);
    await cleanUp();
  }
}

/** Kills a part, and waits until all kinds of calls succeed again for five seconds. */
async function killed(part: Part, load: Load): Promise<void> {
  load.fresh();
  const { starts } = part;
  const at = Date.now();
  part.kill();
  const kinds = () => Object.entries(load.seen) as Array<[Kind, { good: number; bad: number }]>;
  let back = 0;
  const well = await until("", async () => {
    if (part.starts === starts) return false;
    back ||= await part.ready().then(() => Date.now());
    const lastBad = Math.max(at, ...kinds().map(([, { bad }]) => bad));
    return Date.now() - lastBad > 5000 && kinds().every(([, { good }]) => good > back);
  }).catch(() => false);
  const lastBad = Math.max(at, ...kinds().map(([, { bad }]) => bad));
  const seconds = ((lastBad - at) / 1000).toFixed(1);
  expects(
    well,
    `${part.name} killed: ${load.failed} of ${load.requests} failed, the last ${seconds} s later; ${told(load)}`,
  );
  for (const failure of load.failures.slice(0, well ? 1 : 5)) say(`       ${failure}`);
}

/** Looks for everything that somebody was told was done. */
async function proven(
  { acknowledged }: Load,
  { direct, proxy, mail }: { direct: string; proxy: string; mail: Awaited<ReturnType<typeof openSmtpPeer>> },
): Promise<void> {
  const { sites, addresses, media } = acknowledged;
  const kept = await asked<{ domain: string }>(direct, "select domain from sites where domain = any($1)", [
    sites,
  ]);
  expects(kept.length === sites.length, `${kept.length} of ${sites.length} sites are there`);
  const [slots] = await asked<{ wrong: number }>(
    direct,
    `select count(*)::int as wrong from subscriptions s where used_slots <>
       (select count(*) from sites where subscription_id = s.id and deleted_at is null)`,
  );
  expects(slots?.wrong === 0, `${slots?.wrong} accounts whose slots are counted wrongly`);
  const people = await asked(direct, "select 1 from users where email = any($1)", [addresses]);
  expects(people.length === addresses.length, `${people.length} of ${addresses.length} accounts are there`);
  const files = [];
  for (const url of media) files.push((await fetch(proxy + new URL(url).pathname)).status);
  const found = files.filter((status) => status === 200).length;
  expects(found === media.length, `${found} of ${media.length} files are there`);
  const told = () =>
    addresses.filter((each) => mail.mails.some(({ recipients }) => recipients.includes(each))).length;
  await until("", () => told() === addresses.length).catch(() => false);
  expects(told() === addresses.length, `${told()} of ${addresses.length} people got their mail`);
}

const told = ({ tally }: Load) =>
  Object.entries(tally)
    .map(
      ([kind, each]) =>
        `${kind} ${Object.entries(each)
          .map(([status, count]) => `${status} × ${count}`)
          .join(", ")}`,
    )
    .join("; ");

/** Waits for something, as long as a part may need to come back. */
async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<true> {
  for (const end = Date.now() + PATIENCE; Date.now() < end; await sleep(200)) if (await holds()) return true;
  throw new Error(`waited in vain until ${what}`);
}

const given = MODES.filter((mode) => process.argv.includes(mode));
for (const mode of given.length > 0 ? given : MODES) await drill(mode);
say(failures === 0 ? "\nEverything was as it has to be." : `\n${failures} were not as they have to be.`);
process.exit(failures === 0 ? 0 : 1);
