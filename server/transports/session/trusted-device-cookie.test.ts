import { expect, it } from "vitest";
import { makeUser } from "@/server/testing/factories";
import { sendHttp } from "@/server/testing/http";
import { makeTotpFactor } from "@/server/testing/second-factor";
import { startTestServer } from "@/server/testing/server";

const { port, post } = await startTestServer({ env: { APP_URL: "https://panel.test" } });

const COOKIE_NAME = "__Host-trusted-devices";
const password = "correct-horse";

function makeBrowser() {
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
      return { data: json.result?.data, set: setCookie };
    },
  };
}
type BrowserClient = ReturnType<typeof makeBrowser>;

async function makePerson() {
  const user = await makeUser();
  return { email: user.email, codes: (await makeTotpFactor(user.id)).recoveryCodes };
}
type Person = Awaited<ReturnType<typeof makePerson>>;

const login = async ({ call }: BrowserClient, { email }: Person) =>
  (await call("login", { email, password })).data;

async function signIn(device: BrowserClient, account: Person, remember_device = true) {
  const { interim_token } = await login(device, account);
  return device.call("recover", { interim_token, recovery_code: account.codes.pop(), remember_device });
}

it("stores the secret in an HttpOnly cookie and hides it from the panel", async () => {
  const [device, account] = [makeBrowser(), await makePerson()];
  const { data, set } = await signIn(device, account);
  expect({ token: data.token, device_token: data.device_token }).toEqual({
    token: expect.stringMatching(/^dsu_/),
    device_token: null,
  });
  expect(set).toMatch(new RegExp(`^${COOKIE_NAME}=[\\w-]{16}:dst_\\w+; `));
  for (const attribute of ["Path=/", "HttpOnly", "SameSite=Lax", "Secure", "Max-Age=2592000"])
    expect(set!.split("; ")).toContain(attribute);
  expect((await login(device, account)).token).toMatch(/^dsu_/);
  expect((await login(makeBrowser(), account)).requires_2fa).toBe(true);
  expect((await login(device, await makePerson())).requires_2fa).toBe(true);
});

it("stores no cookie unless requested, and returns the secret to REST", async () => {
  const [device, account] = [makeBrowser(), await makePerson()];
  expect((await signIn(device, account, false)).set).toBeUndefined();
  const { interim_token } = (await post("/api/auth/login", { email: account.email, password })).json;
  const body = { interim_token, recovery_code: account.codes.pop(), remember_device: true };
  const { json, headers } = await post("/api/auth/2fa/recovery", body);
  expect(json.device_token).toEqual(expect.stringMatching(/^dst_/));
  expect(headers["set-cookie"]).toBe(undefined);
});

it("stores devices of the five most recently used accounts", async () => {
  const device = makeBrowser();
  const people: Person[] = [];
  for (let index = 0; index < 6; index++) {
    people.push(await makePerson());
    await signIn(device, people[index]!);
  }
  const isSignedIn = [];
  for (const account of people) isSignedIn.push("token" in (await login(device, account)));
  expect(isSignedIn).toEqual([false, true, true, true, true, true]);
  expect(device.cookie().split(".")).toHaveLength(5);
});

it("drops malformed device secrets", async () => {
  const account = await makePerson();
  const { interim_token } = (await post("/api/auth/login", { email: account.email, password })).json;
  const { headers } = await sendHttp(port, "POST", "/trpc/signIn.recover", {
    body: { body: { interim_token, recovery_code: account.codes.pop(), remember_device: true } },
    headers: { origin: "https://panel.test", cookie: `${COOKIE_NAME}=somebodys-account:dst_nonsense.alone` },
  });
  const [value] = headers["set-cookie"]![0]!.split(";");
  expect(value).toMatch(new RegExp(`^${COOKIE_NAME}=[\\w-]{16}:dst_\\w+$`));
});
