"use client";

import { createTRPCClient, httpLink } from "@trpc/client";
// biome-ignore lint/style/noRestrictedImports: the types of all operations, and nothing of their code
import type { AppRouter } from "@/server/transports/trpc/root";
import { watchedFetch } from "./connection";

/**
 * Calls a procedure and keeps nothing, by its domain and name: `.mutate({ body })`. For the signed-out pages, which send
 * forms and show no lists, and need not load the cache that the hooks of `client.ts` have.
 */
export const publicCall = createTRPCClient<AppRouter>({
  links: [httpLink({ url: "/trpc", fetch: watchedFetch })],
});
