import { readFileSync } from "node:fs";
import { test as base, expect, type Locator, type Page } from "@playwright/test";
import type axe from "axe-core";
import { MANDATORY_CONSENTS } from "@/server/domains/accounts/consents/contract";
import { buildRegistrationBody } from "@/server/testing/requests";
import { ServerProcess } from "./server-process";
import { loadTranslator, type Translator } from "./translator";

export const LOOKS = [
  { locale: "tr", theme: "light" },
  { locale: "tr", theme: "dark" },
  { locale: "ar", theme: "light" },
  { locale: "ar", theme: "dark" },
] as const;
type Look = (typeof LOOKS)[number];

/* Most tests run in Turkish only, because the sweep opens every page in Arabic. */
export const ARABIC = { look: LOOKS[3] };
export const ARABIC_PHONE = { look: LOOKS[3], viewport: { width: 390, height: 844 } };

interface Person {
  name: string;
  email: string;
  password: string;
}

interface Mail {
  subject: string;
  locale: string;
  text: string;
  state: "queued" | "sent" | "failed";
}

interface WorkerFixtures {
  /** Production build in demo mode with its own data directory, shared by the tests of a worker. */
  server: ServerProcess;
}

interface Fixtures {
  look: Look;
  t: Translator;
  origin: string;
  /** Returns the newest mail that matches. `match` is the pattern's group, or the whole match without one. */
  waitForMail(address: string, pattern: RegExp): Promise<Mail & { match: string }>;
  newcomer: Person;
  /** Registered and verified account. The browser is not signed in; `token` is an API token. */
  member: Person & { token: string };
  /** Signs the browser in without the form. All demo accounts have the default password. */
  signIn(page: Page, email: string, password?: string): Promise<void>;
  /** Signs in by the form. Does not wait for the page that follows. */
  submitSignInForm(person: Pick<Person, "email" | "password">, next: string): Promise<void>;
}

let nextUniqueNumber = 0;

const IGNORED_CONSOLE_MESSAGES = [
  /Download the React DevTools/,
  /status of (400|401|402|403|404|409|422|429)/,
  /ERR_INTERNET_DISCONNECTED/,
  // React reports errors that a boundary has handled, too.
  /^ChunkLoadError/,
];

export const test = base.extend<Fixtures, WorkerFixtures>({
  server: [
    async ({}, use) => {
      const server = await ServerProcess.create({ WIDGET_SCRIPT_URL: "https://cdn.example.com/widget.js" });
      await server.start();
      // The renderer starts after the API; until then, pages are 503.
      const getPageStatus = async () => (await fetch(`${server.url}/sign-in`)).status;
      await expect.poll(getPageStatus, { timeout: 120_000 }).toBe(200);
      await use(server);
      await server.dispose();
    },
    { scope: "worker", timeout: 300_000 },
  ],

  look: [LOOKS[0], { option: true }],

  t: async ({ look }, use) => use(loadTranslator(look.locale)),

  origin: async ({ server }, use) => use(server.url),

  baseURL: async ({ origin }, use) => use(origin),

  // One client address per test, because rate limits count by address.
  extraHTTPHeaders: async ({}, use, info) => {
    const number = nextUniqueNumber++;
    await use({ "x-forwarded-for": `10.${info.workerIndex % 256}.${(number >> 8) % 256}.${number % 256}` });
  },

  context: async ({ context, look, origin }, use) => {
    await context.addCookies([
      { name: "locale", value: look.locale, url: origin },
      { name: "theme", value: look.theme, url: origin },
    ]);
    await use(context);
  },

  page: async ({ page, server }, use, info) => {
    const consoleErrors: string[] = [];
    page.on("console", (message) => {
      const text = message.text();
      if (message.type() === "error" && !IGNORED_CONSOLE_MESSAGES.some((pattern) => pattern.test(text)))
        consoleErrors.push(`${text} (${message.location().url})`);
    });
    page.on("pageerror", (error) => consoleErrors.push(error.stack ?? String(error)));
    const logStart = server.output.length;
    await use(page);
    if (info.status !== info.expectedStatus)
      await info.attach("server log", { body: server.output.slice(logStart), contentType: "text/plain" });
    expect(consoleErrors, "console, hydration and CSP errors").toEqual([]);
  },

  waitForMail: async ({ request, origin }, use) => {
    await use(async (address, pattern) => {
      let mail: (Mail & { match: string }) | undefined;
      await expect
        .poll(
          async () => {
            const response = await request.get(`${origin}/api/dev/mailbox?to=${encodeURIComponent(address)}`);
            const { data } = (await response.json()) as { data: Mail[] };
            // Only sent mails: delivery inserts the reseller's brand.
            const sentMails = data.filter(({ state }) => state === "sent");
            mail = sentMails.flatMap((each) => {
              const [fullMatch, group] = pattern.exec(each.text) ?? [];
              return fullMatch === undefined ? [] : [{ ...each, match: group ?? fullMatch }];
            })[0];
            return mail?.match;
          },
          { message: `a mail to ${address} with ${pattern}` },
        )
        .toBeTruthy();
      return mail!;
    });
  },

  newcomer: async ({}, use, info) => {
    const unique = `${info.workerIndex}.${Date.now().toString(36)}.${nextUniqueNumber++}`;
    await use({ name: "Işıl Çağlar", email: `isil.${unique}@example.com`, password: "yağmur-altında-çay" });
  },

  member: async ({ newcomer, request, origin, waitForMail }, use) => {
    const passwords = { password: newcomer.password, password_confirmation: newcomer.password };
    const data = buildRegistrationBody({ ...newcomer, ...passwords, phone: "+905321112233" });
    const registrationResponse = await request.post(`${origin}/api/auth/register`, { data });
    const { match: verificationToken } = await waitForMail(newcomer.email, /dsv_\w+/);
    await request.post(`${origin}/api/auth/verify-email`, { data: { token: verificationToken } });
    const { token } = (await registrationResponse.json()) as { token: string };
    await use({ ...newcomer, token });
  },

  signIn: async ({ origin }, use) => {
    await use(async (page, email, password = "demo-password") => {
      await clearSession(page);
      const login = await page.request.post(`${origin}/api/auth/login`, { data: { email, password } });
      const { token } = (await login.json()) as { token: string };
      const csrf = (await (await page.request.get(`${origin}/session/csrf`)).json()) as { csrfToken: string };
      await page.request.post(`${origin}/session/callback/token`, {
        form: { csrfToken: csrf.csrfToken, token, json: "true" },
      });
    });
  },

  submitSignInForm: async ({ page, t }, use) => {
    await use(async ({ email, password }, next) => {
      await open(page, `/sign-in?next=${encodeURIComponent(next)}`);
      await page.getByLabel(t("auth.email"), { exact: true }).fill(email);
      await page.getByLabel(t("auth.signIn.password"), { exact: true }).fill(password);
      await page.getByRole("button", { name: t("auth.signIn.submit"), exact: true }).click();
    });
  },
});

export { expect };

/** Gives the account of `token` a year of the first plan. The last argument overrides fields of the body. */
export async function activatePlan(server: ServerProcess, token: string, termOverrides = {}): Promise<void> {
  const { body: userBody } = await server.call("GET", "/api/auth/user", { token });
  const { body: plansBody } = await server.call("GET", "/api/subscription-plans", { token });
  const { status } = await server.call("POST", "/api/admin/subscriptions/manual-activate", {
    token: await server.signIn("admin@example.com"),
    body: {
      user_id: (userBody.user as { id: number }).id,
      plan_id: (plansBody.data as Array<{ id: number }>)[0]!.id,
      send_email: false,
      ...termOverrides,
    },
  });
  expect(status).toBe(201);
}

export function toPath(link: string): string {
  const { pathname, search } = new URL(link);
  return pathname + search;
}

/** Removes the session cookie after pending requests, whose responses would set it again. */
export async function clearSession(page: Page): Promise<void> {
  if (page.url() !== "about:blank") {
    await page.waitForLoadState("networkidle");
    await page.goto("about:blank");
  }
  await page.context().clearCookies({ name: "session" });
}

export async function tickConsents(page: Page, t: Translator): Promise<void> {
  for (const key of MANDATORY_CONSENTS)
    await page.getByRole("checkbox", { name: t(`consents.${key}.summary`) }).check();
}

/** Expects that the field has the focus. The last digit submits the form. */
/** Chooses a plan among the offered ones and orders it. Returns the reference for the transfer. */
export async function orderPlan(page: Page, t: Translator, plan: string): Promise<string> {
  await page.getByRole("link", { name: `${t("sites.plans.choose")}: ${plan}`, exact: true }).click();
  await waitForPage(page, /\/billing\/checkout\?plan=\d+$/);
  return placeOrder(page, t);
}

/** Fills in the billing details of the checkout and orders. */
export async function placeOrder(page: Page, t: Translator): Promise<string> {
  const form = page.getByRole("form", { name: t("billing.checkout.details"), exact: true });
  await form.getByLabel(t("billing.profile.companyTitle"), { exact: true }).fill("Kaya Kahve Ltd. Şti.");
  await form.getByLabel(t("billing.profile.vkn"), { exact: true }).fill("10000000146");
  await form.getByLabel(t("billing.profile.taxOffice"), { exact: true }).fill("Beyoğlu");
  await form.getByLabel(t("billing.profile.address"), { exact: true }).fill("İstiklal Cad. 1");
  await form.getByLabel(t("billing.profile.district"), { exact: true }).fill("Beyoğlu");
  await form.getByLabel(t("billing.profile.city"), { exact: true }).fill("İstanbul");
  await form.getByRole("button", { name: t("billing.checkout.submit"), exact: true }).click();
  await waitForPage(page, /\/billing\/pay\/T\d{8}\?ordered$/);
  return /T\d{8}/.exec(page.url())![0];
}

export async function fillCode(field: Locator, code: string): Promise<void> {
  await expect(field).toBeFocused();
  await field.fill(code);
}

export async function expectInvalid(field: Locator): Promise<void> {
  await expect(field).toHaveAttribute("aria-invalid", "true");
}

export async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await waitForHydration(page);
}

export async function waitForPage(page: Page, address: RegExp): Promise<void> {
  await page.waitForURL(address);
  await waitForHydration(page);
}

/** Waits until React has hydrated every control; until then, clicks are lost. */
async function waitForHydration(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    // Buttons of the API reference are static markup with listeners on the document.
    [
      ...document.querySelectorAll(
        "button:not([data-copy], [data-wrap], [data-try]), input:not([type=hidden], .doc-tabs *)",
      ),
    ].every((control) => Object.keys(control).some((key) => key.startsWith("__reactProps"))),
  );
}

export async function expectPage(page: Page, address: RegExp): Promise<void> {
  await waitForPage(page, address);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
}

/** Expects no violation of WCAG 2.2 A, AA or best practices in both themes, inside `selector`. */
export async function expectAccessible(page: Page, selector = "html"): Promise<void> {
  await waitUntilStable(page);
  if ((await findViolations(page, selector)).length === 0) return;
  // The page may have changed during the check. A real violation is found twice.
  await waitUntilStable(page);
  expect(await findViolations(page, selector)).toEqual([]);
}

async function waitUntilStable(page: Page): Promise<void> {
  // A page being refreshed has no title for a moment, and a loading list is dimmed.
  await expect(page).toHaveTitle(/\S/);
  await expect(page.locator("table[aria-busy=true]")).toHaveCount(0);
  await waitForAnimations(page);
}

/** Content that fades in has too little contrast. Waits two frames: transitions start in the second. */
async function waitForAnimations(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(frame))),
  );
  // Polls: on a busy machine, the `finished` promises of animations may never settle.
  await page.waitForFunction(
    () =>
      document
        .getAnimations()
        .every(
          ({ effect, playState }) =>
            playState !== "running" || effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY,
        ),
    undefined,
    { polling: 20 },
  );
}

const AXE_SCRIPT = readFileSync("node_modules/axe-core/axe.min.js", "utf8");
const AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** Rules about colours, the only difference between the themes. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

async function findViolations(page: Page, selector: string): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE_SCRIPT);
  return page.evaluate(
    async ([standards, colourRules, scope]) => {
      // Static bars, as on low screens: axe would count a covered control as too small.
      const bars = [...document.querySelectorAll<HTMLElement>(".layer-bar")];
      for (const bar of bars) bar.style.position = "static";
      // A notice that fades out has too little contrast.
      const styleOverrides = new CSSStyleSheet();
      // With `content-visibility`, an off-screen list has an estimated height that its rows may exceed.
      styleOverrides.replaceSync(
        "*, ::before, ::after { transition: none !important } .doc-list { content-visibility: visible !important }",
      );
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, styleOverrides];
      const findings: string[] = [];
      const runRules = async (runOnly: axe.RunOptions["runOnly"]) => {
        const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(scope, {
          runOnly,
          resultTypes: ["violations"],
          // Otherwise axe fetches every style sheet again, for the orientation rule only.
          preload: false,
        });
        const theme = document.documentElement.dataset.theme;
        for (const { id, nodes } of violations)
          findings.push(`${theme}: ${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
      };
      const { theme } = document.documentElement.dataset;
      await runRules({ type: "tag", values: [...standards] });
      document.documentElement.dataset.theme = theme === "dark" ? "light" : "dark";
      await runRules({ type: "rule", values: [...colourRules] });
      if (theme) document.documentElement.dataset.theme = theme;
      else delete document.documentElement.dataset.theme;
      for (const bar of bars) bar.style.position = "";
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== styleOverrides);
      return findings;
    },
    [AXE_TAGS, COLOUR_RULES, selector] as const,
  );
}

export async function expectFocusKept(page: Page): Promise<void> {
  await expect(page.getByRole("dialog").or(page.getByRole("alertdialog"))).toHaveCount(0);
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY");
}

export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const overflow = await page.evaluate(() => {
    const html = document.documentElement;
    const originalDir = html.dir;
    const widths = [originalDir, originalDir === "rtl" ? "ltr" : "rtl"].map((dir) => {
      html.dir = dir;
      return [dir, html.scrollWidth - html.clientWidth] as const;
    });
    html.dir = originalDir;
    return widths.filter(([, width]) => width > 0);
  });
  expect(overflow).toEqual([]);
}
