import { setTimeout as sleep } from "node:timers/promises";
import { BOSS, type Installation, install } from "./installation";
import { mainJob, oneLimit, oneSession } from "./journey";
import { type Kind, Load, send } from "./load";
import { asked, type Part } from "./parts";

const MODES = ["transaction", "session"] as const;

/**
 * Starts two servers and a worker of the build behind nginx, with PostgreSQL through PgBouncer, Redis and a bucket, by the
 * lines of docs/operating-servers.md. Walks the main path through both servers, restarts each of our processes and kills each
 * part, all under load. Fails when an acknowledged write is missing.
 */
export default async function run([what, folder]: string[]): Promise<undefined> {
  const modes = MODES.filter((mode) => !what || what === mode);
  if (what === "upgrade" && folder) await upgrade(folder);
  else if (modes.length === 0)
    throw new Error(`${what} is neither ${MODES.join(" nor ")} nor upgrade <folder>`);
  else for (const mode of modes) await drill(mode);
  say(failures === 0 ? "\nEverything was as it has to be." : `\n${failures} were not as they have to be.`);
  if (failures > 0) process.exitCode = 1;
}

const say = (text: string) => process.stdout.write(`${text}\n`);
/** How long everything may take to be as it was, after a part was killed. */
const PATIENCE = 120_000;
let failures = 0;

/** Notes whether something is as it has to be. */
function expects(good: boolean, text: string): void {
  if (!good) failures += 1;
  say(`  ${good ? "ok  " : "FAIL"} ${text}`);
}

/** Starts an installation, does something with it, and ends it, also when it is interrupted. */
async function within(
  given: Parameters<typeof install>[0],
  work: (all: Installation) => Promise<void>,
): Promise<void> {
  const all = await install(given);
  const interrupted = () => void all.close().finally(() => process.exit(1));
  process.once("SIGINT", interrupted).once("SIGTERM", interrupted);
  try {
    await work(all);
  } finally {
    process.off("SIGINT", interrupted).off("SIGTERM", interrupted);
    await all.close();
  }
}

const drill = (mode: "transaction" | "session") =>
  within({ mode }, async (all) => {
    say(`\n${all.version}, PgBouncer pools by ${mode}`);
    await mainJob(all.urls, { mail: all.mail, boss: BOSS, expects });
    await oneLimit(all.urls, all.tokens.at(-1)!, expects);
    await oneSession(all.urls, expects);

    const load = await under(all);
    for (const part of all.programs) {
      await part.stop();
      await part.start();
    }
    await unharmed(load, "restarted one after the other");
    for (const part of all.killable) await killed(part, load);
    await load.stop();

    await proven(load, all);
    for (const [index, url] of all.urls.entries()) {
      const healthy = async () => (await send(`${url}/api/health`)).status === 200;
      const well = await until("", healthy).catch(() => false);
      expects(well, `server ${index + 1} says that everything is well`);
    }
  });

const upgrade = (former: string) =>
  within({ mode: "session", former }, async (all) => {
    say(`\n${all.version}, from the release in ${former}`);
    const load = await under(all);
    const startedAt = performance.now();
    await all.migrate();
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    await unharmed(
      load,
      `the former release, while the database was migrated in ${seconds} s and afterwards`,
    );
    load.fresh();
    await all.replace();
    await unharmed(load, "the former release replaced by this one");
    await load.stop();
    await proven(load, all);
  });

/** Begins the load, and waits until it is as it will be. */
async function under({ proxy, tokens, uploads }: Installation): Promise<Load> {
  const load = new Load(proxy, tokens.slice(0, 5000));
  load.start({ uploads });
  await until("the load is under way", () => load.requests > 300);
  say(`  under load: ${told(load)}`);
  load.fresh();
  return load;
}

/** Whether none of at least 2,000 calls failed. */
async function unharmed(load: Load, what: string): Promise<void> {
  await until("2,000 calls are answered", () => load.requests >= 2000);
  const longest = `the longest took ${(load.slowest / 1000).toFixed(1)} s`;
  expects(load.failed === 0, `${what}: ${load.failed} of ${load.requests} failed, ${longest}; ${told(load)}`);
  for (const failure of load.failures) say(`       ${failure}`);
}

/** Kills a part, and waits until all kinds of calls succeed again for five seconds. */
async function killed(part: Part, load: Load): Promise<void> {
  load.fresh();
  const { starts } = part;
  const at = Date.now();
  part.kill();
  const kinds = () => Object.entries(load.seen) as Array<[Kind, { good: number; bad: number }]>;
  const lastBad = () => Math.max(at, ...kinds().map(([, { bad }]) => bad));
  let back = 0;
  const well = await until("", async () => {
    if (part.starts === starts) return false;
    back ||= await part.ready().then(() => Date.now());
    return Date.now() - lastBad() > 5000 && kinds().every(([, { good }]) => good > back);
  }).catch(() => false);
  const seconds = ((lastBad() - at) / 1000).toFixed(1);
  expects(
    well,
    `${part.name} killed: ${load.failed} of ${load.requests} failed, the last ${seconds} s later; ${told(load)}`,
  );
  for (const failure of load.failures.slice(0, well ? 1 : 5)) say(`       ${failure}`);
}

/** Looks for everything that somebody was told was done. */
async function proven({ acknowledged }: Load, { direct, proxy, mail }: Installation): Promise<void> {
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
