import { expect, it } from "vitest";
import { connectTo } from "@/server/infrastructure/database/client";
import { newToken } from "@/server/infrastructure/secrets/tokens";
import { send } from "@/server/testing/http";
import { testServer } from "@/server/testing/server";
import { toAppError } from "../render-error";
import { sessionOptions } from "./options";
import type { SessionRequest } from "./provider-sign-in";

const { port } = await testServer();

it("distinguishes an unreadable session from an ended one", async () => {
  const entry: SessionRequest = { request: {} as SessionRequest["request"] };
  const { jwt } = await sessionOptions(entry);
  const read = () => jwt?.decode?.({ token: newToken("dss"), secret: "" });
  expect(await read()).toBeNull();
  expect(entry.failure).toBeUndefined();
  connectTo("postgresql://nobody@127.0.0.1:1/nowhere");
  await expect(read()).rejects.toThrow();
  expect(toAppError(entry.failure).code).toBe("busy");
});

it("sends the panel a Retry-After", async () => {
  connectTo("postgresql://nobody@127.0.0.1:1/nowhere");
  const { status, headers } = await send(port, "GET", "/trpc/profile.me", {
    headers: { cookie: `session=${newToken("dss")}` },
  });
  expect(status).toBe(503);
  expect(headers["retry-after"]).toBe("2");
});
