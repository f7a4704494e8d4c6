import { Agent, type IncomingMessage, request, type ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import pLimit from "p-limit";
import { refuse } from "@/server/core/errors";
import { SECOND } from "@/server/core/time";
import { isFile } from "./files";
import type { Pages } from "./serve";

/** Headers that are about one connection, and not about the response. */
const OF_THE_CONNECTION = ["connection", "keep-alive", "transfer-encoding"];

/** How long a page may take to begin: on an overloaded machine, people are rather told. */
const PATIENCE = 30 * SECOND;

/**
 * Pages that are begun at once. One thread makes them: with more, each takes its memory for longer, and of 500 that are
 * asked for in one moment a third fewer come in time.
 */
const BEGUN = 16;
/** What waits for somebody else: a provider's answer. */
const UNLINED = "/session/";

/**
 * Hands requests to the server at a local socket, which keeps its connections open. Pages are begun in the order in which
 * they were asked for. Throws `busy` when the server goes away before it responds, or does not respond in time.
 */
export function forwardTo(socketPath: string, patience = PATIENCE): Pages {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 32 });
  const line = pLimit(BEGUN);
  return async (req, res) => {
    const until = performance.now() + patience;
    const ask = async () => {
      if (!res.destroyed) return send(req, res, { agent, socketPath, patience: until - performance.now() });
    };
    const lined = !isFile(req.url) && !req.url?.startsWith(UNLINED);
    const response = await (lined ? line(ask) : ask()).catch((cause: Error) => {
      throw refuse("busy", { retryAfter: 2, cause });
    });
    if (!response) return;
    const headers = { ...response.headers };
    for (const name of OF_THE_CONNECTION) delete headers[name];
    res.writeHead(response.statusCode ?? 502, headers);
    // One of the two has gone away: the other end of the line must see it.
    await pipeline(response, res).catch(() => res.destroy());
  };
}

/** Whether what `forwardTo` threw says that nobody listened, so that the request has reached nothing. */
export function reachedNobody(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
  return code === "ECONNREFUSED" || code === "ENOENT";
}

/** Undefined when the client went away first. */
function send(
  req: IncomingMessage,
  res: ServerResponse,
  { patience, ...options }: { agent: Agent; socketPath: string; patience: number },
): Promise<IncomingMessage | undefined> {
  return new Promise((resolve, reject) => {
    const { method, url: path, headers } = req;
    const onward = request({ ...options, method, path, headers: onwardHeaders(headers) });
    const clock = setTimeout(() => onward.destroy(new Error("The page did not begin in time")), patience);
    const leave = () => {
      onward.destroy();
      settled();
      resolve(undefined);
    };
    const settled = () => {
      clearTimeout(clock);
      res.off("close", leave);
    };
    res.once("close", leave);
    onward.once("response", (response) => {
      settled();
      resolve(response);
    });
    onward.once("error", (cause) => {
      settled();
      reject(cause);
    });
    // Not before somebody listens: a body is read once, and the request may be sent again.
    onward.once("socket", (socket) => {
      if (socket.connecting) socket.once("connect", () => req.pipe(onward));
      else req.pipe(onward);
    });
  });
}

/** The body has been received, so that nobody waits to be told to go on. */
function onwardHeaders(headers: IncomingMessage["headers"]): IncomingMessage["headers"] {
  const { connection: _, upgrade: __, expect: ___, ...onward } = headers;
  return onward;
}
