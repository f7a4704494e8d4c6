import { expect, it } from "vitest";
import { testServer } from "@/server/testing/server";

const { post } = await testServer({
  env: {
    APP_MODE: "production",
    APP_URL: "https://panel.test",
    APP_SECRET: "a-secret-of-a-test-that-is-long-enough-0123456789",
  },
});

it.each(["google", "apple"])(
  "returns 500 when %s is not configured, after the check of fields",
  async (name) => {
    const { status, json } = await post(`/api/auth/${name}`, { id_token: "anything" });
    expect({ status, json }).toEqual({ status: 500, json: { success: false, error: expect.any(String) } });
    expect((await post(`/api/auth/${name}`, {})).status).toBe(422);
  },
);
