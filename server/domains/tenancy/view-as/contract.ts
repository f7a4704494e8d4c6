import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { count, expiry, id, recordId, textLine, timestamp } from "@/server/core/schema";
import { SUPPORT_PERIODS, VIEW_MINUTES } from "./policy";

const Person = z.object({
  id: recordId,
  name: f.text("Name of the account.", "Ayşe Kaya"),
});

const View = f.namedObject("ViewAs", "Read-only view of another account's panel (impersonation).", {
  actor: z
    .object({
      id: recordId.meta({ example: 3 }),
      name: f.text("Name of the account.", "Selin Arslan"),
      role: f.oneOf(["reseller", "admin"], "Role of the viewing account.", "reseller"),
    })
    .meta({ description: "Account that is viewing." }),
  target: Person.meta({ description: "Account that is viewed." }),
  expires_at: expiry.meta({ example: "2027-11-20T10:00:00.000000Z" }),
});

export const getView = operation({
  id: "getView",
  method: "GET",
  path: "/api/view-as",
  tag: "View as",
  summary: "Get the current view of another account's panel",
  description: "`view` is null if the session views no other account. For bearer tokens it is always null.",
  access: "token",
  isAllowedWithoutFactor: true,
  output: f.success({ view: f.nullable(View, "Current view; null if none.") }),
});

const VIEW_OPERATION = { tag: "View as", access: "token", ability: "*" } as const;

export const startView = operation({
  id: "startView",
  method: "POST",
  path: "/api/view-as",
  ...VIEW_OPERATION,
  summary: "View the panel as another account",
  description:
    "Administrators can view all accounts except those of administrators. Resellers can view their " +
    "customers and the customers' teams. Works only in a session of the panel and needs a recent proof of " +
    "identity. The account must permit it with `putSupportAccess`. The view is read-only. Security, keys, " +
    "consents, billing details, data exports and account deletion cannot be viewed. Email addresses and " +
    "phone numbers of other people are masked. The account's owner sees every visit, and is notified by " +
    "mail at most once in 24 hours. 403 `view_as_panel_only` for bearer tokens. 422 `view_as_not_allowed` " +
    "if the account does not permit it. 422 `view_as_running` if the session already views an account.",
  viewAs: "self",
  limit: { points: 30, per: 3600, by: "account" },
  body: z.object({
    user_id: id.meta({ description: "ID of the account to view." }),
    reason: textLine({ min: 5, max: 200 }).meta({
      description: "Reason, shown to the account's owner and kept in the audit log.",
      example: "Asked why the widget does not open",
    }),
    minutes: z
      .literal(VIEW_MINUTES)
      .meta({ description: "Length of the view in minutes: 15, 30 or 60.", example: 30 }),
  }),
  status: 201,
  output: f.changeOutput({ view: View }),
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
    "Also acknowledges a view that has expired. Until it is acknowledged, the session's other calls fail. " +
    "Changes nothing if there is no view, as for every bearer token.",
  access: "token",
  isAllowedWithoutFactor: true,
  ability: null,
  viewAs: "self",
  output: f.changeOutput({
    user_id: f.nullable(recordId, "ID of the account that was viewed; null if there was no view."),
  }),
});

const SupportAccess = f.namedObject(
  "SupportAccess",
  "Permission to view the account's panel, and the latest visits.",
  {
    until: f.nullable(
      expiry,
      "End of the permission to view the panel; null without a permission or after its end.",
    ),
    visits: f.list(
      z.object({
        id: recordId,
        name: f.nullable(z.string(), "Name of the viewing account; null once it is deleted.", "Selin Arslan"),
        role: f.nullable(
          z.enum(["reseller", "admin"]),
          "Role of the viewing account; null if unknown.",
          "reseller",
        ),
        reason: f.text("Reason given for the visit.", "Asked why the widget does not open"),
        started_at: timestamp.meta({ description: "When the visit started." }),
        ended_at: timestamp.meta({
          description: "When the visit ended. For a running visit, when it will end at the latest.",
          example: "2027-11-20T10:00:00.000000Z",
        }),
        running: f.boolean("True while the visit lasts.", false),
        steps: f.list(
          z.object({
            operation: f.text("`operationId` of the operation in `/api/openapi.json`.", "listSites"),
            calls: count.meta({ description: "Number of calls." }),
            last_at: timestamp.meta({
              description: "Time of the last call.",
              example: "2027-11-20T09:42:00.000000Z",
            }),
          }),
          "Operations called during the visit, in the order of their first call.",
        ),
      }),
      "Latest 50 visits, newest first.",
    ),
  },
);

export const getSupportAccess = operation({
  id: "getSupportAccess",
  method: "GET",
  path: "/api/profile/support-access",
  ...VIEW_OPERATION,
  summary: "Get the support permission and the latest visits",
  description:
    "A visit is a read-only view of the account's panel by its reseller or an administrator. Permit visits " +
    "with `PUT /api/profile/support-access`.",
  viewAs: false,
  output: f.success({ support_access: SupportAccess }),
});

export const putSupportAccess = operation({
  id: "putSupportAccess",
  method: "PUT",
  path: "/api/profile/support-access",
  ...VIEW_OPERATION,
  summary: "Permit or forbid viewing the account's panel",
  description:
    "Permits the account's reseller and the platform's administrators to view the panel. If `until` is " +
    "null or omitted, the permission ends immediately, and a running visit ends with its next request. 403 " +
    "for administrators, whose panels cannot be viewed.",
  viewAs: false,
  body: z.object({
    until: f.nullish(
      z.enum(SUPPORT_PERIODS),
      "Length of the permission from now on: 1, 7 or 30 days. Null or omitted to forbid viewing.",
      "7d",
    ),
  }),
  output: f.changeOutput({ support_access: SupportAccess }),
});
