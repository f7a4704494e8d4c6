import * as z from "zod";
import { operation } from "@/server/core/contract";
import { count, Done, line, message, pathId, recordId, success, timestamp } from "@/server/core/schema";
import { LISTS, NAME_MAX, QUERY_MAX, VIEWS_MAX } from "./policy";

const list = z.enum(LISTS).meta({ example: "users" });
const name = line({ max: NAME_MAX }).meta({ example: "Resellers without a second factor" });
/** Filters and order as the list's own query has them, without the page. */
const query = line({ max: QUERY_MAX }).meta({ example: "role=reseller&two_factor=false" });

/** Filters and an order of a list, under a name. */
const SavedView = z
  .object({
    id: recordId,
    list,
    name: z.string().meta({ example: "Resellers without a second factor" }),
    query: z.string().meta({ example: "role=reseller&two_factor=false" }),
    created_at: timestamp,
  })
  .meta({ id: "SavedView" });

const VIEWS = { tag: "Saved views", access: "token" } as const;
const WRITES = { ...VIEWS, ability: "profile:write" } as const;
const ONE = { record: "SavedView", params: z.object({ id: pathId }) } as const;

export const listViews = operation({
  id: "listViews",
  method: "GET",
  path: "/api/user/views",
  ...VIEWS,
  summary: "List the caller's saved views, those of one list if need be",
  description: "By their names. `data` repeats `views`.",
  query: z.object({ list: list.nullish() }),
  status: 200,
  output: z.object({ success, views: z.array(SavedView), data: z.array(SavedView), count }),
});

export const createView = operation({
  id: "createView",
  method: "POST",
  path: "/api/user/views",
  ...WRITES,
  summary: "Save a view of a list",
  description: `At most ${VIEWS_MAX} of a list; names are unique in it. A page number in \`query\` is left out, and filters are sorted.`,
  body: z.object({ list, name, query }),
  status: 201,
  output: z.object({ success, message, view: SavedView }),
  errors: ["views_full"],
});

export const renameView = operation({
  id: "renameView",
  method: "PUT",
  path: "/api/user/views/{id}",
  ...WRITES,
  ...ONE,
  summary: "Rename a saved view",
  body: z.object({ name }),
  status: 200,
  output: z.object({ success, message, view: SavedView }),
  errors: ["record_not_found"],
});

export const deleteView = operation({
  id: "deleteView",
  method: "DELETE",
  path: "/api/user/views/{id}",
  ...WRITES,
  ...ONE,
  summary: "Delete a saved view",
  status: 200,
  output: Done,
  errors: ["record_not_found"],
});
