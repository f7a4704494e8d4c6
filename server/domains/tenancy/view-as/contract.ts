import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { count, expiry, id, line, recordId, timestamp } from "@/server/core/schema";
import { SUPPORT_PERIODS, VIEW_MINUTES } from "./policy";

const Person = z.object({
  id: recordId,
  name: f.text("Name of the account.", "Ayşe Kaya"),
});

const View = f.named("ViewAs", "A view of another account's panel.", {
  actor: Person.extend({
    role: f.oneOf(["reseller", "admin"], "Role of the account.", "reseller"),
  }).meta({ description: "Account that is viewing." }),
  target: Person.meta({ description: "Account that is viewed." }),
  expires_at: expiry,
});

export const getView = operation({
  id: "getView",
  method: "GET",
  path: "/api/view-as",
  tag: "View as",
  summary: "Get the current view of another account's panel",
  description: "Null when the caller sees their own account, which includes every bearer token.",
  access: "token",
  withoutFactor: true,
  output: f.success({ view: f.nullable(View, "Current view; null if none.") }),
});

const VIEWS = { tag: "View as", access: "token", ability: "*" } as const;

export const startView = operation({
  id: "startView",
  method: "POST",
  path: "/api/view-as",
  ...VIEWS,
  summary: "View the panel as another account",
  description:
    "Administrators can view every account except administrators; resellers can view their customers and those customers' " +
    "teams. From the panel only, with a fresh proof of identity, and while that person allows it under privacy. A view is " +
    "read-only. Security, keys, consents, billing details, data copies and account deletion are hidden, and e-mail " +
    "addresses and phone numbers of third persons are masked. The person sees every visit and gets at most one mail in 24 " +
    "hours.",
  viewAs: "self",
  limit: { points: 30, per: 3600, by: "account" },
  body: z.object({
    user_id: id.meta({ description: "ID of the account to view." }),
    reason: line({ min: 5, max: 200 }).meta({
      description: "Reason shown to the person and kept in the activity log.",
      example: "Asked why the widget does not open",
    }),
    minutes: z.literal(VIEW_MINUTES).meta({ description: "Length of the view in minutes.", example: 30 }),
  }),
  status: 201,
  output: f.changed({ view: View }),
  errors: [
    "agreement_unsigned",
    "identity_unproven",
    "record_not_found",
    "view_as_panel_only",
    "view_as_not_allowed",
    "view_as_running",
  ],
});

export const endView = operation({
  id: "endView",
  method: "DELETE",
  path: "/api/view-as",
  tag: "View as",
  summary: "End the view of another account",
  description:
    "For the panel's session: a bearer token never has a view. Also acknowledges a view that has expired. Without a view nothing happens.",
  access: "token",
  withoutFactor: true,
  ability: null,
  viewAs: "self",
  output: f.changed({
    user_id: f.nullable(recordId, "ID of the account that was viewed; null without a view."),
  }),
});

const Access = f.named("SupportAccess", "Permission to view the panel, and visits.", {
  until: f.nullable(expiry, "End of the permission to view the panel; null if not given."),
  visits: f.list(
    z.object({
      id: recordId,
      name: f.nullable(z.string(), "Name of the visitor; null once that account is deleted.", "Selin Arslan"),
      role: f.nullable(z.enum(["reseller", "admin"]), "Role of the visitor; null if unknown.", "reseller"),
      reason: f.text("Reason given by the visitor.", "Asked why the widget does not open"),
      started_at: timestamp.meta({ description: "When the visit started." }),
      ended_at: timestamp.meta({ description: "When the visit ended or will end at the latest." }),
      running: f.boolean("True while the visit lasts."),
      steps: f.list(
        z.object({
          operation: f.text("`operationId` of the operation in `/api/openapi.json`.", "listSites"),
          calls: count.meta({ description: "Number of calls." }),
          last_at: timestamp.meta({ description: "When the last call was made." }),
        }),
        "Operations that were viewed, in the order of their first call.",
      ),
    }),
    "Latest visits.",
  ),
});

export const getSupportAccess = operation({
  id: "getSupportAccess",
  method: "GET",
  path: "/api/profile/support-access",
  ...VIEWS,
  summary: "Get who may view the account's panel and who did",
  viewAs: false,
  output: f.success({ support_access: Access }),
});

export const putSupportAccess = operation({
  id: "putSupportAccess",
  method: "PUT",
  path: "/api/profile/support-access",
  ...VIEWS,
  summary: "Allow or forbid others to view the account's panel",
  description:
    "For the account's reseller and the platform's administrators. Without `until` the permission ends, and a current " +
    "visit ends with its next request.",
  viewAs: false,
  body: z.object({
    until: f.nullish(
      z.enum(SUPPORT_PERIODS),
      "How long others may view the panel, from now on; null or omitted to forbid it.",
      "7d",
    ),
  }),
  output: f.changed({ support_access: Access }),
});
