import type { Client } from "./client";
import { absent, integer, listOf, members, secret, string, text, timestamp, turkish } from "./matchers";
import { INTERIM } from "./sign-in";
import { CONSENTS, PICTURE, type World } from "./world";

const PROVIDERS = ["google", "apple"] as const;

/** docs/contract.md 4.2: sign-in and sign-up with Google and Apple, equal except for Apple's `name`. */
export async function providers(client: Client, world: World): Promise<void> {
  for (const provider of PROVIDERS) {
    await client.group(`4.2 ${provider}, accounts`, () => accounts(client, world, provider));
    await client.group(`4.2 ${provider}, refused tokens`, () => refusedTokens(client, world, provider));
    await client.group(`4.2 ${provider}, gates`, () => gates(client, world, provider));
  }
  await client.group("4.2 apple, name", () => appleName(client, world));
}

type Provider = (typeof PROVIDERS)[number];

function sender(client: Client, world: World, provider: Provider) {
  return async (label: string, claims?: Record<string, unknown>, more: Record<string, unknown> = {}) =>
    client.post(`4.2 ${provider}, ${label}`, `/api/auth/${provider}`, {
      id_token: world.idToken(claims),
      ...more,
    });
}

async function accounts(client: Client, world: World, provider: Provider): Promise<void> {
  const send = sender(client, world, provider);
  const identity = world.identity();
  const reply = await send("a new account", identity);
  client.expectFields(reply, 200, {
    success: true,
    "user.id": integer,
    "user.name": "Zeynep Ak",
    "user.email": identity.email,
    "user.avatar_url": PICTURE,
    "user.role": "user",
    "user.provider": provider,
    "user.email_verified_at": timestamp,
    token: secret,
    modules: listOf(string),
    requires_2fa: absent,
  });
  const token = reply.text("token");
  const own = await client.get(`3 ${provider}: the new account`, "/api/auth/user", { token });
  client.expectFields(own, 200, {
    "user.credits": 1000,
    "user.email_verified_at": timestamp,
    "user.provider": provider,
    "user.avatar_url": PICTURE,
    "user.is_active": true,
  });
  const again = await send("the same identity again", identity);
  client.expectRow(again, 200, { "user.id": reply.number("user.id"), token: secret });

  const consenting = world.identity();
  const consented = await send("all consents with a new account", consenting, { consents: CONSENTS });
  client.expectRow(consented, 200, { consents_required: absent });
  const optional = { marketing: true, analytics: false, cookie_marketing: true };
  client.expectRow(await send("only optional consents", undefined, { consents: optional }), 200, {
    success: true,
  });
  client.expectRow(await send("consents {}", undefined, { consents: {} }), 200, { success: true });
  client.expectRow(await send("consents []", undefined, { consents: [] }), 200, { success: true });
  client.expectRow(await send("consents null", undefined, { consents: null }), 200, { success: true });
  const late = await send("consents of an existing account", identity, { consents: CONSENTS });
  client.expectRow(late, 200, { consents_required: members(...Object.keys(CONSENTS)) });

  const person = await world.person();
  const linked = await send("the address of an account that exists", { email: person.email });
  client.expectRow(linked, 200, { "user.id": person.id, "user.email": person.email });
  const named = await send("no name in the token", { name: undefined });
  client.expectRow(named, 200, { "user.name": text });
}

async function refusedTokens(client: Client, world: World, provider: Provider): Promise<void> {
  const send = sender(client, world, provider);
  const path = `/api/auth/${provider}`;
  const forged = await client.post(`4.2 ${provider}, a wrong signature`, path, {
    id_token: world.idToken({}, world.provider.keys.stranger),
  });
  client.expectFields(forged, 401, { success: false, error: turkish, token: absent });
  const now = Math.floor(Date.now() / 1000);
  const expired = { iat: now - 7200, exp: now - 3600 };
  client.expectRow(await send("an expired token", expired), 401, { success: false, error: text });
  const foreign = await send("a token of another issuer", { iss: "https://evil.example.com" });
  client.expectRow(foreign, 401, { success: false, error: text });
  client.expectFields(await send("a token for another application", { aud: "other.client" }), 401, {
    success: false,
    error: turkish,
    token: absent,
  });
  const garbage = await client.post(`4.2 ${provider}, no JWT`, path, { id_token: "not.a.token" });
  client.expectRow(garbage, 401, { success: false, error: text });
  client.expectFields(await send("an unverified e-mail", { email_verified: false }), 403, {
    success: false,
    error: turkish,
    token: absent,
  });
  client.expectFields(await send("no e-mail", { email: undefined }), 422, {
    success: false,
    error: turkish,
    token: absent,
    errors: absent,
  });
  for (const [what, id_token] of [
    ["left out", undefined],
    ["null", null],
    ["empty", ""],
    ["a number", 1],
  ] as const)
    client.expectInvalid(
      await client.post(`4.2 ${provider}, id_token ${what}`, path, { id_token }),
      "id_token",
    );
  client.expectRow(await send("consents with a word", undefined, { consents: { terms: "perhaps" } }), 422, {
    token: absent,
  });
}

async function gates(client: Client, world: World, provider: Provider): Promise<void> {
  const send = sender(client, world, provider);
  const identity = world.identity();
  const account = await send("an account for the gates", identity);
  const person = {
    id: account.number("user.id"),
    name: "",
    email: identity.email,
    token: account.text("token"),
  };
  client.expectRow(await world.login(`4.2 ${provider}: the account has no password`, identity.email), 401, {
    token: absent,
  });
  await world.totp(person);
  client.expectFields(await send("a second factor", identity), 200, INTERIM);
  await world.set(person, { is_active: false });
  client.expectFields(await send("a passive account", identity), 403, {
    success: false,
    error: turkish,
    token: absent,
    interim_token: absent,
  });
}

async function appleName(client: Client, world: World): Promise<void> {
  const send = sender(client, world, "apple");
  const identity = world.identity();
  const first = await send("name with a new account", identity, { name: "Deniz Su" });
  client.expectRow(first, 200, { "user.name": "Deniz Su" });
  const again = await send("name with an existing account", identity, { name: "Someone Else" });
  client.expectRow(again, 200, { "user.name": "Deniz Su" });
  const longest = await send("name of 255 characters", undefined, { name: "ö".repeat(255) });
  client.expectRow(longest, 200, { "user.name": "ö".repeat(255) });
  client.expectInvalid(await send("name of 256 characters", undefined, { name: "ö".repeat(256) }), "name");
  client.expectInvalid(await send("name a number", undefined, { name: 5 }), "name");
  client.expectRow(await send("name null", { name: "Zeynep Ak" }, { name: null }), 200, {
    "user.name": "Zeynep Ak",
  });
}

/** docs/contract.md 4.2 and 7: 500 when a provider is not configured. `url` is a server without providers. */
export async function notConfigured(client: Client, url: string): Promise<void> {
  for (const provider of PROVIDERS) {
    const bare = new URL(`/api/auth/${provider}`, url);
    const reply = await client.postTo(`4.2 ${provider}, not configured`, bare, {
      id_token: "not.a.token",
    });
    client.expectFields(reply, 500, { success: false, error: turkish });
  }
}

/** docs/contract.md 4.11: an account from a provider needs the consents before it creates a site. */
export async function providerSites(client: Client, world: World): Promise<void> {
  await client.group("4.11 sites of accounts made by a provider", async () => {
    const identity = world.identity();
    const account = await sender(client, world, "google")("an account that wants a site", identity);
    const person = { id: account.number("user.id"), token: account.text("token") };
    const create = (label: string, more: Record<string, unknown> = {}) =>
      client.post(
        `4.11 provider account, ${label}`,
        "/api/sites",
        { name: "Ak Atölye", domain: world.domain(), ...more },
        { token: person.token },
      );
    client.expectFields(await create("no slot, consents missing"), 403, {
      success: false,
      error: turkish,
      requires_upgrade: true,
      missing_consents: absent,
    });
    await world.set(person, { role: "reseller" });
    client.expectFields(await create("a reseller without a slot, consents missing"), 402, {
      success: false,
      requires_confirmation: true,
      missing_consents: absent,
    });
    await world.set(person, { role: "user" });
    await world.subscription(person, 1);
    client.expectFields(await create("a free slot, consents missing"), 403, {
      success: false,
      error: turkish,
      missing_consents: members(...Object.keys(CONSENTS)),
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
