"use client";

import { createTRPCClient, httpBatchLink, httpLink, splitLink, type TRPCLink } from "@trpc/client";
import { createTRPCNext } from "@trpc/next";
import type { ReactNode } from "react";
import { monitoredFetch } from "@/components/ui/connectivity";
// biome-ignore lint/style/noRestrictedImports: a type-only import
import type { AppRouter } from "@/server/transports/trpc/root";
import { buildAccountHeader } from "./account-header";
import { resumeLink } from "./session-resume";

const links: TRPCLink<AppRouter>[] = [
  resumeLink,
  splitLink({
    // The Idempotency-Key is a request header, so a call with one cannot be batched.
    condition: ({ context }) => context.idempotencyKey !== undefined,
    true: httpLink({
      url: "/trpc",
      fetch: monitoredFetch,
      headers: ({ op }) => ({
        ...buildAccountHeader(),
        "idempotency-key": String(op.context.idempotencyKey),
      }),
    }),
    false: httpBatchLink({ url: "/trpc", maxItems: 10, fetch: monitoredFetch, headers: buildAccountHeader }),
  }),
];

/** Calls procedures from buttons and forms, which track the pending state themselves. */
export const call = createTRPCClient<AppRouter>({ links });

export const api = createTRPCNext<AppRouter>({
  config: () => ({
    links,
    queryClientConfig: {
      defaultOptions: {
        // Pages pass in their first data. Errors from the server are final. Offline calls fail immediately:
        // by default they would wait for the network and be sent unexpectedly late.
        queries: {
          staleTime: 30_000,
          networkMode: "always",
          retry: (failureCount, error) => failureCount < 2 && !isServerResponse(error),
        },
        mutations: { retry: false, networkMode: "always" },
      },
    },
  }),
});

/** Options for a call with an Idempotency-Key, which a form's `submit` receives. */
export const withIdempotencyKey = (idempotencyKey: string) => ({ context: { idempotencyKey } });

function isServerResponse(error: unknown): boolean {
  return typeof (error as { data?: { httpStatus?: unknown } } | null)?.data?.httpStatus === "number";
}

type Provider = (props: { children?: ReactNode }) => ReactNode;

const Passthrough: Provider = ({ children }) => children;

/** Provides the query hooks. The package types it for the Pages Router; it works in the App Router, too. */
export const ApiProvider = api.withTRPC(Passthrough as never) as unknown as Provider;
