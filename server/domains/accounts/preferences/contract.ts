import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { listOutput } from "@/server/core/list";
import { byId, createdAt, Done, line, mapOf, recordId, success } from "@/server/core/schema";
import { EXPECTED_TEXT } from "@/server/core/stale";
import { LISTS, NAME_MAX, QUERY_MAX, VIEWS_MAX } from "./policy";

const list = f.oneOf(LISTS, "List the view belongs to.", "users");
const name = line({ max: NAME_MAX }).meta({ example: "Resellers without a second factor" });
/** Filters and order as the list's own query has them, without the page. */
const query = line({ max: QUERY_MAX }).meta({
  description: "Filters and order, as a URL query string.",
  example: "role=reseller&two_factor=false",
});

const SavedView = f.named("SavedView", "A saved set of filters and order of a list.", {
  id: recordId,
  list,
  name: f.text("Name of the view.", "Resellers without a second factor"),
  query: f.text("Filters and order, as a URL query string.", "role=reseller&two_factor=false"),
  created_at: createdAt,
});

const VIEWS = { tag: "Saved views", access: "token" } as const;
const WRITES = { ...VIEWS, ability: "profile:write" } as const;
const ONE = byId("SavedView");

export const listViews = operation({
  id: "listViews",
  method: "GET",
  path: "/api/user/views",
  ...VIEWS,
  summary: "List the caller's saved views",
  description: "Ordered by name. `data` repeats `views`.",
  query: z.object({ list: f.nullish(list, "Only views of this list.") }),
  output: listOutput("views", SavedView, "Saved views, by name."),
});

export const createView = operation({
  id: "createView",
  method: "POST",
  path: "/api/user/views",
  ...WRITES,
  summary: "Save a view of a list",
  description: `At most ${VIEWS_MAX} per list; names are unique within a list. A page number in \`query\` is dropped, and filters are sorted.`,
  body: z.object({ list, name: name.meta({ description: "Name of the view." }), query }),
  status: 201,
  output: f.changed({ view: SavedView }),
  errors: ["views_full"],
});

export const renameView = operation({
  id: "renameView",
  method: "PUT",
  path: "/api/user/views/{id}",
  ...WRITES,
  ...ONE,
  summary: "Rename a saved view",
  body: z.object({ name: name.meta({ description: "New name of the view." }) }),
  output: f.changed({ view: SavedView }),
});

export const deleteView = operation({
  id: "deleteView",
  method: "DELETE",
  path: "/api/user/views/{id}",
  ...WRITES,
  ...ONE,
  summary: "Delete a saved view",
  output: Done,
});

const Labels = z.record(z.string(), z.string()).meta({ example: { sites: "Shops" } });

const output = f.named("MenuLabels", "Custom labels of the side menu.", {
  success,
  menu_labels: Labels.meta({ description: "Labels of the account." }),
  menu_labels_inherited: Labels.meta({
    description: "Labels inherited from the parent account.",
    example: {},
  }),
  menu_labels_effective: Labels.meta({
    description: "Labels in effect: the account's own, then the inherited ones.",
  }),
});

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
  output,
  errors: ["stale"],
});
