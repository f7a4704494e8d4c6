import { expect, it } from "vitest";
import { startFakeIdentityProvider } from "@/server/testing/external-servers";
import { startTestServer } from "@/server/testing/server";
import { exchangeDemoCode, issueDemoCode, issueDemoIdToken } from "./demo.provider";

const { get, post } = await startTestServer();
const person = { name: "Işıl Çağlar", email: "isil@example.com" };

it("accepts tokens of the demo provider only", async () => {
  const id_token = await issueDemoIdToken({ provider: "google", ...person });
  expect((await post("/api/auth/apple", { id_token })).status).toBe(401);
  const { status, json } = await post("/api/auth/google", { id_token });
  expect({ status, name: json.user.name, provider: json.user.provider }).toEqual({
    status: 200,
    name: person.name,
    provider: "google",
  });
  expect(json.user.avatar_url).toBe("http://panel.test/dev/identity/google/picture/I%C3%87");
  const { json: profile } = await get("/api/auth/user", json.token);
  expect({ avatar_url: profile.user.avatar_url, provider: profile.user.provider }).toEqual({
    avatar_url: json.user.avatar_url,
    provider: "google",
  });
  const identityProvider = await startFakeIdentityProvider();
  expect((await post("/api/auth/google", { id_token: identityProvider.signIdToken() })).status).toBe(401);
});

it("exchanges its own codes only, with the right PKCE verifier", async () => {
  const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
  const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
  const code = issueDemoCode({ provider: "google", ...person, challenge });
  expect(await exchangeDemoCode("google", code, verifier)).toMatch(/^ey/);
  expect(await exchangeDemoCode("google", code, null)).toBeUndefined();
  expect(await exchangeDemoCode("apple", code, verifier)).toBeUndefined();
  expect(await exchangeDemoCode("google", "made-up", verifier)).toBeUndefined();
});
