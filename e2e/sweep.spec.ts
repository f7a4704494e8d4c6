import { readdirSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import { ARABIC_PHONE, expect, expectAccessible, expectNoSidewaysScroll, open, test } from "./fixtures";
import type { ServerProcess } from "./server-process";

/* Checks every page with its tabs and dialogs in Arabic, in both themes, on a phone and a wide screen. */

/** Empty: the route itself. A statement selects the id of the route, or of `query`. */
type Address = string | { idQuery: string; query?: string };

/** Addresses by account and route. */
const PAGES_BY_ACCOUNT: Record<string, Record<string, Address>> = {
  visitor: {
    "/sign-in": "",
    "/sign-up": "",
    "/forgot-password": "",
    "/reset-password": "",
    "/verify-email": "",
    "/accept-invitation": "",
    "/stop-factor-reset": "",
    "/undo-email-change": "",
    "/review-additions": "",
    "/view-as-over": "",
    "/legal/[key]": "/legal/terms",
    "/preview/[key]": "/preview/dsk_unknown",
    "/certificates/[id]": "/certificates/01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "/docs": "",
    "/docs/[chapter]": "/docs/webhooks",
    "/docs/guides/[guide]": "/docs/guides/webhooks",
  },
  "customer@example.com": {
    "/dashboard": "",
    "/sites": "",
    "/sites/new": "",
    "/sites/[id]": { idQuery: "select id from sites where domain = 'kayakahve.example.com'" },
    "/connections": "",
    "/connections/idle": "",
    "/connections/new": "",
    "/connections/[id]/reconnect": { idQuery: "select id from connections where label = '@kayakahve_bot'" },
    "/media": "",
    "/snippets": "",
    "/team": "",
    "/billing": "",
    "/billing/checkout": {
      idQuery: "select id from subscription_plans where slug = 'premium'",
      query: "?plan=",
    },
    "/billing/pay/[reference]": {
      idQuery:
        "select s.reference as id from subscriptions s join users u on u.id = s.user_id where u.email = 'customer@example.com' and s.status = 'active'",
    },
    "/developers/keys": "",
    "/developers/keys/sites": "",
    "/developers/webhooks": "",
    "/developers/webhooks/[id]": { idQuery: "select id from webhook_endpoints order by id limit 1" },
    "/developers/docs": "",
    "/developers/docs/[chapter]": "/developers/docs/sites",
    "/developers/docs/guides/[guide]": "/developers/docs/guides/webhooks",
    "/settings/profile": "",
    "/settings/security": "",
    "/settings/security/activity": "",
    "/settings/consents": "",
    "/settings/privacy": "",
    "/settings/mail": "",
    "/settings/menu": "",
    "/visit-closed": "",
    "/[...unknown]": "/no-such-page",
  },
  "reseller@example.com": {
    "/dashboard": "",
    "/billing": "",
    "/reseller/agreement": "",
    "/reseller/branding": "",
    "/reseller/customers": "",
    "/reseller/customers/[id]": { idQuery: "select id from users where email = 'customer1@example.com'" },
    "/reseller/customers/import": "",
    "/reseller/licences": "",
    "/reseller/mail": "",
    "/reseller/referral": "",
  },
  "agent@example.com": {
    "/sites/[id]": { idQuery: "select id from sites where domain = 'kayakahve.example.com'" },
  },
  "admin@example.com": {
    "/dashboard": "",
    "/setup/checks": "",
    "/admin/accounting": "",
    "/admin/accounting/[id]": { idQuery: "select id from accounting_documents order by id limit 1" },
    "/admin/audit": "",
    "/admin/gates": "",
    "/admin/health": "",
    "/admin/jobs": "",
    "/admin/legal-texts": "",
    "/admin/legal-texts/[key]": "/admin/legal-texts/terms",
    "/admin/licences": "",
    "/admin/mails": "",
    "/admin/mails/[id]": { idQuery: "select id from mail_messages order by id limit 1" },
    "/admin/payments": "",
    "/admin/payouts": "",
    "/admin/plans": "",
    "/admin/settings": "",
    "/admin/sign-ups": "",
    "/admin/subscriptions": "",
    "/admin/subscriptions/activate": "",
    "/admin/users": "",
    "/admin/users/[id]": { idQuery: "select id from users where email = 'customer1@example.com'" },
  },
};

/** Pages that redirect, and pages that need a state; the named test covers them in Arabic. */
const COVERED_ELSEWHERE: Record<string, string> = {
  "/": "leads to the dashboard or the sign-in page",
  "/consents-needed": "identity.spec.ts",
  "/connections/cleanups/[id]": "connections.spec.ts",
  "/setup": "process/production.spec.ts",
};

const PAGES_PER_TEST = 8;

const NARROW_VIEWPORT = { width: 360, height: 740 };

test.use({ ...ARABIC_PHONE, viewport: NARROW_VIEWPORT });

for (const [email, pages] of Object.entries(PAGES_BY_ACCOUNT)) {
  const entries = Object.entries(pages);
  for (let start = 0; start < entries.length; start += PAGES_PER_TEST) {
    const batch = entries.slice(start, start + PAGES_PER_TEST);
    const accountName = email.split("@")[0];
    test(`pages of ${accountName}, from ${batch[0]![0]}`, async ({ page, server, signIn, member }) => {
      test.slow();
      // Registering `member` sends a mail, which /admin/mails/[id] shows.
      expect(member.token).toBeTruthy();
      if (email !== "visitor") await signIn(page, email);
      for (const [route, address] of batch)
        await test.step(route, async () => checkPage(page, await resolveAddress(server, route, address)));
    });
  }
}

test("every page of the app is covered", { tag: "@main" }, () => {
  const coveredRoutes = [
    ...Object.values(PAGES_BY_ACCOUNT).flatMap(Object.keys),
    ...Object.keys(COVERED_ELSEWHERE),
  ];
  const routes = readdirSync("app", { recursive: true, encoding: "utf8" })
    .filter((file) => /(^|\/)page\.tsx$/.test(file))
    .map(
      (file) =>
        `/${file
          .split("/")
          .slice(0, -1)
          .filter((part) => !part.startsWith("("))
          .join("/")}`,
    );
  expect([...new Set(coveredRoutes)].sort()).toEqual(routes.sort());
});

test("folders of the panel redirect to their first page", async ({ page }) => {
  for (const [folder, firstPage] of [
    ["/admin", "/admin/users"],
    ["/reseller", "/reseller/customers"],
  ]) {
    const response = await page.request.get(folder!, { maxRedirects: 0 });
    expect([response.status(), response.headers().location]).toEqual([307, firstPage]);
  }
});

async function resolveAddress(server: ServerProcess, route: string, address: Address): Promise<string> {
  if (typeof address === "string") return address || route;
  const [row] = await server.sql<{ id: number | string }>(address.idQuery);
  const id = String(row!.id);
  return address.query ? `${route}${address.query}${id}` : route.replace(/\[\w+\]/, id);
}

async function checkPage(page: Page, address: string): Promise<void> {
  await page.setViewportSize(NARROW_VIEWPORT);
  await open(page, address);
  await expect(page, "no redirect").toHaveURL(new RegExp(`${address.replace("?", "\\?")}$`));
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await checkDialogs(page, page.getByRole("main"));
  await checkWideScreen(page);
  for (const tab of (await page.getByRole("main").getByRole("tab").all()).slice(1)) {
    await tab.click();
    await expect(tab).toHaveAttribute("aria-selected", "true");
    await expectAccessible(page, "main");
    await expectNoSidewaysScroll(page);
    await checkDialogs(page, page.getByRole("tabpanel"));
    await checkWideScreen(page);
  }
}

async function checkWideScreen(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 900 });
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(NARROW_VIEWPORT);
}

/** Opens drawers and dialogs by keyboard, in lists only the first; the focus moves in, stays and returns. */
async function checkDialogs(page: Page, scope: Locator): Promise<void> {
  const openers = scope
    // By CSS, because `aria-haspopup` has no role. Buttons with a time open hints.
    .locator("button[aria-haspopup=dialog]:not(:has(time), tr:not(:first-child) *, li:not(:first-child) *)");
  for (const opener of await openers.all()) {
    if (!(await opener.isVisible()) || !(await opener.isEnabled())) continue;
    await opener.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog").or(page.getByRole("alertdialog"));
    await expect(dialog.first()).toBeVisible();
    await expect.poll(() => isInside(dialog.first())).toBe(true);
    await expectAccessible(page, "[role=dialog], [role=alertdialog]");
    await expectNoSidewaysScroll(page);
    for (const key of ["Shift+Tab", "Shift+Tab", "Tab", "Tab", "Tab"]) {
      await page.keyboard.press(key);
      await expect.poll(() => isInside(dialog.first()), `${key} stays in it`).toBe(true);
    }
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await expect(opener).toBeFocused();
  }
}

function isInside(dialog: Locator): Promise<boolean> {
  return dialog.evaluate((element) => element.contains(document.activeElement));
}
