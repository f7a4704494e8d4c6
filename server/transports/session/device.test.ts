import { expect, it } from "vitest";
import { makeUser } from "@/server/testing/factories";
import { send } from "@/server/testing/http";
import { makeTotp } from "@/server/testing/second-factor";
import { testServer } from "@/server/testing/server";

const { port, post } = await testServer({ env: { APP_URL: "https://panel.test" } });

const NAME = "__Host-trusted-devices";
const password = "correct-horse";

/** One browser: it keeps the cookie that it was given. */
function browser() {
  let cookie = "";
  return {
    cookie: () => cookie,
    async call(procedure: string, body: object) {
      const headers = { origin: "https://panel.test", ...(cookie && { cookie }) };
      const { json, headers: given } = await send(port, "POST", `/trpc/signIn.${procedure}`, {
        body: { body },
        headers,
      });
      const [set] = given["set-cookie"] ?? [];
      if (set) cookie = set.split(";")[0]!;
      return { data: json.result?.data, set };
    },
  };
}
type Browser = ReturnType<typeof browser>;

async function person() {
  const user = await makeUser();
  return { email: user.email, codes: (await makeTotp(user.id)).recoveryCodes };
}
type Person = Awaited<ReturnType<typeof person>>;

const login = async ({ call }: Browser, { email }: Person) => (await call("login", { email, password })).data;

async function signIn(at: Browser, who: Person, remember_device = true) {
  const { interim_token } = await login(at, who);
  return at.call("recover", { interim_token, recovery_code: who.codes.pop(), remember_device });
}

it("keeps the secret in a cookie that no script reads, and out of the panel's hands", async () => {
  const [at, who] = [browser(), await person()];
  const { data, set } = await signIn(at, who);
  expect({ token: data.token, device_token: data.device_token }).toEqual({
    token: expect.stringMatching(/^dsu_/),
    device_token: null,
  });
  expect(set).toMatch(new RegExp(`^${NAME}=[\\w-]{16}:dst_\\w+; `));
  for (const attribute of ["Path=/", "HttpOnly", "SameSite=Lax", "Secure", "Max-Age=2592000"])
    expect(set!.split("; ")).toContain(attribute);
  expect((await login(at, who)).token).toMatch(/^dsu_/);
  expect((await login(browser(), who)).requires_2fa).toBe(true);
  expect((await login(at, await person())).requires_2fa).toBe(true);
});

it("keeps none unless it was asked for, and hands it to REST as documented", async () => {
  const [at, who] = [browser(), await person()];
  expect((await signIn(at, who, false)).set).toBeUndefined();
  const { interim_token } = (await post("/api/auth/login", { email: who.email, password })).json;
  const body = { interim_token, recovery_code: who.codes.pop(), remember_device: true };
  const { json, headers } = await post("/api/auth/2fa/recovery", body);
  expect(json.device_token).toEqual(expect.stringMatching(/^dst_/));
  expect(headers["set-cookie"]).toBe(undefined);
});

it("keeps those of five accounts, the last used ones, each for itself", async () => {
  const at = browser();
  const people: Person[] = [];
  for (let count = 0; count < 6; count++) {
    people.push(await person());
    await signIn(at, people[count]!);
  }
  const opened = [];
  for (const who of people) opened.push("token" in (await login(at, who)));
  expect(opened).toEqual([false, true, true, true, true, true]);
  expect(at.cookie().split(".")).toHaveLength(5);
});

it("forgets what is no secret of a device", async () => {
  const who = await person();
  const { interim_token } = (await post("/api/auth/login", { email: who.email, password })).json;
  const { headers } = await send(port, "POST", "/trpc/signIn.recover", {
    body: { body: { interim_token, recovery_code: who.codes.pop(), remember_device: true } },
    headers: { origin: "https://panel.test", cookie: `${NAME}=somebodys-account:dst_nonsense.alone` },
  });
  const [value] = headers["set-cookie"]![0]!.split(";");
  expect(value).toMatch(new RegExp(`^${NAME}=[\\w-]{16}:dst_\\w+$`));
});
