import type { Authenticator } from "@/server/testing/authenticator";
import type { Client } from "./client";
import { absent, equalTo, integer, list, nonEmptyString, secret, timestamp } from "./matchers";
import { SIGN_IN_FIELDS } from "./sign-in";
import type { Person, World } from "./world";

const PASSKEYS_PATH = "/api/profile/passkeys";
const OPTIONS_PATH = "/api/auth/passkey/login/options";
const VERIFY_PATH = "/api/auth/passkey/login/verify";

/** docs/contract.md 4.2 (passkey login) and 4.5 (passkeys of the signed-in user). */
export async function checkPasskeys(client: Client, world: World): Promise<void> {
  await client.runGroup("4.5 passkeys", () => checkOwnPasskeys(client, world));
  await client.runGroup("4.2 passkey login options", () => checkLoginOptions(client, world));
  await client.runGroup("4.2 passkey login verify", () => checkLoginVerify(client, world));
}

async function checkOwnPasskeys(client: Client, world: World): Promise<void> {
  const person = await world.createPerson();
  const { token } = person;
  const storePasskey = (label: string, body: Record<string, unknown>) =>
    client.post(`4.5 register/verify, ${label}`, `${PASSKEYS_PATH}/register/verify`, body, { token });

  client.expectRow(await client.get("4.5 list, no passkeys", PASSKEYS_PATH, { token }), 200, {
    passkeys: [],
  });
  const ceremony = await client.post("4.5 register/options", `${PASSKEYS_PATH}/register/options`, undefined, {
    token,
  });
  client.expectFields(ceremony, 200, {
    success: true,
    challenge_ref: nonEmptyString,
    "options.challenge": nonEmptyString,
    "options.rp.id": nonEmptyString,
    "options.rp.name": nonEmptyString,
    "options.user.id": nonEmptyString,
    "options.user.name": person.email,
    "options.user.displayName": nonEmptyString,
    "options.pubKeyCredParams": list,
    "publicKey.challenge": equalTo(ceremony.valueAt("options.challenge"), "that of options"),
  });
  const { device, ...firstRegistration } = await world.createPasskey(person);
  const storedReply = await storePasskey("a new credential", {
    ...firstRegistration,
    device_name: "Mutfak tableti",
  });
  client.expectFields(storedReply, 201, {
    success: true,
    message: nonEmptyString,
    "passkey.id": nonEmptyString,
    "passkey.device_name": "Mutfak tableti",
    "passkey.created_at": timestamp,
    "passkey.last_used_at": null,
  });
  client.expectRow(await storePasskey("the same ceremony again", firstRegistration), 422, {
    passkey: absent,
  });
  const storedCeremony = await world.createPasskey(person, device);
  const body = { credential: storedCeremony.credential, challenge_ref: storedCeremony.challenge_ref };
  client.expectRow(await storePasskey("a credential that is stored", body), 422, { passkey: absent });
  const { device: _, ...secondRegistration } = await world.createPasskey(person);
  const longestReply = await storePasskey("device_name of 80 characters", {
    ...secondRegistration,
    device_name: "ğ".repeat(80),
  });
  client.expectRow(longestReply, 201, { "passkey.device_name": "ğ".repeat(80) });
  const { device: __, ...thirdRegistration } = await world.createPasskey(person);
  client.expectRow(await storePasskey("device_name left out", thirdRegistration), 201, {
    "passkey.device_name": nonEmptyString,
  });
  const { device: ___, ...fourthRegistration } = await world.createPasskey(person);
  client.expectInvalid(
    await storePasskey("device_name of 81 characters", {
      ...fourthRegistration,
      device_name: "ğ".repeat(81),
    }),
    "device_name",
  );
  for (const [variant, wrongCredential, field] of buildWrongCredentials(fourthRegistration.credential))
    client.expectInvalid(
      await storePasskey(variant, { ...fourthRegistration, credential: wrongCredential }),
      field,
    );

  const listReply = await client.get("4.5 list", PASSKEYS_PATH, { token });
  client.expectFields(listReply, 200, {
    success: true,
    passkeys: list,
    data: list,
    count: 3,
    "passkeys.0.id": nonEmptyString,
    "passkeys.0.device_name": "Mutfak tableti",
    "passkeys.0.created_at": timestamp,
  });

  const id = storedReply.textAt("passkey.id");
  const stranger = await world.createPerson();
  const remove = (label: string, passkeyId: string, callerToken: string) =>
    client.delete(`4.5 delete, ${label}`, `${PASSKEYS_PATH}/${passkeyId}`, { token: callerToken });
  client.expectFields(await remove("another account's", id, stranger.token), 403, {
    message: "This action is unauthorized.",
  });
  client.expectFields(await remove("one's own", id, token), 200, { success: true, message: nonEmptyString });
  client.expectFields(await remove("one that is gone", id, token), 404, { message: nonEmptyString });
  client.expectRow(await remove("an unknown one", "01ARZ3NDEKTSV4RRFFQ69G5FAV", token), 404, {
    message: nonEmptyString,
  });
  client.expectRow(await client.get("4.5 list, after a deletion", PASSKEYS_PATH, { token }), 200, {
    count: 2,
  });
  const rejectedReply = await signInWithPasskey(client, "with a deleted passkey", device);
  client.expectRow(rejectedReply, 401, { success: false, error: nonEmptyString });
}

function buildWrongCredentials<T extends object>(validCredential: T): Array<[string, unknown, string]> {
  return [
    ["credential left out", undefined, "credential"],
    ["credential a text", "credential", "credential"],
    ["credential.id left out", { ...validCredential, id: undefined }, "credential.id"],
    ["credential.id of 1025 characters", { ...validCredential, id: "a".repeat(1025) }, "credential.id"],
    ["credential.rawId left out", { ...validCredential, rawId: undefined }, "credential.rawId"],
    ["credential.rawId not base64url", { ...validCredential, rawId: "a+b/c d" }, "credential.rawId"],
    ["credential.type left out", { ...validCredential, type: undefined }, "credential.type"],
    ["credential.type of another kind", { ...validCredential, type: "password" }, "credential.type"],
    ["credential.response left out", { ...validCredential, response: undefined }, "credential.response"],
    ["credential.response a text", { ...validCredential, response: "yes" }, "credential.response"],
  ];
}

async function checkLoginOptions(client: Client, world: World): Promise<void> {
  const person = await world.createPerson();
  const { device } = await world.registerPasskey(person);
  const requestOptions = (label: string, email: unknown) =>
    client.post(`4.2 passkey login options, ${label}`, OPTIONS_PATH, { email });
  const anonymousReply = await requestOptions("email left out", undefined);
  client.expectFields(anonymousReply, 200, {
    success: true,
    challenge_ref: nonEmptyString,
    expires_in: integer,
    "options.challenge": nonEmptyString,
    "options.rpId": nonEmptyString,
    "options.timeout": integer,
    "options.allowCredentials": [],
    "publicKey.challenge": equalTo(anonymousReply.valueAt("options.challenge"), "that of options"),
  });
  const challengeRef = String(anonymousReply.valueAt("challenge_ref"));
  client.addCheck(
    "8 challenge_ref: at most 255 characters",
    anonymousReply,
    challengeRef.length <= 255,
    "255",
    challengeRef.length,
  );
  client.expectRow(await requestOptions("email empty", ""), 200, { "options.allowCredentials": [] });
  client.expectRow(await requestOptions("email null", null), 200, { "options.allowCredentials": [] });
  client.expectRow(await client.post("4.2 passkey login options, without a body", OPTIONS_PATH), 200, {
    success: true,
  });
  const knownEmailReply = await requestOptions("a known email", person.email);
  client.expectRow(knownEmailReply, 200, {
    "options.allowCredentials.0.id": device.id.toString("base64url"),
  });
  const unknownEmailReply = await requestOptions("an unknown email", "nobody@example.com");
  client.expectRow(unknownEmailReply, 200, {
    success: true,
    challenge_ref: nonEmptyString,
    "options.challenge": nonEmptyString,
  });
  client.expectInvalid(await requestOptions("email no address", "plain"), "email");
  client.expectInvalid(await requestOptions("email a number", 1), "email");
  client.expectInvalid(
    await requestOptions("email of 256 characters", `${"a".repeat(59)}@${"b.".repeat(95)}com.tr`),
    "email",
  );
}

async function signInWithPasskey(client: Client, label: string, device: Authenticator, overrides = {}) {
  const ceremony = await client.post(`preparation: ${label}`, OPTIONS_PATH, {});
  const credential = device.get({ challenge: ceremony.textAt("options.challenge") }, overrides);
  const body = { credential, challenge_ref: ceremony.textAt("challenge_ref") };
  return client.post(`4.2 passkey login verify, ${label}`, VERIFY_PATH, body);
}

async function checkLoginVerify(client: Client, world: World): Promise<void> {
  const person = await world.createPerson();
  const { device } = await world.registerPasskey(person);
  const reply = await signInWithPasskey(client, "a stored passkey", device);
  client.expectFields(reply, 200, SIGN_IN_FIELDS);
  const ownReply = await client.get("5.2 the token of a passkey login", "/api/user", {
    token: reply.textAt("token"),
  });
  client.expectRow(ownReply, 200, { "user.id": person.id });
  client.expectFields(
    await signInWithPasskey(client, "an unknown passkey", world.createAuthenticator()),
    401,
    {
      success: false,
      error: nonEmptyString,
    },
  );
  const forgedReply = await signInWithPasskey(client, "a wrong signature", device, { usesWrongKey: true });
  client.expectRow(forgedReply, 401, { success: false, error: nonEmptyString });
  const longIdCeremony = await client.post("preparation: ceremony of a long id", OPTIONS_PATH, {});
  const id = "a".repeat(1024);
  const longCredential = {
    ...device.get({ challenge: longIdCeremony.textAt("options.challenge") }),
    id,
    rawId: id,
  };
  const body = { credential: longCredential, challenge_ref: longIdCeremony.textAt("challenge_ref") };
  const longIdReply = await client.post(
    "4.2 passkey login verify, credential.id of 1024 characters",
    VERIFY_PATH,
    body,
  );
  client.expectRow(longIdReply, 401, { success: false, errors: absent });
  const foreignOriginReply = await signInWithPasskey(client, "a response for another origin", device, {
    origin: "https://evil.example.com",
  });
  client.expectRow(foreignOriginReply, 401, { success: false, error: nonEmptyString });

  const ceremony = await client.post("preparation: passkey ceremony", OPTIONS_PATH, {});
  const challenge_ref = ceremony.textAt("challenge_ref");
  const credential = device.get({ challenge: ceremony.textAt("options.challenge") });
  const verify = (label: string, body: unknown) =>
    client.post(`4.2 passkey login verify, ${label}`, VERIFY_PATH, body);
  for (const [variant, wrongCredential, field] of buildWrongCredentials(credential))
    client.expectInvalid(await verify(variant, { credential: wrongCredential, challenge_ref }), field);
  client.expectInvalid(await verify("challenge_ref left out", { credential }), "challenge_ref");
  const longRef = { credential, challenge_ref: "a".repeat(256) };
  client.expectInvalid(await verify("challenge_ref of 256 characters", longRef), "challenge_ref");
  const unknownRef = { credential, challenge_ref: "unknown" };
  client.expectInvalid(await verify("an unknown challenge_ref", unknownRef), "challenge_ref");
  const validBody = { credential, challenge_ref };
  client.expectRow(await verify("after refused fields", validBody), 200, { token: secret });
  client.expectInvalid(await verify("a challenge_ref that was used", validBody), "challenge_ref");

  const gates: Array<[string, Record<string, unknown>, number, Record<string, unknown>]> = [
    ["an unverified address", { email_verified_at: null }, 403, { success: false, error: nonEmptyString }],
    [
      "a passive account",
      { email_verified_at: new Date(), is_active: false },
      403,
      { success: false, error: nonEmptyString },
    ],
    ["an account that is open again", { is_active: true }, 200, { token: secret }],
  ];
  for (const [variant, columns, status, fields] of gates) {
    await world.updateUser(person, columns);
    client.expectRow(await signInWithPasskey(client, variant, device), status, fields);
  }
  const securedPerson: Person = await world.createPerson();
  await world.enableTotp(securedPerson);
  const securedPasskey = await world.registerPasskey(securedPerson);
  const passkeyReply = await signInWithPasskey(
    client,
    "an account with a second factor",
    securedPasskey.device,
  );
  client.expectRow(passkeyReply, 200, { token: secret, requires_2fa: absent });
}
