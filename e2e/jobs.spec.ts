import { expect, expectAccessible, expectPage, open, test } from "./fixtures";

test("an administrator retries a failed job and gives it up again", { tag: "@main" }, async ({
  page,
  server,
  signIn,
  t,
}) => {
  // An unknown task, so that no worker takes it.
  const task = "retired";
  const [job] = await server.sql<{ id: string }>("select id::text from graphile_worker.add_job($1)", [task]);
  await server.sql(
    `update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'connect ECONNREFUSED'
          where id = $1`,
    [job!.id],
  );
  await signIn(page, "admin@example.com");
  await open(page, "/dashboard");
  await page
    .getByRole("link", { name: t("navigation.jobs"), exact: true })
    .first()
    .click();
  await expectPage(page, /\/admin\/jobs$/);
  const failedJobs = page.getByRole("list", { name: t("jobs.failed.title") });
  await expect(failedJobs.getByText(t("jobs.kinds.jobs"), { exact: true })).toBeVisible();
  await page.getByRole("searchbox", { name: t("jobs.search") }).fill(task);
  await expect(page.getByRole("status").getByText(t("jobs.found", { count: 1 }))).toBeVisible();

  const table = page.getByRole("table", { name: t("jobs.title"), exact: true });
  await expect(table.getByText(t("jobs.state.given_up"), { exact: true })).toBeVisible();
  await table.getByRole("button", { name: new RegExp(task) }).click();
  await expect(page.getByText(t("responses.job_retried")).first()).toBeVisible();
  await expect(table.getByText(t("jobs.state.retrying"), { exact: true })).toBeVisible();

  await table.getByRole("button", { name: new RegExp(t("jobs.giveUp")) }).click();
  const confirmDialog = page.getByRole("alertdialog");
  await expectAccessible(page);
  await confirmDialog.getByRole("button", { name: t("jobs.giveUpConfirm"), exact: true }).click();
  await expect(table.getByText(t("jobs.state.given_up"), { exact: true })).toBeVisible();

  await page.getByRole("tab", { name: t("jobs.tabs.schedule"), exact: true }).click();
  await expectPage(page, /[?&]tab=schedule/);
  await expect(page.getByText(t("jobs.tasks.check_audit"), { exact: true })).toBeVisible();
  await expectAccessible(page);
});
