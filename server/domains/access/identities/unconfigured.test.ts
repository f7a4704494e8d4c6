import { expect, it } from "vitest";
import { startTestServer } from "@/server/testing/server";

const { post } = await startTestServer({
  env: {
    APP_MODE: "production",
    APP_URL: "https://panel.test",
    APP_SECRET: "a-secret-of-a-test-that-is-long-enough-0123456789",
  },
});

it.each(["google", "apple"])(
  "validates fields first, then returns 500 when %s is not configured",
  async (provider) => {
    const { status, json } = await post(`/api/auth/${provider}`, { id_token: "anything" });
    expect({ status, json }).toEqual({ status: 500, json: { success: false, error: expect.any(String) } });
    expect((await post(`/api/auth/${provider}`, {})).status).toBe(422);
  },
);
