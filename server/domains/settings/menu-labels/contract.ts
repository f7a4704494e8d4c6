import * as z from "zod";
import { operation } from "@/server/core/contract";
import { mapOf, success } from "@/server/core/schema";
import { EXPECTED_TEXT } from "@/server/core/stale";

const Labels = z.record(z.string(), z.string()).meta({ example: { sites: "Shops" } });

const output = z
  .object({
    success,
    /** The account's own labels. */
    menu_labels: Labels,
    /** Labels of the account above. */
    menu_labels_inherited: Labels.meta({ example: {} }),
    /** Both together; own labels win. */
    menu_labels_effective: Labels,
  })
  .meta({ id: "MenuLabels" });

/** Any object: a record schema would drop a key such as `__proto__`, where the contract wants it refused. */
const LabelChanges = z
  .custom<Record<string, unknown>>(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    { error: "validation.object" },
  )
  .meta({
    type: "object",
    additionalProperties: { type: ["string", "null"] },
    maxProperties: 100,
    example: { sites: "Shops", docs: null },
  });

export const getMenuLabels = operation({
  id: "getMenuLabels",
  method: "GET",
  path: "/api/user/menu-labels",
  tag: "Menu labels",
  summary: "Get the custom labels of the side menu",
  access: "token",
  withoutFactor: true,
  status: 200,
  output,
});

export const putMenuLabels = operation({
  id: "putMenuLabels",
  method: "PUT",
  path: "/api/user/menu-labels",
  tag: "Menu labels",
  summary: "Change custom labels of the side menu",
  description: `Keys that are not sent stay unchanged; an empty text or null deletes a label. Tags and control characters are removed; a label is cut to 40 characters. A sub-user inherits the labels of the parent account, an agent without a parent those of the site's owner. ${EXPECTED_TEXT} There it is a map of the own labels.`,
  access: "token",
  ability: "profile:write",
  body: z.object({ menu_labels: mapOf(LabelChanges), expected: mapOf(Labels).optional() }),
  status: 200,
  output,
  errors: ["stale"],
});
