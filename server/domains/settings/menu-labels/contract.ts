import * as z from "zod";
import { operation } from "@/server/core/contract";
import { mapOf, success } from "@/server/core/schema";

const Labels = z.record(z.string(), z.string());

const output = z.object({
  success,
  /** What the account itself has named. */
  menu_labels: Labels,
  /** What the account above it has named. */
  menu_labels_inherited: Labels,
  /** Both, its own before the other's. */
  menu_labels_effective: Labels,
});

/** Any object: a record schema would drop a key such as `__proto__`, where the contract wants it refused. */
const LabelChanges = z
  .custom<Record<string, unknown>>(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    { error: "validation.object" },
  )
  .meta({ type: "object", additionalProperties: { type: ["string", "null"] }, maxProperties: 100 });

export const getMenuLabels = operation({
  id: "getMenuLabels",
  method: "GET",
  path: "/api/user/menu-labels",
  tag: "Menu labels",
  summary: "The account's own names of menu entries",
  access: "token",
  status: 200,
  output,
});

export const putMenuLabels = operation({
  id: "putMenuLabels",
  method: "PUT",
  path: "/api/user/menu-labels",
  tag: "Menu labels",
  summary: "Name menu entries",
  description:
    "Contract 4.9. Keys that are not sent stay as they are, an empty text or null deletes. Tags and control characters are taken out, a label is cut at 40 characters. A sub-user inherits what its parent, or the owner of its site, has named.",
  access: "token",
  ability: "profile:write",
  body: z.object({ menu_labels: mapOf(LabelChanges) }),
  status: 200,
  output,
});
