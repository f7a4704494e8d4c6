import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import { ACCOUNTS, copyWithSites, emailOf, fillAccounts, LISTING_ACCOUNTS, PASSWORD } from "./data";
import { start, startDatabase } from "./environment";
import { type Call, call, rotate } from "./load";
import { compare, median, ratio } from "./measure";
import { residentMemory } from "./processes";
import { moveToLoadCore } from "./servers";
import { formatNumber } from "./table";

/** Compares this build with another checkout's build, in calls whose name contains `words`. */
export default async function compareBuilds([other, words = ""]: string[]): Promise<string[][]> {
  const postgres = await startDatabase();
  const tokens = await fillAccounts(postgres.url);
  const url = await copyWithSites(postgres, 30_000);
  moveToLoadCore();
  const thisServer = await start("HTTP server", url);
  const otherServer = await start("HTTP server", url, { root: resolve(other!) });
  const rows = [["call", "CPU µs this", "CPU µs other", "CPU this / other", "requests/s this / other"]];
  for (const [name, next, seconds = 1] of measuredCalls(tokens)) {
    if (!name.includes(words)) continue;
    const contenders = [thisServer, otherServer].map((server) => ({ server, next }));
    const [ours, theirs] = await compare(contenders, { rounds: 9, seconds, connections: 8 });
    const cpu = [ours!, theirs!].map((figures) => formatNumber(median(figures.cpu)));
    const cost = ratio(ours!.cpu, theirs!.cpu).toFixed(2);
    rows.push([name, ...cpu, cost, ratio(ours!.perSecond, theirs!.perSecond).toFixed(2)]);
    process.stdout.write(`${rows.at(-1)!.join("  ")}\n`);
  }
  const memory = [thisServer, otherServer].map(({ pid }) => formatNumber(residentMemory(pid) ?? 0));
  rows.push(["memory, MB", ...memory, "", ""]);
  return rows;
}

function measuredCalls(tokens: string[]): Array<[name: string, next: () => Call, seconds?: number]> {
  const few = tokens.slice(LISTING_ACCOUNTS, LISTING_ACCOUNTS + 3000);
  const listing = tokens.slice(0, LISTING_ACCOUNTS);
  const emails = Array.from({ length: ACCOUNTS }, (_, index) => emailOf(index + 1));
  const random = () => randomBytes(6).toString("hex");
  const read = (path: string, callers = few): [string, () => Call] => [
    `GET ${path}`,
    rotate(callers, (token) => call("GET", path, { token })),
  ];
  const write = (method: string, path: string, body: () => object): [string, () => Call] => [
    `${method} ${path}`,
    rotate(tokens, (token) => call(method, path, { token, body: body() })),
  ];
  const login = rotate(emails, (email) =>
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
