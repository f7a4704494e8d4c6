import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startEmbeddedPostgres } from "@/server/infrastructure/database/embedded";
import { ACCOUNTS, copyWithSites, emailOf, fillAccounts, LISTING_ACCOUNTS, PASSWORD } from "./data";
import { type Call, call } from "./load";
import { compare, median, ratio } from "./measure";
import { residentMemory } from "./processes";
import { moveToLoadCore, type Server, serverEnv, startServer } from "./servers";
import { short, table } from "./table";

/*
 * npm run bench:compare -- <checkout> [words]
 *
 * Compares this build with that of another checkout, in turns on one database: all calls, or those with these words in their
 * name. Both must be built and have the same schema. Only measures.
 */

const other = resolve(process.argv[2]!);
process.env.APP_SECRET = serverEnv().APP_SECRET;
const dir = await mkdtemp(join(tmpdir(), "tellal-compare-"));
const postgres = await startEmbeddedPostgres({ dataDir: join(dir, "database"), ephemeral: true });
const servers: Server[] = [];
try {
  const tokens = await fillAccounts(postgres.url);
  const url = await copyWithSites(postgres, 30_000);
  moveToLoadCore();
  for (const root of [process.cwd(), other])
    servers.push(await startServer("front door", url, dir, { root }));
  const rows = [["call", "CPU µs here", "CPU µs there", "CPU here / there", "requests/s here / there"]];
  for (const [name, next, seconds = 1] of calls(tokens)) {
    if (!name.includes(process.argv[3] ?? "")) continue;
    const contenders = servers.map((server) => ({ server, next }));
    const [here, there] = await compare(contenders, { rounds: 9, seconds, connections: 8 });
    const cpu = [here!, there!].map((figures) => short(median(figures.cpu)));
    const cost = ratio(here!.cpu, there!.cpu).toFixed(2);
    rows.push([name, ...cpu, cost, ratio(here!.perSecond, there!.perSecond).toFixed(2)]);
    process.stdout.write(`${rows.at(-1)!.join("  ")}\n`);
  }
  rows.push(["memory, MB", ...servers.map(({ pid }) => short(residentMemory(pid) ?? 0)), "", ""]);
  process.stdout.write(`\n${table(rows)}\n`);
} finally {
  await Promise.all(servers.map((server) => server.stop()));
  await postgres.stop();
  await rm(dir, { recursive: true, force: true });
}

/** The measured calls: the rows of the bench, and operations of every kind. */
function calls(tokens: string[]): Array<[name: string, next: () => Call, seconds?: number]> {
  const few = tokens.slice(LISTING_ACCOUNTS, LISTING_ACCOUNTS + 3000);
  const listing = tokens.slice(0, LISTING_ACCOUNTS);
  const emails = Array.from({ length: ACCOUNTS }, (_, index) => emailOf(index + 1));
  const random = () => randomBytes(6).toString("hex");
  const read = (path: string, of = few): [string, () => Call] => [
    `GET ${path}`,
    inTurns(of, (token) => call("GET", path, { token })),
  ];
  const write = (method: string, path: string, body: () => object): [string, () => Call] => [
    `${method} ${path}`,
    inTurns(tokens, (token) => call(method, path, { token, body: body() })),
  ];
  const login = inTurns(emails, (email) =>
    call("POST", "/api/auth/login", { body: { email, password: PASSWORD } }),
  );
  return [
    read("/api/auth/user"),
    read("/api/sites", listing),
    write("POST", "/api/sites", () => ({ name: "A new site", domain: `${random()}.example.com` })),
    ["POST /api/auth/login", login, 2.5],
    read("/api/user"),
    read("/api/team"),
    read("/api/profile/consents"),
    read("/api/profile/sessions"),
    read("/api/profile/2fa/methods"),
    read("/api/user/menu-labels"),
    read("/api/user/deletion"),
    read("/api/subscription-plans"),
    write("PUT", "/api/user/menu-labels", () => ({ menu_labels: { dashboard: random() } })),
    write("PUT", "/api/user/locale", () => ({ locale: "en" })),
    write("PUT", "/api/auth/profile", () => ({ name: `Ayşe ${random()}` })),
  ];
}

function inTurns<T>(items: T[], make: (item: T) => Call): () => Call {
  let at = 0;
  return () => make(items[at++ % items.length]!);
}
