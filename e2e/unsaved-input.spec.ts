import type { Locator, Page } from "@playwright/test";
import { expect, expectAccessible, open, test } from "./fixtures";
import type { Translator } from "./translator";

interface FormPage {
  account: "customer" | "reseller" | "admin";
  path: string;
  /** The form is on the page under this name, or in a drawer behind this button. */
  form: (t: Translator) => { name: string } | { opener: string };
  /** Labels and what a user types. The first field is checked. */
  fields: (t: Translator, unique: string) => [label: string, text: string][];
  radio?: (t: Translator) => string;
  /** The form creates a record, which the page then lists. Others change one. */
  creates?: boolean;
}

const FORM_PAGES: FormPage[] = [
  {
    account: "customer",
    path: "/settings/profile",
    form: (t) => ({ name: t("settings.details.title") }),
    fields: (t, unique) => [[t("settings.details.name"), `Ayla ${unique}`]],
  },
  {
    account: "customer",
    path: "/settings/menu",
    form: (t) => ({ name: t("menuSettings.title") }),
    fields: (t, unique) => [[t("navigation.docs"), `Belge ${unique}`]],
  },
  {
    account: "customer",
    path: "/sites/1?tab=settings",
    form: (t) => ({ name: t("sites.tabs.settings") }),
    fields: (t, unique) => [[t("sites.form.name"), `Mağaza ${unique}`]],
  },
  {
    account: "customer",
    path: "/billing?tab=profile",
    form: (t) => ({ name: t("billing.profile.title") }),
    fields: (t, unique) => [[t("billing.profile.address"), `Liman Cd. ${unique}`]],
  },
  {
    account: "customer",
    path: "/snippets",
    form: (t) => ({ opener: t("snippets.create") }),
    fields: (t, unique) => [
      [t("snippets.name"), `Metin ${unique}`],
      [t("snippets.body"), "Merhaba"],
    ],
    creates: true,
  },
  {
    account: "customer",
    path: "/team",
    form: (t) => ({ opener: t("team.invite.open") }),
    fields: (t, unique) => [
      [t("team.invite.email"), `ekip.${unique}@example.com`],
      [t("team.invite.name"), "Efe Ak"],
    ],
    radio: (t) => t("team.invite.kinds.subUser"),
    creates: true,
  },
  {
    account: "reseller",
    path: "/reseller/branding",
    form: (t) => ({ name: t("branding.card") }),
    fields: (t, unique) => [[t("branding.name"), `Marka ${unique}`]],
  },
  {
    account: "reseller",
    path: "/reseller/customers/6?tab=notes",
    form: (t) => ({ name: t("customers.notes.label") }),
    fields: (t, unique) => [[t("customers.notes.label"), `Not ${unique}`]],
    creates: true,
  },
  {
    account: "reseller",
    path: "/reseller/customers?tab=invitations",
    form: (t) => ({ opener: t("customers.invite.open") }),
    fields: (t, unique) => [
      [t("team.invite.email"), `yeni.${unique}@example.com`],
      [t("team.invite.name"), "Ece Su"],
    ],
    creates: true,
  },
  {
    account: "admin",
    path: "/admin/settings",
    form: (t) => ({ name: t("platformSettings.bank.title") }),
    fields: (t, unique) => [
      [t("platformSettings.bank.bank"), `Banka ${unique}`],
      [t("platformSettings.bank.holder"), "Tellal A.Ş."],
      [t("platformSettings.bank.iban"), "TR330006100519786457841326"],
    ],
  },
];

/** A form in one tab. */
class TypedForm {
  private fields: ReturnType<FormPage["fields"]> = [];
  private initialText: string | undefined;

  constructor(
    readonly page: Page,
    private readonly formPage: FormPage,
    private readonly t: Translator,
  ) {}

  /** Opens the page and its form, and types into it. */
  async type(unique: string): Promise<void> {
    await this.load();
    this.fields = this.formPage.fields(this.t, unique);
    if (!this.formPage.creates) this.initialText ??= await this.firstField.inputValue();
    for (const [label, text] of this.fields) await this.getField(label).fill(text);
    if (this.formPage.radio)
      await this.form.getByRole("radio", { name: this.formPage.radio(this.t) }).check();
  }

  /** Saves the text of the demo data again, on which other tests depend. An empty form stays filled. */
  async restore(): Promise<void> {
    if (!this.initialText) return;
    await this.load();
    await this.firstField.fill(this.initialText);
    await this.save();
    await this.expectValue(this.initialText);
  }

  private async load(): Promise<void> {
    await open(this.page, this.formPage.path);
    const form = this.formPage.form(this.t);
    if ("opener" in form) await this.page.getByRole("button", { name: form.opener, exact: true }).click();
    await expect(this.form).toBeVisible();
  }

  get form(): Locator {
    const form = this.formPage.form(this.t);
    return "opener" in form
      ? this.page.getByRole("dialog").locator("form")
      : this.page.getByRole("form", { name: form.name, exact: true });
  }

  /** The accessible name may end with "optional". */
  private getField(label: string): Locator {
    return this.form.getByRole("textbox", { name: new RegExp(`^${label}( |$)`) });
  }

  private get firstField(): Locator {
    return this.getField(this.fields[0]![0]);
  }

  private get text(): string {
    return this.fields[0]![1];
  }

  expectKept(): Promise<void> {
    return expect(this.firstField, "typed text is kept").toHaveValue(this.text);
  }

  save(): Promise<void> {
    return this.form.locator("button[type=submit]").click();
  }

  /** Expects the text once, in the form or in the list, also after the page is opened again. */
  async expectSaved(): Promise<void> {
    const listedText = this.page.getByRole("main").getByText(this.text, { exact: true });
    if (this.formPage.creates) {
      await expect(listedText).toHaveCount(1);
      await open(this.page, this.formPage.path);
      await expect(listedText).toHaveCount(1);
    } else {
      await expect(this.form.getByRole("button", { name: this.t("ui.form.stale.keep") })).toHaveCount(0);
      await this.expectValue(this.text);
    }
  }

  private async expectValue(text: string): Promise<void> {
    await expect
      .poll(async () => {
        await this.load();
        return this.firstField.inputValue();
      })
      .toBe(text);
  }
}

const SLOW_NETWORK = {
  offline: false,
  latency: 600,
  downloadThroughput: 50_000,
  uploadThroughput: 50_000,
};
const FAST_NETWORK = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };

/** Answers as a newer build would: scripts of this one are gone, and pages have another build id. */
async function deployNewVersion(page: Page): Promise<void> {
  await page.route("**/_next/static/chunks/**", (route) => route.fulfill({ status: 404 }));
  await page.route(
    (url) => url.searchParams.has("_rsc"),
    async (route) => {
      const response = await route.fetch();
      await route.fulfill({
        response,
        headers: { ...response.headers(), "x-nextjs-deployment-id": "newer" },
      });
    },
  );
}

for (const formPage of FORM_PAGES) {
  test(`unsaved input survives on ${formPage.path}`, async ({ page, context, signIn, t }) => {
    let count = 0;
    const createUnique = () => `${Date.now().toString(36)}${count++}`;
    const form = new TypedForm(page, formPage, t);
    await signIn(page, `${formPage.account}@example.com`);

    await test.step("a lost connection", async () => {
      await form.type(createUnique());
      await context.setOffline(true);
      await form.save();
      await expect(form.form.getByText(t("ui.error.network"))).toBeVisible();
      await form.expectKept();
      await context.setOffline(false);
      await form.save();
      await form.expectSaved();
    });

    await test.step("a slow network and a second submit", async () => {
      await form.type(createUnique());
      const cdp = await context.newCDPSession(page);
      await cdp.send("Network.emulateNetworkConditions", SLOW_NETWORK);
      await form.save();
      await form.form.evaluate((element: HTMLFormElement) => element.requestSubmit());
      await cdp.send("Network.emulateNetworkConditions", FAST_NETWORK);
      await form.expectSaved();
      await cdp.detach();
    });

    await test.step("a new version", async () => {
      await form.type(createUnique());
      await deployNewVersion(page);
      const response = page.waitForResponse((each) => each.url().includes("/trpc/"));
      await form.save();
      expect((await response).ok()).toBe(true);
      await page.unrouteAll({ behavior: "wait" });
      await form.expectSaved();
    });

    await test.step("an expired session", async () => {
      await form.type(createUnique());
      await context.clearCookies({ name: "session" });
      await form.save();
      const dialog = page.getByRole("dialog", { name: t("shell.session.title") });
      await dialog.getByLabel(t("auth.signIn.password"), { exact: true }).fill("demo-password");
      await dialog.getByRole("button", { name: t("auth.signIn.submit"), exact: true }).click();
      await expect(dialog).toHaveCount(0);
      await form.expectSaved();
    });

    await test.step("a second tab", async () => {
      const otherForm = new TypedForm(await context.newPage(), formPage, t);
      await form.type(createUnique());
      await otherForm.type(createUnique());
      await otherForm.save();
      await otherForm.expectSaved();
      await otherForm.page.close();
      await form.expectKept();
      await form.save();
      if (!formPage.creates) {
        await form.expectKept();
        await form.form.getByRole("button", { name: t("ui.form.stale.keep") }).click();
      }
      await form.expectSaved();
    });

    await form.restore();
  });
}

test("a drawer that cannot load says why, leaves the page as it is, and opens when it can", {
  tag: "@main",
}, async ({ page, context, member, signIn, t }) => {
  await signIn(page, member.email, member.password);
  await open(page, "/snippets");
  const openDrawer = () => page.getByRole("button", { name: t("snippets.create"), exact: true }).click();
  const dialog = page.getByRole("dialog");

  await context.setOffline(true);
  await openDrawer();
  await expect(page.getByText(t("ui.error.offlineText"))).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("snippets.title"));
  await context.setOffline(false);
  await expect(dialog.getByLabel(t("snippets.name")), "without another click").toBeVisible();

  await open(page, "/snippets");
  await deployNewVersion(page);
  await openDrawer();
  await expect(page.getByText(t("ui.error.outdatedText"))).toBeVisible();
  await page.unrouteAll({ behavior: "wait" });
  await page.getByRole("button", { name: t("ui.error.reload") }).click();
  await page.waitForURL(/\/snippets$/);
  await openDrawer();
  await expect(dialog.getByLabel(t("snippets.name"))).toBeVisible();
});
