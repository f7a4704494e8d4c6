import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { listOutput } from "@/server/core/list";
import { byId, createdAt, Done, mapSchema, recordId, success, textLine } from "@/server/core/schema";
import { EXPECTED_DESCRIPTION } from "@/server/core/stale";
import { MAX_VIEW_NAME_LENGTH, MAX_VIEW_QUERY_LENGTH, MAX_VIEWS_PER_LIST, SAVED_VIEW_LISTS } from "./policy";

const list = f.oneOf(SAVED_VIEW_LISTS, "List of the panel that the view belongs to.", "sites");
const name = textLine({ max: MAX_VIEW_NAME_LENGTH }).meta({ example: "Suspended sites" });
const query = textLine({ max: MAX_VIEW_QUERY_LENGTH }).meta({
  description:
    "Filters and order, as a URL query string with the list's own parameters. Needs at least one parameter other than `page`.",
  example: "is_active=false&sort=name",
});

const SavedView = f.namedObject("SavedView", "A saved set of filters and order of a list.", {
  id: recordId,
  list,
  name: f.text("Name of the view.", "Suspended sites"),
  query: f.text("Filters and order, as a URL query string.", "is_active=false&sort=name"),
  created_at: createdAt,
});

const READ_ACCESS = { tag: "Saved views", access: "token" } as const;
const WRITE_ACCESS = { ...READ_ACCESS, ability: "profile:write" } as const;
const BY_ID = byId("SavedView");

export const listViews = operation({
  id: "listViews",
  method: "GET",
  path: "/api/user/views",
  ...READ_ACCESS,
  summary: "List the caller's saved views",
  description: "Ordered by list, then by name. `data` repeats `views`.",
  query: z.object({ list: f.nullish(list, "Only views of this list.") }),
  output: listOutput("views", SavedView, "Saved views, by list and name."),
});

export const createView = operation({
  id: "createView",
  method: "POST",
  path: "/api/user/views",
  ...WRITE_ACCESS,
  summary: "Save a view of a list",
  description: `An account can save ${MAX_VIEWS_PER_LIST} views per list; another one is refused with \`views_full\`. Names are unique within a list: for a taken name, the response is a field error of \`name\` (422). Several views may have the same filters. The parameters of \`query\` are sorted, and \`page\` and empty parameters are removed. Names of parameters are not checked, because lists ignore unknown parameters.`,
  body: z.object({ list, name: name.meta({ description: "Name of the view." }), query }),
  status: 201,
  output: f.changeOutput({ view: SavedView }),
  errors: ["views_full"],
});

export const renameView = operation({
  id: "renameView",
  method: "PUT",
  path: "/api/user/views/{id}",
  ...WRITE_ACCESS,
  ...BY_ID,
  summary: "Rename a saved view",
  description: "If another view of the list has this name, the response is a field error of `name` (422).",
  body: z.object({ name: name.meta({ description: "New name of the view." }) }),
  output: f.changeOutput({ view: SavedView }),
});

export const deleteView = operation({
  id: "deleteView",
  method: "DELETE",
  path: "/api/user/views/{id}",
  ...WRITE_ACCESS,
  ...BY_ID,
  summary: "Delete a saved view",
  output: Done,
});

const Labels = z.record(z.string(), z.string()).meta({ example: { sites: "Shops" } });

const labelsOutput = f.namedObject("MenuLabels", "Custom labels of the side menu.", {
  success,
  menu_labels: Labels.meta({ description: "Labels of the account." }),
  menu_labels_inherited: Labels.meta({
    description:
      "Labels inherited from the parent account, or from the owner of an agent's site. Nothing is inherited " +
      "from a reseller.",
    example: {},
  }),
  menu_labels_effective: Labels.meta({
    description: "Labels in effect: inherited ones, overridden by the account's own.",
  }),
});

/** Accepts any object: a record schema would drop a key such as `__proto__` instead of rejecting it. */
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
  description:
    "Keys are names of menu entries: a letter, then at most 40 letters, digits or `_`. Keys that the menu " +
    "does not have are stored, too. An account has at most 100 labels of at most 40 characters.",
  access: "token",
  isAllowedWithoutFactor: true,
  output: labelsOutput,
});

export const putMenuLabels = operation({
  id: "putMenuLabels",
  method: "PUT",
  path: "/api/user/menu-labels",
  tag: "Menu labels",
  summary: "Change custom labels of the side menu",
  description: `Omitted keys stay unchanged. An empty text or null deletes a label. Tags and control characters are removed, and a label is cut to 40 characters. A sub-user inherits the labels of the parent account. An agent without a parent account inherits the labels of the site's owner. ${EXPECTED_DESCRIPTION} In this call, \`expected\` is a map of the account's own labels.`,
  access: "token",
  ability: "profile:write",
  body: z.object({
    menu_labels: mapSchema(LabelChanges).meta({ description: "Labels by menu key; null deletes one." }),
    expected: mapSchema(Labels).optional().meta({
      description: "Labels that the caller last saw. The response is 409 if one of them has changed.",
    }),
  }),
  output: labelsOutput,
  errors: ["stale"],
});
