"use client";

import { createTRPCClient, httpLink } from "@trpc/client";
import { monitoredFetch } from "@/components/ui/connectivity";
// biome-ignore lint/style/noRestrictedImports: a type-only import
import type { AppRouter } from "@/server/transports/trpc/root";

/** Calls procedures from signed-out pages, without the query cache of `client.ts`. */
export const publicCall = createTRPCClient<AppRouter>({
  links: [httpLink({ url: "/trpc", fetch: monitoredFetch })],
});
