import type { Authenticator } from "@/server/testing/authenticator";
import type { Client } from "./client";
import { absent, equal, integer, list, secret, text, timestamp } from "./matchers";
import { SIGNED_IN } from "./sign-in";
import type { Person, World } from "./world";

const OWN = "/api/profile/passkeys";
const OPTIONS = "/api/auth/passkey/login/options";
const VERIFY = "/api/auth/passkey/login/verify";

/** docs/contract.md 4.2 (passkey login) and 4.5 (passkeys of the signed-in user). */
export async function passkeys(client: Client, world: World): Promise<void> {
  await client.group("4.5 passkeys", () => ownPasskeys(client, world));
  await client.group("4.2 passkey login options", () => loginOptions(client, world));
  await client.group("4.2 passkey login verify", () => loginVerify(client, world));
}

async function ownPasskeys(client: Client, world: World): Promise<void> {
  const person = await world.person();
  const { token } = person;
  const store = (label: string, body: Record<string, unknown>) =>
    client.post(`4.5 register/verify, ${label}`, `${OWN}/register/verify`, body, { token });

  client.expectRow(await client.get("4.5 list, no passkeys", OWN, { token }), 200, { passkeys: [] });
  const ceremony = await client.post("4.5 register/options", `${OWN}/register/options`, undefined, { token });
  client.expectFields(ceremony, 200, {
    success: true,
    challenge_ref: text,
    "options.challenge": text,
    "options.rp.id": text,
    "options.rp.name": text,
    "options.user.id": text,
    "options.user.name": person.email,
    "options.user.displayName": text,
    "options.pubKeyCredParams": list,
    "publicKey.challenge": equal(ceremony.at("options.challenge"), "that of options"),
  });
  const { device, ...first } = await world.newPasskey(person);
  const stored = await store("a new credential", { ...first, device_name: "Mutfak tableti" });
  client.expectFields(stored, 201, {
    success: true,
    message: text,
    "passkey.id": text,
    "passkey.device_name": "Mutfak tableti",
    "passkey.created_at": timestamp,
    "passkey.last_used_at": null,
  });
  client.expectRow(await store("the same ceremony again", first), 422, { passkey: absent });
  const existing = await world.newPasskey(person, device);
  const body = { credential: existing.credential, challenge_ref: existing.challenge_ref };
  client.expectRow(await store("a credential that is stored", body), 422, { passkey: absent });
  const { device: _, ...second } = await world.newPasskey(person);
  const longest = await store("device_name of 80 characters", { ...second, device_name: "ğ".repeat(80) });
  client.expectRow(longest, 201, { "passkey.device_name": "ğ".repeat(80) });
  const { device: __, ...third } = await world.newPasskey(person);
  client.expectRow(await store("device_name left out", third), 201, { "passkey.device_name": text });
  const { device: ___, ...open } = await world.newPasskey(person);
  client.expectInvalid(
    await store("device_name of 81 characters", { ...open, device_name: "ğ".repeat(81) }),
    "device_name",
  );
  for (const [what, changed, field] of wrongCredentials(open.credential))
    client.expectInvalid(await store(what, { ...open, credential: changed }), field);

  const all = await client.get("4.5 list", OWN, { token });
  client.expectFields(all, 200, {
    success: true,
    passkeys: list,
    data: list,
    count: 3,
    "passkeys.0.id": text,
    "passkeys.0.device_name": "Mutfak tableti",
    "passkeys.0.created_at": timestamp,
  });

  const id = stored.text("passkey.id");
  const stranger = await world.person();
  const remove = (label: string, of: string, by: string) =>
    client.delete(`4.5 delete, ${label}`, `${OWN}/${of}`, { token: by });
  client.expectFields(await remove("another account's", id, stranger.token), 403, {
    message: "This action is unauthorized.",
  });
  client.expectFields(await remove("one's own", id, token), 200, { success: true, message: text });
  client.expectFields(await remove("one that is gone", id, token), 404, { message: text });
  client.expectRow(await remove("an unknown one", "01ARZ3NDEKTSV4RRFFQ69G5FAV", token), 404, {
    message: text,
  });
  client.expectRow(await client.get("4.5 list, after a deletion", OWN, { token }), 200, { count: 2 });
  const rejected = await signIn(client, "with a deleted passkey", device);
  client.expectRow(rejected, 401, { success: false, error: text });
}

function wrongCredentials<T extends object>(good: T): Array<[string, unknown, string]> {
  return [
    ["credential left out", undefined, "credential"],
    ["credential a text", "credential", "credential"],
    ["credential.id left out", { ...good, id: undefined }, "credential.id"],
    ["credential.id of 1025 characters", { ...good, id: "a".repeat(1025) }, "credential.id"],
    ["credential.rawId left out", { ...good, rawId: undefined }, "credential.rawId"],
    ["credential.rawId not base64url", { ...good, rawId: "a+b/c d" }, "credential.rawId"],
    ["credential.type left out", { ...good, type: undefined }, "credential.type"],
    ["credential.type of another kind", { ...good, type: "password" }, "credential.type"],
    ["credential.response left out", { ...good, response: undefined }, "credential.response"],
    ["credential.response a text", { ...good, response: "yes" }, "credential.response"],
  ];
}

async function loginOptions(client: Client, world: World): Promise<void> {
  const person = await world.person();
  const { device } = await world.passkey(person);
  const begin = (label: string, email: unknown) =>
    client.post(`4.2 passkey login options, ${label}`, OPTIONS, { email });
  const open = await begin("email left out", undefined);
  client.expectFields(open, 200, {
    success: true,
    challenge_ref: text,
    expires_in: integer,
    "options.challenge": text,
    "options.rpId": text,
    "options.timeout": integer,
    "options.allowCredentials": [],
    "publicKey.challenge": equal(open.at("options.challenge"), "that of options"),
  });
  const ref = String(open.at("challenge_ref"));
  client.check("8 challenge_ref: at most 255 characters", open, ref.length <= 255, "255", ref.length);
  client.expectRow(await begin("email empty", ""), 200, { "options.allowCredentials": [] });
  client.expectRow(await begin("email null", null), 200, { "options.allowCredentials": [] });
  client.expectRow(await client.post("4.2 passkey login options, without a body", OPTIONS), 200, {
    success: true,
  });
  const existing = await begin("a known email", person.email);
  client.expectRow(existing, 200, { "options.allowCredentials.0.id": device.id.toString("base64url") });
  const unknown = await begin("an unknown email", "nobody@example.com");
  client.expectRow(unknown, 200, { success: true, challenge_ref: text, "options.challenge": text });
  client.expectInvalid(await begin("email no address", "plain"), "email");
  client.expectInvalid(await begin("email a number", 1), "email");
  client.expectInvalid(
    await begin("email of 256 characters", `${"a".repeat(59)}@${"b.".repeat(95)}com.tr`),
    "email",
  );
}

async function signIn(client: Client, label: string, device: Authenticator, overrides = {}) {
  const ceremony = await client.post(`preparation: ${label}`, OPTIONS, {});
  const credential = device.get({ challenge: ceremony.text("options.challenge") }, overrides);
  const body = { credential, challenge_ref: ceremony.text("challenge_ref") };
  return client.post(`4.2 passkey login verify, ${label}`, VERIFY, body);
}

async function loginVerify(client: Client, world: World): Promise<void> {
  const person = await world.person();
  const { device } = await world.passkey(person);
  const reply = await signIn(client, "a stored passkey", device);
  client.expectFields(reply, 200, SIGNED_IN);
  const own = await client.get("5.2 the token of a passkey login", "/api/user", {
    token: reply.text("token"),
  });
  client.expectRow(own, 200, { "user.id": person.id });
  client.expectFields(await signIn(client, "an unknown passkey", world.authenticator()), 401, {
    success: false,
    error: text,
  });
  const forged = await signIn(client, "a wrong signature", device, { usesWrongKey: true });
  client.expectRow(forged, 401, { success: false, error: text });
  const other = await client.post("preparation: ceremony of a long id", OPTIONS, {});
  const id = "a".repeat(1024);
  const long = { ...device.get({ challenge: other.text("options.challenge") }), id, rawId: id };
  const body = { credential: long, challenge_ref: other.text("challenge_ref") };
  const longId = await client.post(
    "4.2 passkey login verify, credential.id of 1024 characters",
    VERIFY,
    body,
  );
  client.expectRow(longId, 401, { success: false, errors: absent });
  const elsewhere = await signIn(client, "a response for another origin", device, {
    origin: "https://evil.example.com",
  });
  client.expectRow(elsewhere, 401, { success: false, error: text });

  const ceremony = await client.post("preparation: passkey ceremony", OPTIONS, {});
  const challenge_ref = ceremony.text("challenge_ref");
  const credential = device.get({ challenge: ceremony.text("options.challenge") });
  const verify = (label: string, body: unknown) =>
    client.post(`4.2 passkey login verify, ${label}`, VERIFY, body);
  for (const [what, changed, field] of wrongCredentials(credential))
    client.expectInvalid(await verify(what, { credential: changed, challenge_ref }), field);
  client.expectInvalid(await verify("challenge_ref left out", { credential }), "challenge_ref");
  const longRef = { credential, challenge_ref: "a".repeat(256) };
  client.expectInvalid(await verify("challenge_ref of 256 characters", longRef), "challenge_ref");
  const unknown = { credential, challenge_ref: "unknown" };
  client.expectInvalid(await verify("an unknown challenge_ref", unknown), "challenge_ref");
  const right = { credential, challenge_ref };
  client.expectRow(await verify("after refused fields", right), 200, { token: secret });
  client.expectInvalid(await verify("a challenge_ref that was used", right), "challenge_ref");

  const gates: Array<[string, Record<string, unknown>, number, Record<string, unknown>]> = [
    ["an unverified address", { email_verified_at: null }, 403, { success: false, error: text }],
    [
      "a passive account",
      { email_verified_at: new Date(), is_active: false },
      403,
      { success: false, error: text },
    ],
    ["an account that is open again", { is_active: true }, 200, { token: secret }],
  ];
  for (const [what, columns, status, fields] of gates) {
    await world.set(person, columns);
    client.expectRow(await signIn(client, what, device), status, fields);
  }
  const secured: Person = await world.person();
  await world.totp(secured);
  const both = await world.passkey(secured);
  const passed = await signIn(client, "an account with a second factor", both.device);
  client.expectRow(passed, 200, { token: secret, requires_2fa: absent });
}
