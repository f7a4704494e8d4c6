"use client";

import { createTRPCClient, httpBatchLink, httpLink, splitLink, type TRPCLink } from "@trpc/client";
import { createTRPCNext } from "@trpc/next";
import type { ReactNode } from "react";
// biome-ignore lint/style/noRestrictedImports: the types of all operations, and nothing of their code
import type { AppRouter } from "@/server/transports/trpc/root";
import { accountHeader } from "./account";
import { watchedFetch } from "./connection";
import { resume } from "./resume";

const links: TRPCLink<AppRouter>[] = [
  resume,
  splitLink({
    // A request has one Idempotency-Key, so a call with one travels alone.
    condition: ({ context }) => context.idempotencyKey !== undefined,
    true: httpLink({
      url: "/trpc",
      fetch: watchedFetch,
      headers: ({ op }) => ({
        ...accountHeader(),
        "idempotency-key": String(op.context.idempotencyKey),
      }),
    }),
    false: httpBatchLink({ url: "/trpc", maxItems: 10, fetch: watchedFetch, headers: accountHeader }),
  }),
];

/**
 * Calls a procedure of the panel and keeps nothing: `.mutate({ body })`. For what a button or a form sends, because
 * `useAction` and forms keep whether it is still at it.
 */
export const call = createTRPCClient<AppRouter>({ links });

/** Hooks of the panel's procedures, for what a page shows. */
export const api = createTRPCNext<AppRouter>({
  config: () => ({
    links,
    queryClientConfig: {
      defaultOptions: {
        // Pages pass in their first data. A refusal is final and is not retried. Without a network a call fails at once:
        // by default it would wait, and be sent when nobody expects it any more.
        queries: {
          staleTime: 30_000,
          networkMode: "always",
          retry: (failures, error) => failures < 2 && !isResponse(error),
        },
        mutations: { retry: false, networkMode: "always" },
      },
    },
  }),
});

/** For a call that may be sent twice and must have one effect: what a form's `submit` gets. */
export const once = (idempotencyKey: string) => ({ context: { idempotencyKey } });

/** Whether the server responded, as opposed to a broken connection. */
function isResponse(error: unknown): boolean {
  return typeof (error as { data?: { httpStatus?: unknown } } | null)?.data?.httpStatus === "number";
}

type Provider = (props: { children?: ReactNode }) => ReactNode;

const Passthrough: Provider = ({ children }) => children;

/** Provides the hooks to everything below it. The package types it for the Pages Router; it works in both. */
export const ApiProvider = api.withTRPC(Passthrough as never) as unknown as Provider;
