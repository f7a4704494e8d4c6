import { expect, test } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { Authenticator } from "@/server/testing/authenticator";
import { ServerProcess, type TestResponse } from "../server-process";

const CONSENTS = { terms: true, privacy: true, yurtdisi: true, cagri_kayit: true };
const PASSWORD = "correct-horse";

class Person {
  token = "";
  constructor(
    readonly server: ServerProcess,
    readonly email: string,
  ) {}

  post(path: string, body: unknown = {}, token?: string): Promise<TestResponse> {
    return this.server.call("POST", `/api/${path}`, { body, token });
  }

  async mailed(pattern: RegExp): Promise<string> {
    const findMail = async () => {
      const { body } = await this.server.call("GET", `/api/dev/mailbox?to=${encodeURIComponent(this.email)}`);
      const texts = (body.data as Array<{ text: string }>).map(({ text }) => pattern.exec(text)?.[0]);
      return texts.find(Boolean) ?? "";
    };
    await expect.poll(findMail).not.toBe("");
    return findMail();
  }

  login(password = PASSWORD): Promise<TestResponse> {
    return this.post("auth/login", { email: this.email, password });
  }
}

let people = 0;

async function register(server: ServerProcess): Promise<Person> {
  const person = new Person(server, `replay${++people}@example.com`);
  const { body, status } = await server.call("POST", "/api/auth/register", {
    from: `10.8.${people}.1`,
    body: {
      name: "Ayşe Kaya",
      phone: "+905321112233",
      email: person.email,
      password: PASSWORD,
      password_confirmation: PASSWORD,
      consents: CONSENTS,
    },
  });
  expect(status).toBe(201);
  person.token = String(body.token);
  return person;
}

async function checkAcrossRestart(
  server: ServerProcess,
  check: (when: string) => Promise<void>,
): Promise<void> {
  await check("immediately");
  await server.kill({ database: true });
  await server.start();
  await check("after SIGKILL");
}

test("rejects used links, codes, challenges and id_tokens, also after a restart", async () => {
  const server = await ServerProcess.create({}, "demo");
  try {
    await server.start();
    const person = await register(server);
    const verification = { token: await person.mailed(/dsv_\w+/) };
    expect((await person.post("auth/verify-email", verification)).status).toBe(200);

    const { body: seed } = await person.post("profile/2fa/totp", {}, person.token);
    const app = new TOTP({ secret: Secret.fromBase32(String(seed.secret)) });
    const confirmed = await person.post("profile/2fa/totp/confirm", { code: app.generate() }, person.token);
    const [recovery] = confirmed.body.recovery_codes as string[];
    const interim = async () => String((await person.login()).body.interim_token);
    const challenge = {
      interim_token: await interim(),
      method: "totp",
      code: app.generate({ timestamp: Date.now() + 30_000 }),
    };
    expect((await person.post("auth/2fa/challenge", challenge)).status).toBe(200);
    const recovering = { interim_token: await interim(), recovery_code: recovery };
    expect((await person.post("auth/2fa/recovery", recovering)).status).toBe(200);

    const device = new Authenticator({ origin: server.url, rpId: "localhost" });
    const { body: creation } = await person.post("profile/passkeys/register/options", {}, person.token);
    const added = {
      credential: device.create(creation.options as Parameters<Authenticator["create"]>[0]),
      challenge_ref: creation.challenge_ref,
    };
    expect((await person.post("profile/passkeys/register/verify", added, person.token)).status).toBe(201);
    const { body: ceremony } = await person.post("auth/passkey/login/options");
    const assertion = {
      credential: device.get(ceremony.options as Parameters<Authenticator["get"]>[0]),
      challenge_ref: ceremony.challenge_ref,
    };
    expect((await person.post("auth/passkey/login/verify", assertion)).status).toBe(200);

    const grant = new URLSearchParams({ grant_type: "demo", name: "Zeynep", email: "zeynep@example.com" });
    const grantResponse = await fetch(`${server.url}/dev/identity/google/token`, {
      method: "POST",
      body: grant,
    });
    const { id_token } = (await grantResponse.json()) as { id_token: string };
    expect((await person.post("auth/google", { id_token })).status).toBe(200);

    await person.post("auth/forgot-password", { email: person.email });
    const link = {
      token: await person.mailed(/dsr_\w+/),
      email: person.email,
      password: PASSWORD,
      password_confirmation: PASSWORD,
    };
    expect((await person.post("auth/reset-password", link)).status).toBe(200);

    await checkAcrossRestart(server, async (when) => {
      expect((await person.post("auth/verify-email", verification)).status, when).toBe(400);
      expect((await person.post("auth/reset-password", link)).status, when).toBe(400);
      expect((await person.post("auth/2fa/challenge", challenge)).status, `interim, ${when}`).toBe(401);
      const again = { ...challenge, interim_token: await interim() };
      expect((await person.post("auth/2fa/challenge", again)).status, `value, ${when}`).toBe(422);
      const code = { interim_token: await interim(), recovery_code: recovery };
      expect((await person.post("auth/2fa/recovery", code)).status, `recovery code, ${when}`).toBe(422);
      const passkeyResponse = await person.post("auth/passkey/login/verify", assertion);
      expect(passkeyResponse.status, `passkey, ${when}`).toBe(422);
      const signedIn = await person.post("auth/google", { id_token });
      expect(signedIn.status, `id_token, ${when}`).toBe(401);
    });
  } finally {
    await server.dispose();
  }
});

test("a new password and a deactivation revoke older tokens and links, also after a restart", async () => {
  const server = await ServerProcess.create({}, "demo");
  try {
    await server.start();
    const registerAndSignIn = async () => {
      const person = await register(server);
      await person.post("auth/verify-email", { token: await person.mailed(/dsv_\w+/) });
      const { body } = await person.login();
      const key = await person.post("user/tokens", { name: "CI" }, String(body.token));
      return { person, tokens: [person.token, String(body.token), String(key.body.token)] };
    };
    const [reset, changed, passive] = [
      await registerAndSignIn(),
      await registerAndSignIn(),
      await registerAndSignIn(),
    ];
    const requestResetLink = async ({ person }: typeof reset) => {
      await person.post("auth/forgot-password", { email: person.email });
      return person.mailed(/dsr_\w+/);
    };
    const links = [await requestResetLink(changed), await requestResetLink(passive)];
    const next = { password: "another-horse", password_confirmation: "another-horse" };
    const token = await requestResetLink(reset);
    const { body } = await reset.person.post("auth/reset-password", {
      token,
      email: reset.person.email,
      ...next,
    });
    expect(body.auto_login).toBe(true);
    const [first, current] = changed.tokens;
    expect(
      (
        await server.call("PUT", "/api/user", {
          token: current,
          body: { current_password: PASSWORD, password: next.password },
        })
      ).status,
    ).toBe(200);
    await server.sql("update users set is_active = false where email = $1", [passive.person.email]);

    await checkAcrossRestart(server, async (when) => {
      const status = async (each: string) => (await server.call("GET", "/api/user", { token: each })).status;
      for (const each of reset.tokens) expect(await status(each), `reset, ${when}`).toBe(401);
      expect(await status(String(body.token)), when).toBe(200);
      expect([await status(first!), await status(current!), await status(changed.tokens[2]!)], when).toEqual([
        401, 200, 401,
      ]);
      for (const each of passive.tokens) expect(await status(each), `passive, ${when}`).toBe(403);
      expect((await reset.person.login()).status, when).toBe(401);
      expect((await passive.person.login()).status, when).toBe(403);
      const old = { token: links[0], email: changed.person.email, ...next };
      expect((await changed.person.post("auth/reset-password", old)).status, `older link, ${when}`).toBe(400);
    });
  } finally {
    await server.dispose();
  }
});

test("wrong passwords are throttled despite forged X-Forwarded-For headers and a restart", async () => {
  const server = await ServerProcess.create({ TRUSTED_PROXY_HOPS: "0" }, "demo");
  try {
    await server.start();
    const statuses: number[] = [];
    for (let number = 0; number < 30; number++) {
      const response = await fetch(`${server.url}/api/auth/login`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-forwarded-for": `10.7.0.${number}` },
        body: JSON.stringify({ email: `nobody${number}@example.com`, password: "wrong-password" }),
      });
      statuses.push(response.status);
      if (response.status !== 429) continue;
      const { retry_after } = (await response.json()) as { retry_after: number };
      expect(response.headers.get("retry-after")).toBe(String(retry_after));
      expect(retry_after).toBeGreaterThan(0);
      expect(retry_after).toBeLessThanOrEqual(900);
    }
    expect(statuses).toEqual([...Array(20).fill(401), ...Array(10).fill(429)]);
    await server.kill({ database: true });
    await server.start();
    const after = await server.call("POST", "/api/auth/login", {
      body: { email: "nobody99@example.com", password: "wrong-password" },
    });
    expect(after.status, "a restart keeps the count").toBe(429);
  } finally {
    await server.dispose();
  }
});
