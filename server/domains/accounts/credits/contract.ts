import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { CSV_DOWNLOAD, listFilter, PageMeta, pageQuery } from "@/server/core/list";
import { byId, createdAt, recordId, textLine, timestamp } from "@/server/core/schema";
import { series, seriesQuery } from "@/server/core/series";

const MAX_ADJUSTMENT = 1_000_000;

const reason = f.oneOf(
  ["welcome", "usage", "admin_adjust", "refund"],
  "Why the balance changed. `welcome`: credits of a new account. `usage`: spent on services. `admin_adjust`: added or " +
    "deducted by an administrator. `refund`: credits returned.",
  "admin_adjust",
);
const credits = z.int().meta({ example: 1500 });

export const CreditEntry = f.namedObject("CreditEntry", "A change of the balance of credits.", {
  id: recordId,
  amount: f.integer("Number of credits; negative for a debit.", 500),
  balance: credits.meta({ description: "Balance after this entry." }),
  reason,
  actor: f.oneOf(
    ["system", "administrator"],
    "Author of the change: `system` (the platform) or an `administrator`.",
    "administrator",
  ),
  note: f.nullable(z.string(), "Note of the administrator; null if none.", "Credits of November"),
  created_at: createdAt,
});

const CreditFilter = listFilter({
  sorts: ["created_at"],
  filters: { reason: f.nullish(reason, "Only entries with this reason.") },
}).omit({
  q: true,
});

export const listCredits = operation({
  id: "listCredits",
  method: "GET",
  path: "/api/user/credits",
  tag: "Subscriptions",
  summary: "List the changes of the caller's credits",
  description:
    "`credits` is the current balance and does not depend on the filter. `sort` is `created_at` or `-created_at`; default: " +
    "`-created_at`, newest first.",
  access: "token",
  query: CreditFilter.extend(pageQuery.shape),
  output: f.success({
    credits: credits.meta({ description: "Current balance." }),
    data: f.list(CreditEntry, "Entries on this page."),
    meta: PageMeta,
  }),
});

const ADMIN_ACCESS = { tag: "Administration", access: "token", ability: "admin:*" } as const;

export const listUserCredits = operation({
  id: "listUserCredits",
  method: "GET",
  path: "/api/admin/users/{id}/credits",
  ...ADMIN_ACCESS,
  summary: "List the changes of an account's credits",
  description: "Lists what `listCredits` returns to that account, with the same filters.",
  ...byId("User"),
  query: CreditFilter.extend(pageQuery.shape),
  output: f.success({
    credits: credits.meta({ description: "Current balance." }),
    data: f.list(CreditEntry, "Entries on this page."),
    meta: PageMeta,
  }),
});

export const CREDIT_PERIODS = ["30d", "7d", "90d", "12m"] as const;

/** Days whose average use continues in the projection. */
export const PROJECTION_BASE_DAYS = 30;
/** Later ends are too uncertain to state. */
export const PROJECTION_DAYS_MAX = 730;

const creditSeriesParts = {
  query: seriesQuery({ periods: CREDIT_PERIODS }),
  output: f.success({
    data: series(
      "CreditSeries",
      "An account's credits over time.",
      {
        balance: "balance at the end of the interval.",
        used: "credits spent on services, as a positive number.",
        added: "credits of the sign-up, added by an administrator or returned.",
        deducted: "credits that an administrator deducted, as a positive number.",
      },
      {
        projection: f.nullable(
          z.object({
            daily_use: z
              .number()
              .meta({ description: "Average number of credits used per day.", example: 152.5 }),
            ends_at: timestamp.meta({
              description: "When the balance will be zero.",
              example: "2028-01-12T09:30:00.000000Z",
            }),
          }),
          `Continues the average use of the last ${PROJECTION_BASE_DAYS} days, or since the account's first entry if that is later, ` +
            "without further credits. Null if nothing was used, the balance is zero or lasts for more than two years.",
        ),
      },
    ),
  }),
};

export const getCreditSeries = operation({
  id: "getCreditSeries",
  method: "GET",
  path: "/api/user/credits/series",
  tag: "Subscriptions",
  summary: "Get the caller's credits over time",
  description:
    "Adds up the entries of `GET /api/user/credits` by the time at which they were made. All entries are kept.",
  access: "token",
  ...creditSeriesParts,
});

export const getUserCreditSeries = operation({
  id: "getUserCreditSeries",
  method: "GET",
  path: "/api/admin/users/{id}/credits/series",
  ...ADMIN_ACCESS,
  summary: "Get an account's credits over time",
  description:
    "Returns what `getCreditSeries` returns to that account, in the administrator's time zone by default.",
  ...byId("User"),
  ...creditSeriesParts,
});

export const USAGE_PERIODS = ["12m"] as const;

export const getUsageSeries = operation({
  id: "getUsageSeries",
  method: "GET",
  path: "/api/user/usage/series",
  tag: "Subscriptions",
  summary: "Get the caller's usage over time",
  description:
    "Usage is counted by calendar month in UTC, so the only interval is `month`: a stored month is one interval in every time " +
    "zone. With `from` and `to`, a month counts if its first day is within the period. All months are kept.",
  access: "token",
  query: seriesQuery({ periods: USAGE_PERIODS, intervals: ["month"] }),
  output: f.success({
    data: series("UsageSeries", "An account's usage by month.", {
      messages_sent: "messages sent.",
      ai_calls: "calls of AI models.",
      voice_minutes: "minutes of voice calls.",
    }),
  }),
});

export const downloadCredits = operation({
  id: "downloadCredits",
  path: "/api/user/credits.csv",
  tag: "Subscriptions",
  summary: "Download the changes of the caller's credits as a CSV file",
  description: "Contains all matching entries, with the filter and order of `listCredits`.",
  access: "token",
  viewAs: false,
  query: CreditFilter,
  ...CSV_DOWNLOAD,
});

export const adjustCredits = operation({
  id: "adjustCredits",
  method: "POST",
  path: "/api/admin/users/{id}/credits",
  ...ADMIN_ACCESS,
  summary: "Add or deduct credits of an account",
  description:
    "Needs a recent proof of identity. The account's owner gets an email with the amount, the note and the new balance. " +
    "A deduction that exceeds the balance is refused with `credits_too_low`.",
  ...byId("User"),
  limit: { points: 60, per: 3600, by: "account" },
  body: z.object({
    amount: z
      .int()
      .min(-MAX_ADJUSTMENT)
      .max(MAX_ADJUSTMENT)
      .refine((amount) => amount !== 0, { error: "validation.not_zero" })
      .meta({ description: "Credits to add; negative to deduct. Not zero.", example: 500 }),
    note: textLine({ min: 3, max: 200 }).meta({
      description: "Reason, shown to the owner and in the email.",
      example: "Credits of November",
    }),
  }),
  status: 201,
  output: f.success({
    entry: CreditEntry,
    credits: credits.meta({ description: "Balance after the change." }),
  }),
  errors: ["identity_unproven", "credits_too_low"],
});
