import * as z from "zod";
import { operation } from "@/server/core/contract";
import { mapOf, success } from "@/server/core/schema";
import { EXPECTED_TEXT } from "@/server/core/stale";

const Labels = z.record(z.string(), z.string()).meta({ example: { sites: "Shops" } });

const output = z
  .object({
    success,
    menu_labels: Labels.meta({ description: "Labels of the account." }),
    menu_labels_inherited: Labels.meta({
      description: "Labels inherited from the parent account.",
      example: {},
    }),
    menu_labels_effective: Labels.meta({
      description: "Labels in effect: the account's own, then the inherited ones.",
    }),
  })
  .meta({ id: "MenuLabels", description: "Custom labels of the side menu." });

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
  description: `Omitted keys stay unchanged; an empty text or null deletes a label. Tags and control characters are removed; a label is cut to 40 characters. A sub-user inherits the labels of the parent account, an agent without a parent those of the site's owner. ${EXPECTED_TEXT} Here it is a map of the account's own labels.`,
  access: "token",
  ability: "profile:write",
  body: z.object({
    menu_labels: mapOf(LabelChanges).meta({ description: "Labels by menu key; null deletes one." }),
    expected: mapOf(Labels)
      .optional()
      .meta({ description: "Values the caller last saw; 409 if one of them has changed." }),
  }),
  status: 200,
  output,
  errors: ["stale"],
});
