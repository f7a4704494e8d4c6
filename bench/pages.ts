import { type Browser, chromium, type Page } from "playwright";
import { ServerProcess } from "@/e2e/server-process";
import { findChromium } from "../scripts/lib/chromium.mjs";
import { median } from "./measure";
import { cpuTime } from "./processes";

const LOADS = 3;
/** Many, because the CPU clock ticks in hundredths of a second. As many uncounted views come first. */
const VIEWS = 50;
/** Lighthouse's slow phone: 1.6 Mbit/s, 150 ms, a quarter of this machine's speed. */
const SLOW = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 84_375 };
const CPU_SLOWDOWN = 4;
/** Milliseconds after `load` in which scripts finish their work. */
const SETTLE_MS = 2000;

const PAGES = [
  ...["/sign-in", "/sign-up", "/docs", "/docs/sites"].map((path) => ({ path, signedIn: false })),
  ...["/dashboard", "/sites", "/team", "/settings/security", "/developers/docs"].map((path) => ({
    path,
    signedIn: true,
  })),
];

interface Load {
  lcp: number;
  blocked: number;
  shift: number;
  requests: number;
  kB: number;
}

/** Runs in the page before its scripts. A string, because the compiler would add helpers to a function. */
const WATCH = `
  window.observed = { lcp: 0, blocked: 0, shift: 0 };
  const observe = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  observe("largest-contentful-paint", ({ startTime }) => { observed.lcp = startTime; });
  observe("longtask", ({ duration }) => { observed.blocked += duration - 50; });
  observe("layout-shift", ({ value }) => { observed.shift += value; });
`;

let sessionCookie: Promise<string> | undefined;
let server: ServerProcess;

/** Measures page loads on a slow phone and the server's CPU time per view, with the demo data. */
export default async function pages(): Promise<string[][]> {
  server = await ServerProcess.create();
  let browser: Browser | undefined;
  try {
    await server.start();
    browser = await chromium.launch({
      executablePath: (await findChromium()) || undefined,
      args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
    });
    const rows = [["page", "LCP ms", "blocked ms", "shift", "requests", "kB", "server CPU ms"]];
    for (const { path, signedIn } of PAGES) {
      const loads: Load[] = [];
      for (let count = 0; count < LOADS; count++) loads.push(await loadPage(browser, path, signedIn));
      const medianOf = (key: keyof Load, digits = 0) =>
        median(loads.map((each) => each[key])).toFixed(digits);
      const cpu = await cpuPerView(path, signedIn);
      const figures = [
        ...[medianOf("lcp"), medianOf("blocked"), medianOf("shift", 3)],
        ...[medianOf("requests"), medianOf("kB"), cpu.toFixed(1)],
      ];
      rows.push([path, ...figures]);
    }
    return rows;
  } finally {
    await browser?.close();
    await server.dispose();
  }
}

async function loadPage(browser: Browser, path: string, signedIn: boolean): Promise<Load> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 }, locale: "tr-TR" });
  if (signedIn) await context.addCookies([{ name: "session", value: await session(), url: server.url }]);
  const page = await context.newPage();
  const protocol = await context.newCDPSession(page);
  await protocol.send("Network.enable");
  await protocol.send("Network.emulateNetworkConditions", SLOW);
  await protocol.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
  let [requests, bytes] = [0, 0];
  protocol.on("Network.requestWillBeSent", () => {
    requests++;
  });
  protocol.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.addInitScript({ content: WATCH });
  await page.goto(server.url + path, { waitUntil: "load" });
  await page.waitForTimeout(SETTLE_MS);
  const observed = await readObserved(page);
  await context.close();
  return { ...observed, requests, kB: bytes / 1000 };
}

type Observed = Pick<Load, "lcp" | "blocked" | "shift">;

function readObserved(page: Page): Promise<Observed> {
  return page.evaluate(() => (window as unknown as { observed: Observed }).observed);
}

/** Returns the CPU milliseconds of both processes for one document, without the files that browsers cache. */
async function cpuPerView(path: string, signedIn: boolean): Promise<number> {
  const cookie = `locale=tr${signedIn ? `; session=${await session()}` : ""}`;
  const view = async () => (await fetch(server.url + path, { headers: { cookie } })).text();
  const views = async () => {
    for (let count = 0; count < VIEWS; count++) await view();
  };
  await views();
  const before = cpuUsed();
  await views();
  return (cpuUsed() - before) / 1000 / VIEWS;
}

function cpuUsed(): number {
  return [server.pid!, server.pagesPid!].reduce((sum, pid) => sum + (cpuTime(pid) ?? Number.NaN), 0);
}

function session(): Promise<string> {
  sessionCookie ??= (async () => {
    const { body } = await server.call("POST", "/api/auth/login", {
      body: { email: "customer@example.com", password: "demo-password" },
    });
    const csrf = await fetch(`${server.url}/session/csrf`);
    const { csrfToken } = (await csrf.json()) as { csrfToken: string };
    const response = await fetch(`${server.url}/session/callback/token`, {
      method: "POST",
      headers: { cookie: cookiesOf(csrf).join("; ") },
      body: new URLSearchParams({ csrfToken, token: String(body.token), json: "true" }),
    });
    return cookiesOf(response)
      .find((each) => each.startsWith("session="))!
      .slice("session=".length);
  })();
  return sessionCookie;
}

function cookiesOf(response: Response): string[] {
  return response.headers.getSetCookie().map((each) => each.split(";")[0]!);
}
