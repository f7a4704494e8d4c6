import * as z from "zod";
import { operation } from "@/server/core/contract";
import { recordId, SiteLine, searchLine, success } from "@/server/core/schema";
import { MediaFile } from "@/server/domains/sites/media/contract";
import { SEARCH_MAX, SEARCH_MIN } from "./policy";

const Person = z.object({
  id: recordId,
  name: z.string().meta({ description: "Name of the person.", example: "Ayşe Kaya" }),
  email: z.string().meta({ description: "E-mail address of the person.", example: "ayse@example.com" }),
});

export const search = operation({
  id: "search",
  method: "GET",
  path: "/api/search",
  tag: "Search",
  summary: "Search sites, people, files and snippets",
  description:
    "The five newest of each kind that contain all words of `q`; İ, I, ı and i are the same letter, case and accents are " +
    "ignored. Words of two letters match the beginnings of words. Kinds that the caller cannot list are empty: " +
    "`customers` is for resellers who have signed the agreement (ability `reseller:read`), `users` for administrators " +
    "(`admin:*`).",
  access: "token",
  query: z.object({
    q: searchLine({ min: SEARCH_MIN, max: SEARCH_MAX }).meta({
      description: "Words to search for.",
      example: "kahve",
    }),
  }),
  status: 200,
  output: z.object({
    success,
    sites: z.array(SiteLine).meta({ description: "Matching sites." }),
    customers: z.array(Person).meta({ description: "Matching customers." }),
    users: z.array(Person).meta({ description: "Matching accounts." }),
    media: z
      .array(
        MediaFile.pick({ id: true, name: true, kind: true }).meta({
          id: "FoundFile",
          description: "A file that matches the search.",
        }),
      )
      .meta({ description: "Matching files." }),
    snippets: z
      .array(
        z.object({
          id: recordId,
          title: z.string().meta({ description: "Title of the snippet.", example: "Hoş geldiniz" }),
        }),
      )
      .meta({ description: "Matching snippets." }),
  }),
});
