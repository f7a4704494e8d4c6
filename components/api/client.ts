"use client";

import { httpBatchLink } from "@trpc/client";
import { createTRPCNext } from "@trpc/next";
import type { ReactNode } from "react";
import type { AppRouter } from "@/server/transports/trpc/root";

/** Hooks of the panel's procedures; one client style everywhere. */
export const api = createTRPCNext<AppRouter>({
  config: () => ({
    links: [httpBatchLink({ url: "/trpc", maxItems: 10 })],
    queryClientConfig: {
      defaultOptions: {
        // Pages bring their first view along; a refusal is an answer and is not asked for again.
        queries: { staleTime: 30_000, retry: (failures, error) => failures < 2 && !isResponse(error) },
        mutations: { retry: false },
      },
    },
  }),
});

/** Whether the server answered at all, as opposed to a connection that broke. */
function isResponse(error: unknown): boolean {
  return typeof (error as { data?: { httpStatus?: unknown } } | null)?.data?.httpStatus === "number";
}

type Provider = (props: { children?: ReactNode }) => ReactNode;

const Passthrough: Provider = ({ children }) => children;

/** Brings the hooks to everything below it. The package types it for the Pages Router; it works in both. */
export const ApiProvider = api.withTRPC(Passthrough as never) as unknown as Provider;
