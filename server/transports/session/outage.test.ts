import { expect, it } from "vitest";
import { openDatabase } from "@/server/infrastructure/database/client";
import { createToken } from "@/server/infrastructure/secrets/tokens";
import { sendHttp } from "@/server/testing/http";
import { startTestServer } from "@/server/testing/server";
import { toAppError } from "../render-error";
import { createAuthOptions } from "./options";
import type { SessionRequestState } from "./provider-sign-in";

const { port } = await startTestServer();

it("reports a database outage instead of an ended session", async () => {
  const state: SessionRequestState = { request: {} as SessionRequestState["request"] };
  const { jwt } = await createAuthOptions(state);
  const readSession = () => jwt?.decode?.({ token: createToken("dss"), secret: "" });
  expect(await readSession()).toBeNull();
  expect(state.failure).toBeUndefined();
  openDatabase("postgresql://nobody@127.0.0.1:1/nowhere");
  await expect(readSession()).rejects.toThrow();
  expect(toAppError(state.failure).code).toBe("busy");
});

it("answers 503 with Retry-After during an outage", async () => {
  openDatabase("postgresql://nobody@127.0.0.1:1/nowhere");
  const { status, headers } = await sendHttp(port, "GET", "/trpc/profile.me", {
    headers: { cookie: `session=${createToken("dss")}` },
  });
  expect(status).toBe(503);
  expect(headers["retry-after"]).toBe("2");
});
