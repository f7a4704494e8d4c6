import { randomUUID } from "node:crypto";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { clientAddress } from "../request-origin";
import { checkSameOrigin, panelContext, retryHeaders } from "./init";
import { MAX_BATCH, procedurePath } from "./node";
import { appRouter } from "./root";

export function trpcRoute(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const isDecodable = procedurePath(pathname) === pathname;
  return fetchRequestHandler({
    endpoint: "/trpc",
    req: isDecodable ? request : new Request(new URL("/trpc/-", request.url), request),
    router: appRouter(),
    maxBatchSize: MAX_BATCH,
    responseMeta: retryHeaders,
    createContext: async ({ resHeaders, info }) => {
      const panel = {
        method: request.method,
        header: (name: string) => request.headers.get(name),
        ip: clientAddress(null, request.headers.get("x-forwarded-for")),
        requestId: randomUUID(),
        isBatch: info.isBatchCall,
      };
      checkSameOrigin(panel);
      return panelContext(panel, (cookie) => resHeaders.append("set-cookie", cookie));
    },
  });
}
