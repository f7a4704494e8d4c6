import { randomUUID } from "node:crypto";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { getClientAddress } from "../request-origin";
import { buildRetryHeaders, createPanelContext, requireSameOrigin } from "./init";
import { MAX_BATCH_SIZE, toProcedurePath } from "./node";
import { getAppRouter } from "./root";

export function serveTrpcRoute(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const isDecodable = toProcedurePath(pathname) === pathname;
  return fetchRequestHandler({
    endpoint: "/trpc",
    req: isDecodable ? request : new Request(new URL("/trpc/-", request.url), request),
    router: getAppRouter(),
    maxBatchSize: MAX_BATCH_SIZE,
    responseMeta: buildRetryHeaders,
    createContext: async ({ resHeaders, info }) => {
      const panelRequest = {
        method: request.method,
        header: (name: string) => request.headers.get(name),
        ip: getClientAddress(null, request.headers.get("x-forwarded-for")),
        requestId: randomUUID(),
        isBatch: info.isBatchCall,
      };
      requireSameOrigin(panelRequest);
      return createPanelContext(panelRequest, (cookie) => resHeaders.append("set-cookie", cookie));
    },
  });
}
