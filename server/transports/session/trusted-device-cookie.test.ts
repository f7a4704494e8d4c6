import { expect, it } from "vitest";
import { makeUser } from "@/server/testing/factories";
import { sendHttp } from "@/server/testing/http";
import { makeTotpFactor } from "@/server/testing/second-factor";
import { startTestServer } from "@/server/testing/server";

const { port, post } = await startTestServer({ env: { APP_URL: "https://panel.test" } });

const COOKIE_NAME = "__Host-trusted-devices";
const password = "correct-horse";

function makeDevice() {
  let cookie = "";
  return {
    cookie: () => cookie,
    async call(procedure: string, body: object) {
      const headers = { origin: "https://panel.test", ...(cookie && { cookie }) };
      const { json, headers: responseHeaders } = await sendHttp(port, "POST", `/trpc/signIn.${procedure}`, {
        body: { body },
        headers,
      });
      const [setCookie] = responseHeaders["set-cookie"] ?? [];
      if (setCookie) cookie = setCookie.split(";")[0]!;
      return { data: json.result?.data, setCookie };
    },
  };
}
type Device = ReturnType<typeof makeDevice>;

async function makeUserWithCodes() {
  const user = await makeUser();
  return { email: user.email, recoveryCodes: (await makeTotpFactor(user.id)).recoveryCodes };
}
type UserWithCodes = Awaited<ReturnType<typeof makeUserWithCodes>>;

const login = async ({ call }: Device, { email }: UserWithCodes) =>
  (await call("login", { email, password })).data;

async function signIn(device: Device, account: UserWithCodes, remember_device = true) {
  const { interim_token } = await login(device, account);
  return device.call("recover", {
    interim_token,
    recovery_code: account.recoveryCodes.pop(),
    remember_device,
  });
}

it("stores the secret in an HttpOnly cookie and hides it from the panel", async () => {
  const [device, account] = [makeDevice(), await makeUserWithCodes()];
  const { data, setCookie } = await signIn(device, account);
  expect({ token: data.token, device_token: data.device_token }).toEqual({
    token: expect.stringMatching(/^dsu_/),
    device_token: null,
  });
  expect(setCookie).toMatch(new RegExp(`^${COOKIE_NAME}=[\\w-]{16}:dst_\\w+; `));
  for (const attribute of ["Path=/", "HttpOnly", "SameSite=Lax", "Secure", "Max-Age=2592000"])
    expect(setCookie!.split("; ")).toContain(attribute);
  expect((await login(device, account)).token).toMatch(/^dsu_/);
  expect((await login(makeDevice(), account)).requires_2fa).toBe(true);
  expect((await login(device, await makeUserWithCodes())).requires_2fa).toBe(true);
});

it("stores no cookie unless requested, and returns the secret to REST", async () => {
  const [device, account] = [makeDevice(), await makeUserWithCodes()];
  expect((await signIn(device, account, false)).setCookie).toBeUndefined();
  const { interim_token } = (await post("/api/auth/login", { email: account.email, password })).json;
  const body = { interim_token, recovery_code: account.recoveryCodes.pop(), remember_device: true };
  const { json, headers } = await post("/api/auth/2fa/recovery", body);
  expect(json.device_token).toEqual(expect.stringMatching(/^dst_/));
  expect(headers["set-cookie"]).toBe(undefined);
});

it("stores devices of the five most recently used accounts", async () => {
  const device = makeDevice();
  const accounts: UserWithCodes[] = [];
  for (let index = 0; index < 6; index++) {
    accounts.push(await makeUserWithCodes());
    await signIn(device, accounts[index]!);
  }
  const hasTokens = [];
  for (const account of accounts) hasTokens.push("token" in (await login(device, account)));
  expect(hasTokens).toEqual([false, true, true, true, true, true]);
  expect(device.cookie().split(".")).toHaveLength(5);
});

it("drops malformed device secrets", async () => {
  const account = await makeUserWithCodes();
  const { interim_token } = (await post("/api/auth/login", { email: account.email, password })).json;
  const { headers } = await sendHttp(port, "POST", "/trpc/signIn.recover", {
    body: { body: { interim_token, recovery_code: account.recoveryCodes.pop(), remember_device: true } },
    headers: { origin: "https://panel.test", cookie: `${COOKIE_NAME}=somebodys-account:dst_nonsense.alone` },
  });
  const [value] = headers["set-cookie"]![0]!.split(";");
  expect(value).toMatch(new RegExp(`^${COOKIE_NAME}=[\\w-]{16}:dst_\\w+$`));
});
