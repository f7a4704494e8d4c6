import * as z from "zod";
import { operation } from "@/server/core/contract";
import { count, expiry, id, line, message, recordId, success, timestamp } from "@/server/core/schema";
import { SUPPORT_PERIODS, VIEW_MINUTES } from "./policy";

const Person = z.object({ id: recordId, name: z.string().meta({ example: "Ayşe Kaya" }) });

const View = z
  .object({
    /** Who looks. */
    actor: Person.extend({ role: z.enum(["reseller", "admin"]).meta({ example: "reseller" }) }),
    /** Whose panel it is. */
    target: Person,
    expires_at: expiry,
  })
  .meta({ id: "ViewAs" });

export const getView = operation({
  id: "getView",
  method: "GET",
  path: "/api/view-as",
  tag: "View as",
  summary: "Tell whether the panel shows somebody else’s account",
  description: "Null for everybody who looks at an account of their own, and so for every bearer token.",
  access: "token",
  withoutFactor: true,
  status: 200,
  output: z.object({ success, view: View.nullable() }),
});

export const startView = operation({
  id: "startView",
  method: "POST",
  path: "/api/view-as",
  tag: "View as",
  summary: "View the panel as somebody else",
  description:
    "Administrators view everybody but administrators; resellers their customers and those customers’ teams. From " +
    "the panel only, with a fresh proof of identity, and while that person allows it under privacy. The view reads and " +
    "changes nothing; security, keys, consents, invoicing details, copies and deletion of data are closed to it, and e-mail " +
    "addresses and telephones of third persons are masked. The person sees every visit, with at most one mail in 24 hours.",
  access: "token",
  ability: "*",
  viewAs: "self",
  limit: { points: 30, per: 3600, by: "account" },
  body: z.object({
    user_id: id,
    /** Shown to the person, and kept in the activity log. */
    reason: line({ min: 5, max: 200 }).meta({ example: "Asked why the widget does not open" }),
    minutes: z.literal(VIEW_MINUTES).meta({ example: 30 }),
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
  summary: "End the view",
  description: "Also tells that its end was seen, when it ended by itself. Without a view nothing happens.",
  access: "token",
  withoutFactor: true,
  ability: null,
  viewAs: "self",
  status: 200,
  output: z.object({
    success,
    message,
    /** Whom the view was of; null without a view. */
    user_id: recordId.nullable(),
  }),
});

const Access = z
  .object({
    /** Until when others may look; null when nobody may. */
    until: expiry.nullable(),
    /** The newest visits. */
    visits: z.array(
      z.object({
        id: recordId,
        /** Null once that account is deleted. */
        name: z.string().nullable().meta({ example: "Selin Arslan" }),
        role: z.enum(["reseller", "admin"]).nullable().meta({ example: "reseller" }),
        reason: z.string().meta({ example: "Asked why the widget does not open" }),
        started_at: timestamp,
        /** When it ended, or will at the latest. */
        ended_at: timestamp,
        running: z.boolean(),
        /** What was looked at: operations of the API, in the order of the first call. */
        steps: z.array(
          z.object({
            operation: z.string().meta({ example: "listSites" }),
            calls: count,
            last_at: timestamp,
          }),
        ),
      }),
    ),
  })
  .meta({ id: "SupportAccess" });

export const getSupportAccess = operation({
  id: "getSupportAccess",
  method: "GET",
  path: "/api/profile/support-access",
  tag: "View as",
  summary: "Get who may look at the account’s panel, and who did",
  access: "token",
  ability: "*",
  viewAs: false,
  status: 200,
  output: z.object({ success, support_access: Access }),
});

export const putSupportAccess = operation({
  id: "putSupportAccess",
  method: "PUT",
  path: "/api/profile/support-access",
  tag: "View as",
  summary: "Allow others to look at the account’s panel, or end that",
  description:
    "For the account’s reseller and the platform’s administrators. Without `until` nobody may look any more, and a visit " +
    "that is going on ends with its next request.",
  access: "token",
  ability: "*",
  viewAs: false,
  body: z.object({ until: z.enum(SUPPORT_PERIODS).meta({ example: "7d" }).nullish() }),
  status: 200,
  output: z.object({ success, message, support_access: Access }),
});
