import { type Browser, chromium, type Page } from "playwright";
import { ServerProcess } from "@/e2e/server-process";
import { findChromium } from "../scripts/lib/chromium.mjs";
import { median } from "./measure";
import { cpuTime } from "./processes";

/** Loads of each page; the median counts. */
const LOADS = 3;
/**
 * Views over which the server's processor time is taken, whose clock ticks in hundredths of a second, after as many that are
 * not counted: until then engines compile what they will run.
 */
const VIEWS = 50;
/** A slow phone, as Lighthouse has it: 1.6 Mbit/s, 150 ms, a quarter of this machine's speed. */
const SLOW = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 84_375 };
const SLOWER = 4;
/** After `load`: time for what scripts do by themselves. */
const SETTLE = 2000;

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

/** Runs in the page, before its own scripts; as text, because what compiles this file would add to it. */
const WATCH = `
  window.seen = { lcp: 0, blocked: 0, shift: 0 };
  const observe = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  observe("largest-contentful-paint", ({ startTime }) => { seen.lcp = startTime; });
  observe("longtask", ({ duration }) => { seen.blocked += duration - 50; });
  observe("layout-shift", ({ value }) => { seen.shift += value; });
`;

let opened: Promise<string> | undefined;
let server: ServerProcess;

/** Measures how long a visitor waits on a phone with a slow connection, and the server's CPU per view, with the demo data. */
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
      for (let count = 0; count < LOADS; count++) loads.push(await load(browser, path, signedIn));
      const of = (key: keyof Load, digits = 0) => median(loads.map((each) => each[key])).toFixed(digits);
      const cpu = await costOf(path, signedIn);
      const figures = [of("lcp"), of("blocked"), of("shift", 3), of("requests"), of("kB"), cpu.toFixed(1)];
      rows.push([path, ...figures]);
    }
    return rows;
  } finally {
    await browser?.close();
    await server.dispose();
  }
}

/** A first visit: nothing is in the cache. */
async function load(from: Browser, path: string, signedIn: boolean): Promise<Load> {
  const context = await from.newContext({ viewport: { width: 412, height: 823 }, locale: "tr-TR" });
  if (signedIn) await context.addCookies([{ name: "session", value: await session(), url: server.url }]);
  const page = await context.newPage();
  const protocol = await context.newCDPSession(page);
  await protocol.send("Network.enable");
  await protocol.send("Network.emulateNetworkConditions", SLOW);
  await protocol.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  let [requests, bytes] = [0, 0];
  protocol.on("Network.requestWillBeSent", () => {
    requests++;
  });
  protocol.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.addInitScript({ content: WATCH });
  await page.goto(server.url + path, { waitUntil: "load" });
  await page.waitForTimeout(SETTLE);
  const seen = await read(page);
  await context.close();
  return { ...seen, requests, kB: bytes / 1000 };
}

function read(page: Page): Promise<Pick<Load, "lcp" | "blocked" | "shift">> {
  return page.evaluate(() => (window as unknown as { seen: Pick<Load, "lcp" | "blocked" | "shift"> }).seen);
}

/**
 * Milliseconds of processor time for one view, of the front door and of the process for pages: the document, without files
 * that browsers keep.
 */
async function costOf(path: string, signedIn: boolean): Promise<number> {
  const cookie = `locale=tr${signedIn ? `; session=${await session()}` : ""}`;
  const view = async () => (await fetch(server.url + path, { headers: { cookie } })).text();
  const views = async () => {
    for (let count = 0; count < VIEWS; count++) await view();
  };
  await views();
  const before = used();
  await views();
  return (used() - before) / 1000 / VIEWS;
}

/** Microseconds that both processes have used so far. */
function used(): number {
  return [server.pid!, server.pagesPid!].reduce((sum, each) => sum + (cpuTime(each) ?? Number.NaN), 0);
}

/** The cookie of a session of the demo's customer. */
function session(): Promise<string> {
  opened ??= (async () => {
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
  return opened;
}

function cookiesOf(response: Response): string[] {
  return response.headers.getSetCookie().map((each) => each.split(";")[0]!);
}
