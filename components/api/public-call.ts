"use client";

import { createTRPCClient, httpLink } from "@trpc/client";
// biome-ignore lint/style/noRestrictedImports: a type-only import
import type { AppRouter } from "@/server/transports/trpc/root";
import { monitoredFetch } from "./connectivity";

/** Calls procedures from signed-out pages, without the query cache of `client.ts`. */
export const publicCall = createTRPCClient<AppRouter>({
  links: [httpLink({ url: "/trpc", fetch: monitoredFetch })],
});
