import * as z from "zod";
import { operation } from "@/server/core/contract";
import { recordId, SiteLine, searchLine, success } from "@/server/core/schema";
import { MediaFile } from "@/server/domains/sites/media/contract";
import { SEARCH_MAX, SEARCH_MIN } from "./policy";

const Person = z.object({
  id: recordId,
  name: z.string().meta({ example: "Ayşe Kaya" }),
  email: z.string().meta({ example: "ayse@example.com" }),
});

export const search = operation({
  id: "search",
  method: "GET",
  path: "/api/search",
  tag: "Search",
  summary: "Find sites, people, files and snippets at once",
  description:
    "The five newest of each kind that have all words of `q`; İ, I, ı and i are one letter, case and marks do not " +
    "count. Words of two letters find the beginnings of words. What the caller cannot list is empty: `customers` " +
    "is for resellers who have signed the agreement (ability `reseller:read`), `users` for administrators (`admin:*`).",
  access: "token",
  query: z.object({ q: searchLine({ min: SEARCH_MIN, max: SEARCH_MAX }).meta({ example: "kahve" }) }),
  status: 200,
  output: z.object({
    success,
    sites: z.array(SiteLine),
    customers: z.array(Person),
    users: z.array(Person),
    media: z.array(MediaFile.pick({ id: true, name: true, kind: true }).meta({ id: "FoundFile" })),
    snippets: z.array(z.object({ id: recordId, title: z.string().meta({ example: "Hoş geldiniz" }) })),
  }),
});
