import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import {
  ACCOUNT_COUNT,
  BENCH_PASSWORD,
  copyWithSites,
  fillAccounts,
  getEmail,
  LISTING_ACCOUNT_COUNT,
} from "./data";
import { startDatabase, startTrackedServer } from "./environment";
import { buildRequest, createRotation, type RequestText } from "./load";
import { compareContenders, median, medianRatio } from "./measure";
import { readResidentMegabytes } from "./processes";
import { moveSelfToLoadCore } from "./servers";
import { formatNumber } from "./table";

/** Compares this build with another checkout's build, in calls whose name contains `words`. */
export default async function compareBuilds([otherCheckout, nameFilter = ""]: string[]): Promise<string[][]> {
  const postgres = await startDatabase();
  const tokens = await fillAccounts(postgres.url);
  const url = await copyWithSites(postgres, 30_000);
  moveSelfToLoadCore();
  const thisServer = await startTrackedServer("HTTP server", url);
  const otherServer = await startTrackedServer("HTTP server", url, { root: resolve(otherCheckout!) });
  const rows = [["call", "CPU µs this", "CPU µs other", "CPU this / other", "requests/s this / other"]];
  for (const [name, nextRequest, seconds = 1] of listMeasuredCalls(tokens)) {
    if (!name.includes(nameFilter)) continue;
    const contenders = [thisServer, otherServer].map((server) => ({ server, nextRequest }));
    const [thisFigures, otherFigures] = await compareContenders(contenders, {
      rounds: 9,
      seconds,
      connections: 8,
    });
    const cpu = [thisFigures!, otherFigures!].map((figures) => formatNumber(median(figures.cpu)));
    const cpuRatio = medianRatio(thisFigures!.cpu, otherFigures!.cpu).toFixed(2);
    rows.push([
      name,
      ...cpu,
      cpuRatio,
      medianRatio(thisFigures!.perSecond, otherFigures!.perSecond).toFixed(2),
    ]);
    process.stdout.write(`${rows.at(-1)!.join("  ")}\n`);
  }
  const memory = [thisServer, otherServer].map(({ pid }) => formatNumber(readResidentMegabytes(pid) ?? 0));
  rows.push(["memory, MB", ...memory, "", ""]);
  return rows;
}

function listMeasuredCalls(
  tokens: string[],
): Array<[name: string, next: () => RequestText, seconds?: number]> {
  const smallAccountTokens = tokens.slice(LISTING_ACCOUNT_COUNT, LISTING_ACCOUNT_COUNT + 3000);
  const listingTokens = tokens.slice(0, LISTING_ACCOUNT_COUNT);
  const emails = Array.from({ length: ACCOUNT_COUNT }, (_, index) => getEmail(index + 1));
  const randomText = () => randomBytes(6).toString("hex");
  const buildRead = (path: string, callers = smallAccountTokens): [string, () => RequestText] => [
    `GET ${path}`,
    createRotation(callers, (token) => buildRequest("GET", path, { token })),
  ];
  const buildWrite = (method: string, path: string, body: () => object): [string, () => RequestText] => [
    `${method} ${path}`,
    createRotation(tokens, (token) => buildRequest(method, path, { token, body: body() })),
  ];
  const login = createRotation(emails, (email) =>
    buildRequest("POST", "/api/auth/login", { body: { email, password: BENCH_PASSWORD } }),
  );
  return [
    buildRead("/api/auth/user"),
    buildRead("/api/sites", listingTokens),
    buildWrite("POST", "/api/sites", () => ({ name: "A new site", domain: `${randomText()}.example.com` })),
    ["POST /api/auth/login", login, 2.5],
    buildRead("/api/user"),
    buildRead("/api/team"),
    buildRead("/api/profile/consents"),
    buildRead("/api/profile/sessions"),
    buildRead("/api/profile/2fa/methods"),
    buildRead("/api/user/menu-labels"),
    buildRead("/api/user/deletion"),
    buildRead("/api/subscription-plans"),
    buildWrite("PUT", "/api/user/menu-labels", () => ({ menu_labels: { dashboard: randomText() } })),
    buildWrite("PUT", "/api/user/locale", () => ({ locale: "en" })),
    buildWrite("PUT", "/api/auth/profile", () => ({ name: `Ayşe ${randomText()}` })),
  ];
}
