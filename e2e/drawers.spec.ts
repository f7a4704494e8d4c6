import { expect, open, test } from "./fixtures";

const DRAWERS = [
  { path: "/snippets", button: "snippets.create", field: "snippets.name" },
  { path: "/developers/webhooks", button: "webhooks.create.open", field: "webhooks.field.url" },
] as const;

for (const { path, button, field } of DRAWERS)
  test(`the drawer of ${path} focuses its first field`, async ({ page, signIn, t }) => {
    await signIn(page, "full@example.com");
    await open(page, path);
    await page.getByRole("button", { name: t(button), exact: true }).press("Enter");
    const drawer = page.getByRole("dialog");
    const firstField = drawer.getByLabel(t(field), { exact: true });
    await expect(firstField).toBeFocused();
  });
