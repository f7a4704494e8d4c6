import AxeBuilder from "@axe-core/playwright";
import { test as base, expect, type Page } from "@playwright/test";

/**
 * Combinations of theme, language and screen that the journeys use; every visited page is checked in that of its
 * test.
 */
export const LOOKS = [
  { locale: "tr", theme: "light" },
  { locale: "tr", theme: "dark" },
  { locale: "ar", theme: "light" },
  { locale: "ar", theme: "dark" },
] as const;
type Look = (typeof LOOKS)[number];

interface Person {
  name: string;
  email: string;
  password: string;
}

interface Mail {
  to: string;
  subject: string;
  locale: string;
  text: string;
}

interface Fixtures {
  look: Look;
  /** The server's address. */
  origin: string;
  /** The mails that were sent to an address, newest first; waits for the first. */
  mailsTo(address: string): Promise<Mail[]>;
  /** A person without an account: what will be typed into the sign-up form. */
  newcomer: Person;
  /** The newcomer after registering and verifying the address, signed out. */
  member: Person;
  /** Opens the panel as an account of the demo data. */
  signIn(page: Page, email: string): Promise<void>;
}

let count = 0;

/** Console messages that are not the page's fault. */
const HARMLESS = [/Download the React DevTools/, /status of (400|401|402|403|404|422|429)/];

export const test = base.extend<Fixtures>({
  look: [LOOKS[0], { option: true }],

  origin: async ({}, use) => use(process.env.E2E_URL ?? "http://localhost:3000"),

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

  page: async ({ page }, use) => {
    const complaints: string[] = [];
    page.on("console", (message) => {
      const text = message.text();
      if (message.type() === "error" && !HARMLESS.some((pattern) => pattern.test(text)))
        complaints.push(text);
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    await use(page);
    expect(complaints, "console, hydration and CSP errors").toEqual([]);
  },

  mailsTo: async ({ request, origin }, use) => {
    await use(async (address) => {
      let mails: Mail[] = [];
      await expect
        .poll(async () => {
          const response = await request.get(`${origin}/api/dev/mailbox?to=${encodeURIComponent(address)}`);
          mails = ((await response.json()) as { data: Mail[] }).data;
          return mails.length;
        })
        .toBeGreaterThan(0);
      return mails;
    });
  },

  newcomer: async ({}, use, info) => {
    const unique = `${info.workerIndex}.${Date.now().toString(36)}.${count++}`;
    await use({ name: "Işıl Çağlar", email: `isil.${unique}@example.com`, password: "yağmur-altında-çay" });
  },

  member: async ({ newcomer, request, origin, mailsTo }, use) => {
    const consents = { terms: true, privacy: true, yurtdisi: true, cagri_kayit: true };
    await request.post(`${origin}/api/auth/register`, {
      data: { ...newcomer, phone: "+905321112233", password_confirmation: newcomer.password, consents },
    });
    const [welcome] = await mailsTo(newcomer.email);
    const token = /dsv_\w+/.exec(welcome?.text ?? "")?.[0];
    await request.post(`${origin}/api/auth/verify-email`, { data: { token } });
    await use(newcomer);
  },

  signIn: async ({ origin }, use) => {
    await use(async (page, email) => {
      const login = await page.request.post(`${origin}/api/auth/login`, {
        data: { email, password: "demo-password" },
      });
      const { token } = (await login.json()) as { token: string };
      const csrf = (await (await page.request.get(`${origin}/session/csrf`)).json()) as { csrfToken: string };
      await page.request.post(`${origin}/session/callback/token`, {
        form: { csrfToken: csrf.csrfToken, token, json: "true" },
      });
    });
  },
});

export { expect };

/** Expects no violation of WCAG 2.2 A and AA, or of best practice, on the current page. */
export async function expectAccessible(page: Page): Promise<void> {
  // While a page is being refreshed, it has no title for a moment.
  await expect(page).toHaveTitle(/\S/);
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
    .analyze();
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`),
  ).toEqual([]);
}

/** Expects the focus to have a place, even if what had it is gone: the keyboard goes on from near there. */
export async function expectFocusKept(page: Page): Promise<void> {
  await expect(page.getByRole("dialog").or(page.getByRole("alertdialog"))).toHaveCount(0);
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY");
}

/** Expects the page to fit the screen without sideways scrolling. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
  ).toBeLessThanOrEqual(0);
}
