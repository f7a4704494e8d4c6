import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { expiry, recordId, timestamp } from "@/server/core/schema";

const plan = f.text("Name of the plan that the trial is of.", "Starter");
const slots = f.integer("Number of sites that the trial covers.", 1);

const OPERATION = { tag: "Subscriptions", access: "token", path: "/api/billing/trial" } as const;

export const getTrial = operation({
  id: "getTrial",
  method: "GET",
  ...OPERATION,
  summary: "Get the trial that the account can start",
  description: "Agents get 403 (`billing_of_owner`), administrators 403.",
  output: f.success({
    trial: f.namedObject("TrialOffer", "The free trial as it is offered now.", {
      is_available: f.boolean("True when the account can start the trial."),
      refusal: f.nullable(
        z.enum(["not_offered", "used", "had_plan", "unverified"]),
        "Why it cannot: `not_offered`: there are no trials. `used`: the account has had its trial. `had_plan`: it has " +
          "or had a plan. `unverified`: its email address is not verified. Null if it can.",
        null,
      ),
      days: f.integer("Length of the trial in days; 0 when there are no trials.", 14),
      site_slots: slots,
      plan: f.nullable(
        z.object({ id: recordId, name: plan }),
        "The plan that the trial is of; null when no plan is offered.",
      ),
    }),
  }),
  errors: ["billing_of_owner"],
});

export const startTrial = operation({
  id: "startTrial",
  method: "POST",
  ...OPERATION,
  ability: "*",
  summary: "Start the free trial",
  description:
    "Once per account, for accounts that never had a plan and have a verified address (`email_needs_verification`). The trial is a subscription " +
    "without price and credits: it sends the same notices, and its sites are suspended a week after its end unless " +
    "another plan has room for them. Nothing is deleted. Activating a paid plan ends the trial and takes over its sites; the paid time starts " +
    "where the trial would have ended.",
  limit: { points: 60, per: 3600, by: "account" },
  status: 201,
  output: f.changeOutput({
    subscription: f.namedObject("Trial", "The trial that was started.", {
      id: recordId,
      plan,
      site_slots: slots,
      starts_at: timestamp.meta({ description: "When it started." }),
      ends_at: expiry.meta({ description: "When it ends." }),
    }),
  }),
  errors: [
    "billing_of_owner",
    "email_needs_verification",
    "trial_not_offered",
    "trial_used",
    "trial_had_plan",
    "trial_refused",
  ],
});
