import { expect, it } from "vitest";
import { makeUser } from "@/server/testing/factories";
import { testServer } from "@/server/testing/server";

const { post } = await testServer({ env: { APP_NAME: "Kaya: Kahve : Panel" } });

it("separates issuer and account by the only colon of the URL", async () => {
  const { email } = await makeUser();
  const { token } = (await post("/api/auth/login", { email, password: "correct-horse" })).json;
  const { json } = await post("/api/profile/2fa/totp", undefined, { token });
  const url = new URL(json.otpauth_url);
  expect(decodeURIComponent(url.pathname).split("/").at(-1)).toBe(`Kaya Kahve Panel:${email}`);
  expect(url.searchParams.get("issuer")).toBe("Kaya Kahve Panel");
});
