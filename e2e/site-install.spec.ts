import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { ARABIC_PHONE, expect, expectAccessible, expectNoSidewaysScroll, open, test } from "./fixtures";
import type { ServerProcess } from "./server-process";
import type { Translator } from "./translator";

interface NewSite {
  id: number;
  key: string;
}

async function createSite(server: ServerProcess, domain: string): Promise<NewSite> {
  const { status, body } = await server.call("POST", "/api/sites", {
    token: await server.signIn("reseller@example.com"),
    body: {
      name: "Çiçekçi",
      domain,
      bot_name: "Ada",
      welcome_message: "<b>Merhaba</b> & hoş geldiniz",
      widget_color: "#0F766E",
      widget_position: "bottom-left",
      confirm_pay_per_site: true,
    },
  });
  expect(status).toBe(201);
  const { id, api_key: key } = body.site as { id: number; api_key: string };
  return { id, key };
}

/** Serves a page with the widget's script from a port of its own, under a strict content security policy. */
async function servePage(origin: string, key: string): Promise<{ url: string; server: Server }> {
  const policy = `default-src 'none'; script-src ${origin}; connect-src ${origin}; img-src data:`;
  const html = `<!doctype html><html lang="tr"><head><title>Mağaza</title>
    <script src="${origin}/dev/sandbox/widget.js" data-key="${key}" async></script>
    </head><body><main><h1>Mağaza</h1></main></body></html>`;
  const server = createServer((_, res) => {
    res.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-security-policy": policy });
    res.end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

test("a page with the script shows the widget, and the panel says where it was seen", {
  tag: "@main",
}, async ({ page, browser, server, origin, signIn, t }) => {
  const site = await createSite(server, "install.example.com");
  await signIn(page, "reseller@example.com");
  await open(page, `/sites/${site.id}?created=1`);
  const status = page.getByRole("main").getByRole("status");
  await expect(status).toContainText(t("sites.seen.never"));

  const shop = await servePage(origin, site.key);
  try {
    // The headers of other tests would need a preflight that the API refuses.
    const shopPage = await browser.newPage({ extraHTTPHeaders: {} });
    await shopPage.goto(shop.url);
    await checkWidget(shopPage, t);
    await expect(status).toContainText("127.0.0.1");
    await expect(status, "another host is a warning").toContainText("install.example.com");

    await server.sql(
      "update sites set domain = '127.0.0.1', last_seen_at = last_seen_at - interval '2 minutes' where id = $1",
      [site.id],
    );
    await shopPage.reload();
    await open(page, `/sites/${site.id}?tab=install`);
    await expect(status).toContainText("Görüldü: 127.0.0.1");
    await expectAccessible(page);

    await server.sql(
      "update sites set is_active = false, suspended_reason = 'owner', domain = 'install.example.com' where id = $1",
      [site.id],
    );
    await shopPage.reload();
    await expect(shopPage.getByRole("heading", { name: "Mağaza" })).toBeVisible();
    await expect(shopPage.getByRole("button", { name: t("widget.open") })).toHaveCount(0);
  } finally {
    shop.server.close();
  }
});

/** By keyboard only. */
async function checkWidget(page: Page, t: Translator): Promise<void> {
  const launcher = page.getByRole("button", { name: t("widget.open") });
  await expect(launcher).toBeVisible();
  expect(
    await page.evaluate(() => Object.keys(window).filter((name) => /tellal|widget/i.test(name))),
  ).toEqual([]);
  await page.keyboard.press("Tab");
  await expect(launcher).toBeFocused();
  await page.keyboard.press("Enter");
  const panel = page.getByRole("dialog", { name: "Ada" });
  await expect(panel.getByText("<b>Merhaba</b> & hoş geldiniz"), "texts are escaped").toBeVisible();
  await expect(panel.getByText(t("widget.demo"))).toBeVisible();
  const box = (await panel.boundingBox())!;
  expect(box.x, "bottom-left").toBeLessThan(40);
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await expect(launcher).toBeFocused();
}

for (const [name, options] of [
  ["Turkish", { viewport: { width: 390, height: 844 } }],
  ["Arabic", ARABIC_PHONE],
] as const)
  test.describe(`on a phone, in ${name}`, () => {
    test.use(options);

    test("the first page of a new site and the preview are accessible", async ({
      page,
      server,
      signIn,
      t,
    }) => {
      const site = await createSite(server, `${name.toLowerCase()}.install.example.com`);
      await signIn(page, "reseller@example.com");
      await open(page, `/sites/${site.id}?created=1`);
      for (const platform of ["WordPress", "Shopify", "Tag Manager", "HTML"]) {
        await page.getByRole("tab", { name: platform, exact: true }).click();
        await expect(page.getByText(site.key).first()).toBeVisible();
      }
      const previewLink = page.getByRole("link", { name: t("sites.previewLink.open") });
      expect(await previewLink.getAttribute("href")).toContain(`/preview/${site.key}`);
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);

      await page.context().clearCookies({ name: "session" });
      await open(page, `/preview/${site.key}`);
      await expect(page.getByRole("heading", { level: 1, name: "Çiçekçi" })).toBeVisible();
      await expect(page.locator("meta[name=robots]")).toHaveAttribute("content", /noindex/);
      await expect(page.getByText("<b>Merhaba</b> & hoş geldiniz")).toBeVisible();
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
      await page.getByRole("button", { name: t("widget.close") }).click();
      await expect(page.getByText("<b>Merhaba</b> & hoş geldiniz")).toHaveCount(0);
      await expectAccessible(page);
      const [seen] = await server.sql("select last_seen_at as at from sites where id = $1", [site.id]);
      expect(seen, "the preview is no visit").toEqual({ at: null });

      await server.sql("update sites set is_active = false, suspended_reason = 'owner' where id = $1", [
        site.id,
      ]);
      await open(page, `/preview/${site.key}`);
      await expect(page.getByRole("heading", { name: t("sites.previewPage.missing") })).toBeVisible();
      await expectAccessible(page);
    });
  });

test("the preview of a customer of a branded reseller does not name the platform", async ({
  page,
  server,
}) => {
  const [customer] = await server.sql<{ email: string; brand: string }>(
    `select u.email, b.product_name as brand from brands b join users u on u.reseller_id = b.user_id
      where b.product_name is not null and exists (select from sites s where s.user_id = u.id) limit 1`,
  );
  const site = await createSite(server, "branded.install.example.com");
  await server.sql("update sites set user_id = (select id from users where email = $2) where id = $1", [
    site.id,
    customer!.email,
  ]);
  await open(page, `/preview/${site.key}`);
  await expect(page.getByRole("heading", { level: 1, name: "Çiçekçi" })).toBeVisible();
  const html = await page.content();
  expect(html).toContain(customer!.brand);
  expect(html).not.toContain("Tellal");
});
