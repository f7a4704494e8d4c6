import { type Browser, chromium, type Page } from "playwright";
import { ServerProcess } from "@/e2e/server-process";
import { findChromium } from "../scripts/lib/chromium.mjs";
import { median } from "./measure";
import { readCpuMicroseconds } from "./processes";

const LOADS_PER_PAGE = 3;
/** Many, because the kernel counts CPU time in hundredths of a second. */
const VIEWS_PER_MEASUREMENT = 50;
/** Lighthouse's slow phone: 1.6 Mbit/s, 150 ms, a quarter of this machine's speed. */
const SLOW_NETWORK = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 84_375 };
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

/** `lcp` and `blocked` (main thread) in milliseconds, `shift` as the layout shift score. */
interface PageLoad {
  lcp: number;
  blocked: number;
  shift: number;
  requests: number;
  kB: number;
}

/** Runs in the page before its scripts. A string: the compiler would add helpers to a function. */
const OBSERVER_SCRIPT = `
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
export default async function measurePages(): Promise<string[][]> {
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
      const loads: PageLoad[] = [];
      for (let count = 0; count < LOADS_PER_PAGE; count++)
        loads.push(await loadPage(browser, path, signedIn));
      const formatMedian = (key: keyof PageLoad, digits = 0) =>
        median(loads.map((each) => each[key])).toFixed(digits);
      const cpu = await measureCpuPerView(path, signedIn);
      const figures = [
        ...[formatMedian("lcp"), formatMedian("blocked"), formatMedian("shift", 3)],
        ...[formatMedian("requests"), formatMedian("kB"), cpu.toFixed(1)],
      ];
      rows.push([path, ...figures]);
    }
    return rows;
  } finally {
    await browser?.close();
    await server.dispose();
  }
}

async function loadPage(browser: Browser, path: string, signedIn: boolean): Promise<PageLoad> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 }, locale: "tr-TR" });
  if (signedIn) await context.addCookies([{ name: "session", value: await getSession(), url: server.url }]);
  const page = await context.newPage();
  const protocol = await context.newCDPSession(page);
  await protocol.send("Network.enable");
  await protocol.send("Network.emulateNetworkConditions", SLOW_NETWORK);
  await protocol.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
  let [requests, bytes] = [0, 0];
  protocol.on("Network.requestWillBeSent", () => {
    requests++;
  });
  protocol.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.addInitScript({ content: OBSERVER_SCRIPT });
  await page.goto(server.url + path, { waitUntil: "load" });
  await page.waitForTimeout(SETTLE_MS);
  const observed = await readObserved(page);
  await context.close();
  return { ...observed, requests, kB: bytes / 1000 };
}

type Observed = Pick<PageLoad, "lcp" | "blocked" | "shift">;

function readObserved(page: Page): Promise<Observed> {
  return page.evaluate(() => (window as unknown as { observed: Observed }).observed);
}

/** Returns the CPU milliseconds of both processes for one document, without the files that browsers cache. */
async function measureCpuPerView(path: string, signedIn: boolean): Promise<number> {
  const cookie = `locale=tr${signedIn ? `; session=${await getSession()}` : ""}`;
  const loadDocument = async () => (await fetch(server.url + path, { headers: { cookie } })).text();
  const loadDocuments = async () => {
    for (let count = 0; count < VIEWS_PER_MEASUREMENT; count++) await loadDocument();
  };
  await loadDocuments();
  const cpuBefore = readServerCpuMicroseconds();
  await loadDocuments();
  return (readServerCpuMicroseconds() - cpuBefore) / 1000 / VIEWS_PER_MEASUREMENT;
}

function readServerCpuMicroseconds(): number {
  return [server.pid!, server.rendererPid!].reduce(
    (sum, pid) => sum + (readCpuMicroseconds(pid) ?? Number.NaN),
    0,
  );
}

function getSession(): Promise<string> {
  sessionCookie ??= (async () => {
    const { body } = await server.call("POST", "/api/auth/login", {
      body: { email: "customer@example.com", password: "demo-password" },
    });
    const csrfResponse = await fetch(`${server.url}/session/csrf`);
    const { csrfToken } = (await csrfResponse.json()) as { csrfToken: string };
    const response = await fetch(`${server.url}/session/callback/token`, {
      method: "POST",
      headers: { cookie: getCookies(csrfResponse).join("; ") },
      body: new URLSearchParams({ csrfToken, token: String(body.token), json: "true" }),
    });
    return getCookies(response)
      .find((each) => each.startsWith("session="))!
      .slice("session=".length);
  })();
  return sessionCookie;
}

function getCookies(response: Response): string[] {
  return response.headers.getSetCookie().map((each) => each.split(";")[0]!);
}
