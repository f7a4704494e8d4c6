import type { Client } from "./client";
import {
  absent,
  integer,
  listOf,
  nonEmptyString,
  sameMembers,
  secret,
  string,
  timestamp,
  turkishText,
} from "./matchers";
import { INTERIM_FIELDS } from "./sign-in";
import { CONSENTS, PICTURE_URL, type World } from "./world";

const PROVIDERS = ["google", "apple"] as const;

/** docs/contract.md 4.2: sign-in and sign-up with Google and Apple, equal except for Apple's `name`. */
export async function checkProviders(client: Client, world: World): Promise<void> {
  for (const provider of PROVIDERS) {
    await client.runGroup(`4.2 ${provider}, accounts`, () => checkAccounts(client, world, provider));
    await client.runGroup(`4.2 ${provider}, refused tokens`, () =>
      checkRefusedTokens(client, world, provider),
    );
    await client.runGroup(`4.2 ${provider}, gates`, () => checkGates(client, world, provider));
  }
  await client.runGroup("4.2 apple, name", () => checkAppleName(client, world));
}

type Provider = (typeof PROVIDERS)[number];

function createSender(client: Client, world: World, provider: Provider) {
  return async (label: string, claims?: Record<string, unknown>, extraFields: Record<string, unknown> = {}) =>
    client.post(`4.2 ${provider}, ${label}`, `/api/auth/${provider}`, {
      id_token: world.signIdToken(claims),
      ...extraFields,
    });
}

async function checkAccounts(client: Client, world: World, provider: Provider): Promise<void> {
  const send = createSender(client, world, provider);
  const identity = world.nextIdentity();
  const reply = await send("a new account", identity);
  client.expectFields(reply, 200, {
    success: true,
    "user.id": integer,
    "user.name": "Zeynep Ak",
    "user.email": identity.email,
    "user.avatar_url": PICTURE_URL,
    "user.role": "user",
    "user.provider": provider,
    "user.email_verified_at": timestamp,
    token: secret,
    modules: listOf(string),
    requires_2fa: absent,
  });
  const token = reply.textAt("token");
  const ownReply = await client.get(`3 ${provider}: the new account`, "/api/auth/user", { token });
  client.expectFields(ownReply, 200, {
    "user.credits": 1000,
    "user.email_verified_at": timestamp,
    "user.provider": provider,
    "user.avatar_url": PICTURE_URL,
    "user.is_active": true,
  });
  const secondReply = await send("the same identity again", identity);
  client.expectRow(secondReply, 200, { "user.id": reply.numberAt("user.id"), token: secret });

  const consentingIdentity = world.nextIdentity();
  const consentReply = await send("all consents with a new account", consentingIdentity, {
    consents: CONSENTS,
  });
  client.expectRow(consentReply, 200, { consents_required: absent });
  const optionalConsents = { marketing: true, analytics: false, cookie_marketing: true };
  client.expectRow(await send("only optional consents", undefined, { consents: optionalConsents }), 200, {
    success: true,
  });
  client.expectRow(await send("consents {}", undefined, { consents: {} }), 200, { success: true });
  client.expectRow(await send("consents []", undefined, { consents: [] }), 200, { success: true });
  client.expectRow(await send("consents null", undefined, { consents: null }), 200, { success: true });
  const lateReply = await send("consents of an existing account", identity, { consents: CONSENTS });
  client.expectRow(lateReply, 200, { consents_required: sameMembers(...Object.keys(CONSENTS)) });

  const person = await world.createPerson();
  const linkedReply = await send("the address of an account that exists", { email: person.email });
  client.expectRow(linkedReply, 200, { "user.id": person.id, "user.email": person.email });
  const namelessReply = await send("no name in the token", { name: undefined });
  client.expectRow(namelessReply, 200, { "user.name": nonEmptyString });
}

async function checkRefusedTokens(client: Client, world: World, provider: Provider): Promise<void> {
  const send = createSender(client, world, provider);
  const path = `/api/auth/${provider}`;
  const forgedReply = await client.post(`4.2 ${provider}, a wrong signature`, path, {
    id_token: world.signIdToken({}, world.identityProvider.keys.stranger),
  });
  client.expectFields(forgedReply, 401, { success: false, error: turkishText, token: absent });
  const now = Math.floor(Date.now() / 1000);
  const expiredClaims = { iat: now - 7200, exp: now - 3600 };
  client.expectRow(await send("an expired token", expiredClaims), 401, {
    success: false,
    error: nonEmptyString,
  });
  const foreignReply = await send("a token of another issuer", { iss: "https://evil.example.com" });
  client.expectRow(foreignReply, 401, { success: false, error: nonEmptyString });
  client.expectFields(await send("a token for another application", { aud: "other.client" }), 401, {
    success: false,
    error: turkishText,
    token: absent,
  });
  const malformedReply = await client.post(`4.2 ${provider}, no JWT`, path, { id_token: "not.a.token" });
  client.expectRow(malformedReply, 401, { success: false, error: nonEmptyString });
  client.expectFields(await send("an unverified e-mail", { email_verified: false }), 403, {
    success: false,
    error: turkishText,
    token: absent,
  });
  client.expectFields(await send("no e-mail", { email: undefined }), 422, {
    success: false,
    error: turkishText,
    token: absent,
    errors: absent,
  });
  for (const [variant, id_token] of [
    ["left out", undefined],
    ["null", null],
    ["empty", ""],
    ["a number", 1],
  ] as const)
    client.expectInvalid(
      await client.post(`4.2 ${provider}, id_token ${variant}`, path, { id_token }),
      "id_token",
    );
  client.expectRow(await send("consents with a word", undefined, { consents: { terms: "perhaps" } }), 422, {
    token: absent,
  });
}

async function checkGates(client: Client, world: World, provider: Provider): Promise<void> {
  const send = createSender(client, world, provider);
  const identity = world.nextIdentity();
  const accountReply = await send("an account for the gates", identity);
  const person = {
    id: accountReply.numberAt("user.id"),
    name: "",
    email: identity.email,
    token: accountReply.textAt("token"),
  };
  client.expectRow(await world.signIn(`4.2 ${provider}: the account has no password`, identity.email), 401, {
    token: absent,
  });
  await world.enableTotp(person);
  client.expectFields(await send("a second factor", identity), 200, INTERIM_FIELDS);
  await world.updateUser(person, { is_active: false });
  client.expectFields(await send("a passive account", identity), 403, {
    success: false,
    error: turkishText,
    token: absent,
    interim_token: absent,
  });
}

async function checkAppleName(client: Client, world: World): Promise<void> {
  const send = createSender(client, world, "apple");
  const identity = world.nextIdentity();
  const firstReply = await send("name with a new account", identity, { name: "Deniz Su" });
  client.expectRow(firstReply, 200, { "user.name": "Deniz Su" });
  const secondReply = await send("name with an existing account", identity, { name: "Someone Else" });
  client.expectRow(secondReply, 200, { "user.name": "Deniz Su" });
  const longNameReply = await send("name of 255 characters", undefined, { name: "ö".repeat(255) });
  client.expectRow(longNameReply, 200, { "user.name": "ö".repeat(255) });
  client.expectInvalid(await send("name of 256 characters", undefined, { name: "ö".repeat(256) }), "name");
  client.expectInvalid(await send("name a number", undefined, { name: 5 }), "name");
  client.expectRow(await send("name null", { name: "Zeynep Ak" }, { name: null }), 200, {
    "user.name": "Zeynep Ak",
  });
}

/** docs/contract.md 4.2 and 7: 500 when a provider is not configured. `url` is a server without providers. */
export async function checkNotConfigured(client: Client, url: string): Promise<void> {
  for (const provider of PROVIDERS) {
    const operationUrl = new URL(`/api/auth/${provider}`, url);
    const reply = await client.postToOrigin(`4.2 ${provider}, not configured`, operationUrl, {
      id_token: "not.a.token",
    });
    client.expectFields(reply, 500, { success: false, error: turkishText });
  }
}

/** docs/contract.md 4.11: an account from a provider needs the consents before it creates a site. */
export async function checkProviderSites(client: Client, world: World): Promise<void> {
  await client.runGroup("4.11 sites of accounts made by a provider", async () => {
    const identity = world.nextIdentity();
    const accountReply = await createSender(
      client,
      world,
      "google",
    )("an account that wants a site", identity);
    const person = { id: accountReply.numberAt("user.id"), token: accountReply.textAt("token") };
    const create = (label: string, extraFields: Record<string, unknown> = {}) =>
      client.post(
        `4.11 provider account, ${label}`,
        "/api/sites",
        { name: "Ak Atölye", domain: world.nextDomain(), ...extraFields },
        { token: person.token },
      );
    client.expectFields(await create("no slot, consents missing"), 403, {
      success: false,
      error: turkishText,
      requires_upgrade: true,
      missing_consents: absent,
    });
    await world.updateUser(person, { role: "reseller" });
    client.expectFields(await create("a reseller without a slot, consents missing"), 402, {
      success: false,
      requires_confirmation: true,
      missing_consents: absent,
    });
    await world.updateUser(person, { role: "user" });
    await world.createSubscription(person, 1);
    client.expectFields(await create("a free slot, consents missing"), 403, {
      success: false,
      error: turkishText,
      missing_consents: sameMembers(...Object.keys(CONSENTS)),
      requires_upgrade: absent,
    });
    await client.put(
      "preparation: consents of a provider account",
      "/api/profile/consents",
      { consents: CONSENTS },
      { token: person.token },
    );
    client.expectRow(await create("a free slot, consents given"), 201, { success: true });
  });
}
