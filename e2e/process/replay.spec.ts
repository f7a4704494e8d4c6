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

  async waitForMail(pattern: RegExp): Promise<string> {
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

let personCount = 0;

async function registerPerson(server: ServerProcess): Promise<Person> {
  const person = new Person(server, `replay${++personCount}@example.com`);
  const { body, status } = await server.call("POST", "/api/auth/register", {
    clientAddress: `10.8.${personCount}.1`,
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
    const person = await registerPerson(server);
    const verification = { token: await person.waitForMail(/dsv_\w+/) };
    expect((await person.post("auth/verify-email", verification)).status).toBe(200);

    const { body: enrolment } = await person.post("profile/2fa/totp", {}, person.token);
    const app = new TOTP({ secret: Secret.fromBase32(String(enrolment.secret)) });
    const confirmation = await person.post(
      "profile/2fa/totp/confirm",
      { code: app.generate() },
      person.token,
    );
    const [recoveryCode] = confirmation.body.recovery_codes as string[];
    const createInterimToken = async () => String((await person.login()).body.interim_token);
    const challenge = {
      interim_token: await createInterimToken(),
      method: "totp",
      code: app.generate({ timestamp: Date.now() + 30_000 }),
    };
    expect((await person.post("auth/2fa/challenge", challenge)).status).toBe(200);
    const recoveryRequest = { interim_token: await createInterimToken(), recovery_code: recoveryCode };
    expect((await person.post("auth/2fa/recovery", recoveryRequest)).status).toBe(200);

    const device = new Authenticator({ origin: server.url, rpId: "localhost" });
    const { body: creation } = await person.post("profile/passkeys/register/options", {}, person.token);
    const newPasskey = {
      credential: device.create(creation.options as Parameters<Authenticator["create"]>[0]),
      challenge_ref: creation.challenge_ref,
    };
    expect((await person.post("profile/passkeys/register/verify", newPasskey, person.token)).status).toBe(
      201,
    );
    const { body: ceremony } = await person.post("auth/passkey/login/options");
    const assertion = {
      credential: device.get(ceremony.options as Parameters<Authenticator["get"]>[0]),
      challenge_ref: ceremony.challenge_ref,
    };
    expect((await person.post("auth/passkey/login/verify", assertion)).status).toBe(200);

    const grantBody = new URLSearchParams({
      grant_type: "demo",
      name: "Zeynep",
      email: "zeynep@example.com",
    });
    const grantResponse = await fetch(`${server.url}/dev/identity/google/token`, {
      method: "POST",
      body: grantBody,
    });
    const { id_token } = (await grantResponse.json()) as { id_token: string };
    expect((await person.post("auth/google", { id_token })).status).toBe(200);

    await person.post("auth/forgot-password", { email: person.email });
    const resetRequest = {
      token: await person.waitForMail(/dsr_\w+/),
      email: person.email,
      password: PASSWORD,
      password_confirmation: PASSWORD,
    };
    expect((await person.post("auth/reset-password", resetRequest)).status).toBe(200);

    await checkAcrossRestart(server, async (when) => {
      expect((await person.post("auth/verify-email", verification)).status, when).toBe(400);
      expect((await person.post("auth/reset-password", resetRequest)).status, when).toBe(400);
      expect((await person.post("auth/2fa/challenge", challenge)).status, `interim, ${when}`).toBe(401);
      const reusedCode = { ...challenge, interim_token: await createInterimToken() };
      expect((await person.post("auth/2fa/challenge", reusedCode)).status, `value, ${when}`).toBe(422);
      const recoveryBody = { interim_token: await createInterimToken(), recovery_code: recoveryCode };
      expect((await person.post("auth/2fa/recovery", recoveryBody)).status, `recovery code, ${when}`).toBe(
        422,
      );
      const passkeyResponse = await person.post("auth/passkey/login/verify", assertion);
      expect(passkeyResponse.status, `passkey, ${when}`).toBe(422);
      const signInResponse = await person.post("auth/google", { id_token });
      expect(signInResponse.status, `id_token, ${when}`).toBe(401);
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
      const person = await registerPerson(server);
      await person.post("auth/verify-email", { token: await person.waitForMail(/dsv_\w+/) });
      const { body } = await person.login();
      const apiKeyResponse = await person.post("user/tokens", { name: "CI" }, String(body.token));
      return { person, tokens: [person.token, String(body.token), String(apiKeyResponse.body.token)] };
    };
    const [resetAccount, changedAccount, passiveAccount] = [
      await registerAndSignIn(),
      await registerAndSignIn(),
      await registerAndSignIn(),
    ];
    const requestResetLink = async ({ person }: typeof resetAccount) => {
      await person.post("auth/forgot-password", { email: person.email });
      return person.waitForMail(/dsr_\w+/);
    };
    const links = [await requestResetLink(changedAccount), await requestResetLink(passiveAccount)];
    const newPasswords = { password: "another-horse", password_confirmation: "another-horse" };
    const token = await requestResetLink(resetAccount);
    const { body } = await resetAccount.person.post("auth/reset-password", {
      token,
      email: resetAccount.person.email,
      ...newPasswords,
    });
    expect(body.auto_login).toBe(true);
    const [firstToken, currentToken] = changedAccount.tokens;
    expect(
      (
        await server.call("PUT", "/api/user", {
          token: currentToken,
          body: { current_password: PASSWORD, password: newPasswords.password },
        })
      ).status,
    ).toBe(200);
    await server.sql("update users set is_active = false where email = $1", [passiveAccount.person.email]);

    await checkAcrossRestart(server, async (when) => {
      const fetchStatus = async (each: string) =>
        (await server.call("GET", "/api/user", { token: each })).status;
      for (const each of resetAccount.tokens) expect(await fetchStatus(each), `reset, ${when}`).toBe(401);
      expect(await fetchStatus(String(body.token)), when).toBe(200);
      expect(
        [
          await fetchStatus(firstToken!),
          await fetchStatus(currentToken!),
          await fetchStatus(changedAccount.tokens[2]!),
        ],
        when,
      ).toEqual([401, 200, 401]);
      for (const each of passiveAccount.tokens) expect(await fetchStatus(each), `passive, ${when}`).toBe(403);
      expect((await resetAccount.person.login()).status, when).toBe(401);
      expect((await passiveAccount.person.login()).status, when).toBe(403);
      const oldReset = { token: links[0], email: changedAccount.person.email, ...newPasswords };
      expect(
        (await changedAccount.person.post("auth/reset-password", oldReset)).status,
        `older link, ${when}`,
      ).toBe(400);
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
    // An address may fail 20 times in 15 minutes.
    expect(statuses).toEqual([...Array(20).fill(401), ...Array(10).fill(429)]);
    await server.kill({ database: true });
    await server.start();
    const responseAfterRestart = await server.call("POST", "/api/auth/login", {
      body: { email: "nobody99@example.com", password: "wrong-password" },
    });
    expect(responseAfterRestart.status, "a restart keeps the count").toBe(429);
  } finally {
    await server.dispose();
  }
});
