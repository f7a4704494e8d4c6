import * as z from "zod";
import { operation } from "@/server/core/contract";
import { count, createdAt, Done, line, message, pathId, recordId, success } from "@/server/core/schema";
import { LISTS, NAME_MAX, QUERY_MAX, VIEWS_MAX } from "./policy";

const list = z.enum(LISTS).meta({ description: "List the view belongs to.", example: "users" });
const name = line({ max: NAME_MAX }).meta({ example: "Resellers without a second factor" });
/** Filters and order as the list's own query has them, without the page. */
const query = line({ max: QUERY_MAX }).meta({
  description: "Filters and order, as a URL query string.",
  example: "role=reseller&two_factor=false",
});

const SavedView = z
  .object({
    id: recordId,
    list,
    name: z.string().meta({ description: "Name of the view.", example: "Resellers without a second factor" }),
    query: z.string().meta({
      description: "Filters and order, as a URL query string.",
      example: "role=reseller&two_factor=false",
    }),
    created_at: createdAt,
  })
  .meta({ id: "SavedView", description: "A saved set of filters and order of a list." });

const VIEWS = { tag: "Saved views", access: "token" } as const;
const WRITES = { ...VIEWS, ability: "profile:write" } as const;
const ONE = { record: "SavedView", params: z.object({ id: pathId }) } as const;

export const listViews = operation({
  id: "listViews",
  method: "GET",
  path: "/api/user/views",
  ...VIEWS,
  summary: "List the caller's saved views",
  description: "Ordered by name. `data` repeats `views`.",
  query: z.object({ list: list.nullish().meta({ description: "Only views of this list." }) }),
  status: 200,
  output: z.object({
    success,
    views: z.array(SavedView).meta({ description: "Saved views, by name." }),
    data: z.array(SavedView).meta({ description: "Same as `views`." }),
    count,
  }),
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
  body: z.object({ name: name.meta({ description: "New name of the view." }) }),
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
