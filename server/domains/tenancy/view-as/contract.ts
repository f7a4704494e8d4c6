import * as z from "zod";
import { operation } from "@/server/core/contract";
import { count, expiry, id, line, message, recordId, success, timestamp } from "@/server/core/schema";
import { SUPPORT_PERIODS, VIEW_MINUTES } from "./policy";

const Person = z.object({
  id: recordId,
  name: z.string().meta({ description: "Name of the account.", example: "Ayşe Kaya" }),
});

const View = z
  .object({
    actor: Person.extend({
      role: z.enum(["reseller", "admin"]).meta({ description: "Role of the account.", example: "reseller" }),
    }).meta({ description: "Account that is viewing." }),
    target: Person.meta({ description: "Account that is viewed." }),
    expires_at: expiry,
  })
  .meta({ id: "ViewAs", description: "A view of another account's panel." });

export const getView = operation({
  id: "getView",
  method: "GET",
  path: "/api/view-as",
  tag: "View as",
  summary: "Get the current view of another account's panel",
  description: "Null when the caller sees their own account, which includes every bearer token.",
  access: "token",
  withoutFactor: true,
  output: z.object({ success, view: View.nullable().meta({ description: "Current view; null if none." }) }),
});

export const startView = operation({
  id: "startView",
  method: "POST",
  path: "/api/view-as",
  tag: "View as",
  summary: "View the panel as another account",
  description:
    "Administrators can view every account except administrators; resellers can view their customers and those customers' " +
    "teams. From the panel only, with a fresh proof of identity, and while that person allows it under privacy. A view is " +
    "read-only. Security, keys, consents, billing details, data copies and account deletion are hidden, and e-mail " +
    "addresses and phone numbers of third persons are masked. The person sees every visit and gets at most one mail in 24 " +
    "hours.",
  access: "token",
  ability: "*",
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
  output: z.object({ success, message, view: View }),
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
  description: "Also acknowledges a view that has expired. Without a view nothing happens.",
  access: "token",
  withoutFactor: true,
  ability: null,
  viewAs: "self",
  output: z.object({
    success,
    message,
    user_id: recordId
      .nullable()
      .meta({ description: "ID of the account that was viewed; null without a view." }),
  }),
});

const Access = z
  .object({
    until: expiry
      .nullable()
      .meta({ description: "End of the permission to view the panel; null if not given." }),
    visits: z
      .array(
        z.object({
          id: recordId,
          name: z.string().nullable().meta({
            description: "Name of the visitor; null once that account is deleted.",
            example: "Selin Arslan",
          }),
          role: z
            .enum(["reseller", "admin"])
            .nullable()
            .meta({ description: "Role of the visitor; null if unknown.", example: "reseller" }),
          reason: z.string().meta({
            description: "Reason given by the visitor.",
            example: "Asked why the widget does not open",
          }),
          started_at: timestamp.meta({ description: "When the visit started." }),
          ended_at: timestamp.meta({ description: "When the visit ended or will end at the latest." }),
          running: z.boolean().meta({ description: "True while the visit lasts." }),
          steps: z
            .array(
              z.object({
                operation: z
                  .string()
                  .meta({ description: "Operation as in `/api/openapi.json`.", example: "listSites" }),
                calls: count.meta({ description: "Number of calls." }),
                last_at: timestamp.meta({ description: "When the last call was made." }),
              }),
            )
            .meta({ description: "Operations that were viewed, in the order of their first call." }),
        }),
      )
      .meta({ description: "Latest visits." }),
  })
  .meta({ id: "SupportAccess", description: "Permission to view the panel, and visits." });

export const getSupportAccess = operation({
  id: "getSupportAccess",
  method: "GET",
  path: "/api/profile/support-access",
  tag: "View as",
  summary: "Get who may view the account's panel and who did",
  access: "token",
  ability: "*",
  viewAs: false,
  output: z.object({ success, support_access: Access }),
});

export const putSupportAccess = operation({
  id: "putSupportAccess",
  method: "PUT",
  path: "/api/profile/support-access",
  tag: "View as",
  summary: "Allow or forbid others to view the account's panel",
  description:
    "For the account's reseller and the platform's administrators. Without `until` the permission ends, and a current " +
    "visit ends with its next request.",
  access: "token",
  ability: "*",
  viewAs: false,
  body: z.object({
    until: z
      .enum(SUPPORT_PERIODS)
      .nullish()
      .meta({ description: "Period in which others may view the panel; null to forbid it.", example: "7d" }),
  }),
  output: z.object({ success, message, support_access: Access }),
});
