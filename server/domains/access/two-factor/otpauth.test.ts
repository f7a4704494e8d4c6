import { expect, it } from "vitest";
import { makeUser } from "@/server/testing/factories";
import { startTestServer } from "@/server/testing/server";

const { post } = await startTestServer({ env: { APP_NAME: "Kaya: Kahve : Panel" } });

it("removes colons from the issuer, which separate it from the account", async () => {
  const { email } = await makeUser();
  const { token } = (await post("/api/auth/login", { email, password: "correct-horse" })).json;
  const { json } = await post("/api/profile/2fa/totp", undefined, { token });
  const url = new URL(json.otpauth_url);
  expect(decodeURIComponent(url.pathname).split("/").at(-1)).toBe(`Kaya Kahve Panel:${email}`);
  expect(url.searchParams.get("issuer")).toBe("Kaya Kahve Panel");
});
