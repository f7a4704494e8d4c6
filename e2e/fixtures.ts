import { readFileSync } from "node:fs";
import { test as base, expect, type Locator, type Page } from "@playwright/test";
import type axe from "axe-core";
import { MANDATORY_CONSENTS } from "@/server/domains/accounts/consents/contract";
import { registration } from "@/server/testing/requests";
import { ServerProcess } from "./server-process";
import { type Words, wordsOf } from "./words";

/** Combinations of theme and language. */
export const LOOKS = [
  { locale: "tr", theme: "light" },
  { locale: "tr", theme: "dark" },
  { locale: "ar", theme: "light" },
  { locale: "ar", theme: "dark" },
] as const;
type Look = (typeof LOOKS)[number];

/*
 * A journey has one look, unless language, direction or keys are its point: Turkish, light and wide, or one of these. The
 * sweep opens every page in Arabic.
 */
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
  /** A production server in demo mode on a data directory of its own; journeys of one worker share it. */
  server: ServerProcess;
}

interface Fixtures {
  look: Look;
  /** The texts in the language of the look. */
  t: Words;
  /** The server's address. */
  origin: string;
  /** The newest mail to an address that a pattern fits, and what it found there: its group, or all of it. */
  mailed(address: string, pattern: RegExp): Promise<Mail & { found: string }>;
  /** Nobody yet: what a person will type into the sign-up form. */
  newcomer: Person;
  /** The newcomer after registering and confirming the address, not signed in here; the token is a sign-in elsewhere. */
  member: Person & { token: string };
  /** Opens the panel as an account; those of the demo data have one password. */
  signIn(page: Page, email: string, password?: string): Promise<void>;
  /** Types address and password into the sign-in page, which leads to `next`; what comes then is up to the account. */
  typePassword(person: Pick<Person, "email" | "password">, next: string): Promise<void>;
}

let count = 0;

/** Console messages that are not the page's fault. */
const HARMLESS = [
  /Download the React DevTools/,
  /status of (400|401|402|403|404|409|422|429)/,
  // A test took the network away.
  /ERR_INTERNET_DISCONNECTED/,
];

export const test = base.extend<Fixtures, WorkerFixtures>({
  server: [
    async ({}, use) => {
      const server = await ServerProcess.create({ WIDGET_SCRIPT_URL: "https://cdn.example.com/widget.js" });
      await server.start();
      // Pages come from a process of their own, which starts later: until then they are 503.
      const page = async () => (await fetch(`${server.url}/sign-in`)).status;
      await expect.poll(page, { timeout: 120_000 }).toBe(200);
      await use(server);
      await server.dispose();
    },
    { scope: "worker", timeout: 300_000 },
  ],

  look: [LOOKS[0], { option: true }],

  t: async ({ look }, use) => use(wordsOf(look.locale)),

  origin: async ({ server }, use) => use(server.url),

  baseURL: async ({ origin }, use) => use(origin),

  // Every test is another client: limits by address are real here, too.
  extraHTTPHeaders: async ({}, use, info) => {
    await use({ "x-forwarded-for": `10.77.${info.workerIndex}.${(count++ % 250) + 1}` });
  },

  context: async ({ context, look, origin }, use) => {
    await context.addCookies([
      { name: "locale", value: look.locale, url: origin },
      { name: "theme", value: look.theme, url: origin },
    ]);
    await use(context);
  },

  page: async ({ page, server }, use, info) => {
    const complaints: string[] = [];
    page.on("console", (message) => {
      const text = message.text();
      if (message.type() === "error" && !HARMLESS.some((pattern) => pattern.test(text)))
        complaints.push(`${text} (${message.location().url})`);
    });
    page.on("pageerror", (error) => complaints.push(error.stack ?? String(error)));
    const from = server.output.length;
    await use(page);
    if (info.status !== info.expectedStatus)
      await info.attach("server log", { body: server.output.slice(from), contentType: "text/plain" });
    expect(complaints, "console, hydration and CSP errors").toEqual([]);
  },

  mailed: async ({ request, origin }, use) => {
    await use(async (address, pattern) => {
      let mail: (Mail & { found: string }) | undefined;
      await expect
        .poll(
          async () => {
            const response = await request.get(`${origin}/api/dev/mailbox?to=${encodeURIComponent(address)}`);
            const { data } = (await response.json()) as { data: Mail[] };
            // A queued mail has the platform's words; the delivery puts the reseller's brand into it.
            const sent = data.filter(({ state }) => state === "sent");
            mail = sent.flatMap((each) => {
              const [all, group] = pattern.exec(each.text) ?? [];
              return all === undefined ? [] : [{ ...each, found: group ?? all }];
            })[0];
            return mail?.found;
          },
          { message: `a mail to ${address} with ${pattern}` },
        )
        .toBeTruthy();
      return mail!;
    });
  },

  newcomer: async ({}, use, info) => {
    const unique = `${info.workerIndex}.${Date.now().toString(36)}.${count++}`;
    await use({ name: "Işıl Çağlar", email: `isil.${unique}@example.com`, password: "yağmur-altında-çay" });
  },

  member: async ({ newcomer, request, origin, mailed }, use) => {
    const secret = { password: newcomer.password, password_confirmation: newcomer.password };
    const data = registration({ ...newcomer, ...secret, phone: "+905321112233" });
    const registered = await request.post(`${origin}/api/auth/register`, { data });
    const { found } = await mailed(newcomer.email, /dsv_\w+/);
    await request.post(`${origin}/api/auth/verify-email`, { data: { token: found } });
    const { token } = (await registered.json()) as { token: string };
    await use({ ...newcomer, token });
  },

  signIn: async ({ origin }, use) => {
    await use(async (page, email, password = "demo-password") => {
      await forgetSession(page);
      const login = await page.request.post(`${origin}/api/auth/login`, { data: { email, password } });
      const { token } = (await login.json()) as { token: string };
      const csrf = (await (await page.request.get(`${origin}/session/csrf`)).json()) as { csrfToken: string };
      await page.request.post(`${origin}/session/callback/token`, {
        form: { csrfToken: csrf.csrfToken, token, json: "true" },
      });
    });
  },

  typePassword: async ({ page, t }, use) => {
    await use(async ({ email, password }, next) => {
      await open(page, `/sign-in?next=${encodeURIComponent(next)}`);
      await page.getByLabel(t("auth.email"), { exact: true }).fill(email);
      await page.getByLabel(t("auth.signIn.password"), { exact: true }).fill(password);
      await page.getByRole("button", { name: t("auth.signIn.submit"), exact: true }).click();
    });
  },
});

export { expect };

/** Activates the first plan for an account, as an administrator does once its payment has come. */
export async function activatePlan(server: ServerProcess, token: string, terms = {}): Promise<void> {
  const { body: own } = await server.call("GET", "/api/auth/user", { token });
  const { body: plans } = await server.call("GET", "/api/subscription-plans", { token });
  const { status } = await server.call("POST", "/api/admin/subscriptions/manual-activate", {
    token: await server.signIn("admin@example.com"),
    body: {
      user_id: (own.user as { id: number }).id,
      plan_id: (plans.data as Array<{ id: number }>)[0]!.id,
      send_email: false,
      ...terms,
    },
  });
  expect(status).toBe(201);
}

/** The part of a mailed link that stays the same whatever the server is called. */
export function pathOf(link: string): string {
  const { pathname, search } = new URL(link);
  return pathname + search;
}

/**
 * Forgets who is signed in. The page is left first, and not before it has asked for all it asks for: the answer to a request
 * on its way brings the cookie back, even when nobody waits for it any longer.
 */
export async function forgetSession(page: Page): Promise<void> {
  if (page.url() !== "about:blank") {
    await page.waitForLoadState("networkidle");
    await page.goto("about:blank");
  }
  await page.context().clearCookies({ name: "session" });
}

/** Ticks the consents that an account needs. */
export async function giveConsents(page: Page, t: Words): Promise<void> {
  for (const key of MANDATORY_CONSENTS)
    await page.getByRole("checkbox", { name: t(`consents.${key}.summary`) }).check();
}

/** A field says by itself that what is in it is wrong. */
export async function expectInvalid(field: Locator): Promise<void> {
  await expect(field).toHaveAttribute("aria-invalid", "true");
}

/** Opens an address, until its page works. */
export async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expectLive(page);
}

/** Waits until a press has led to an address, and the page there works. */
export async function arriveAt(page: Page, address: RegExp): Promise<void> {
  await page.waitForURL(address);
  await expectLive(page);
}

/** Before React has taken over what the server rendered, a press is lost: it leaves its mark on every control. */
async function expectLive(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    // Buttons of the API reference are markup, whose presses the document hears.
    [
      ...document.querySelectorAll(
        "button:not([data-copy], [data-try]), input:not([type=hidden], .doc-tabs *)",
      ),
    ].every((control) => Object.keys(control).some((key) => key.startsWith("__reactProps"))),
  );
}

/** Waits until a press has led to an address, and the page there works and has its heading. */
export async function expectPage(page: Page, address: RegExp): Promise<void> {
  await arriveAt(page, address);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
}

/**
 * No violation of WCAG 2.2 A and AA, nor of best practice, on the page once it stands still, in either theme; `within` is all
 * that is looked at.
 */
export async function expectAccessible(page: Page, within = "html"): Promise<void> {
  await standsStill(page);
  if ((await violationsOn(page, within)).length === 0) return;
  // Something may have come, gone or been refreshed meanwhile: what is wrong with the page is wrong twice.
  await standsStill(page);
  expect(await violationsOn(page, within)).toEqual([]);
}

async function standsStill(page: Page): Promise<void> {
  // While a page is being refreshed, it has no title for a moment; a list on its way is dimmed.
  await expect(page).toHaveTitle(/\S/);
  await expect(page.locator("table[aria-busy=true]")).toHaveCount(0);
  await motionEnds(page);
}

/** What fades in has too little contrast until it has. Begins at the second frame, when transitions do. */
async function motionEnds(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(frame))),
  );
  // Looked at again and again: on a busy machine, waiting for their promises once did not end.
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

/** Sent to each page that is looked at: the small file takes half the time. */
const AXE = readFileSync("node_modules/axe-core/axe.min.js", "utf8");
const STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** What colours decide: themes differ in nothing else. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"];

async function violationsOn(page: Page, within: string): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  return page.evaluate(
    async ([standards, ofColours, place]) => {
      // Bars stand in the flow meanwhile, as on low screens: what they cover of a control is not its size.
      const bars = [...document.querySelectorAll<HTMLElement>(".layer-bar")];
      for (const bar of bars) bar.style.position = "static";
      // A notice whose time is over fades, with too little contrast until it has gone.
      const still = new CSSStyleSheet();
      // A list that waits to be scrolled to has a guessed height, which its lines, once measured, may reach beyond.
      still.replaceSync(
        "*, ::before, ::after { transition: none !important } .doc-list { content-visibility: visible !important }",
      );
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, still];
      const found: string[] = [];
      const look = async (runOnly: axe.RunOptions["runOnly"]) => {
        const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(place, {
          runOnly,
          resultTypes: ["violations"],
          // Else every style sheet is fetched once more, for one rule: nothing here asks how a screen is held.
          preload: false,
        });
        const theme = document.documentElement.dataset.theme;
        for (const { id, nodes } of violations)
          found.push(`${theme}: ${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
      };
      const { theme } = document.documentElement.dataset;
      await look({ type: "tag", values: [...standards] });
      document.documentElement.dataset.theme = theme === "dark" ? "light" : "dark";
      await look({ type: "rule", values: [...ofColours] });
      if (theme) document.documentElement.dataset.theme = theme;
      else delete document.documentElement.dataset.theme;
      for (const bar of bars) bar.style.position = "";
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== still);
      return found;
    },
    [STANDARDS, OF_COLOURS, within] as const,
  );
}

/** Expects the focus to have a place, even if what had it is gone: the keyboard goes on from near there. */
export async function expectFocusKept(page: Page): Promise<void> {
  await expect(page.getByRole("dialog").or(page.getByRole("alertdialog"))).toHaveCount(0);
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY");
}

/** Expects the page to fit the screen without sideways scrolling, in either direction of writing. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const beyond = await page.evaluate(() => {
    const html = document.documentElement;
    const own = html.dir;
    // Within one task: nothing on the page comes to know of it.
    const widths = [own, own === "rtl" ? "ltr" : "rtl"].map((dir) => {
      html.dir = dir;
      return [dir, html.scrollWidth - html.clientWidth] as const;
    });
    html.dir = own;
    return widths.filter(([, width]) => width > 0);
  });
  expect(beyond).toEqual([]);
}
