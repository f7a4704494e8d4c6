import type { Client } from "./client";
import { absent, integer, matching, nonEmptyString, secret } from "./matchers";
import { checkRetryAfter } from "./second-factor";
import type { World } from "./world";

const FORBIDDEN_FIELDS = { message: "This action is unauthorized." };
const UNAUTHENTICATED_FIELDS = { message: "Unauthenticated." };
const UNKNOWN_ID = 2_147_483_647;
const buildKeyPath = (siteId: number) => `/api/sites/${siteId}/regenerate-external-key`;

const FORBIDDEN_CALLS: Array<[string, string, unknown?]> = [
  ["GET", "/api/user"],
  ["GET", "/api/auth/user"],
  ["GET", "/api/subscription-plans"],
  ["GET", "/api/profile/2fa/methods"],
  ["GET", "/api/profile/passkeys"],
  ["PUT", "/api/user", { name: "Ece" }],
  ["PUT", "/api/auth/profile", { name: "Ece" }],
  ["PUT", "/api/user/locale", { locale: "de" }],
  ["PUT", "/api/user/menu-labels", { menu_labels: {} }],
  ["POST", "/api/sites", { name: "Ece", domain: "ece.example.com" }],
  ["POST", "/api/profile/passkeys/register/options"],
  ["POST", "/api/auth/account/delete-request"],
  ["POST", "/api/auth/account/confirm-delete", { confirmation: "DELETE" }],
  ["POST", "/api/auth/logout"],
];

/** docs/contract.md 4.12 and 5.3 (external keys of sites), 5.2 (tokens created in the panel). */
export async function checkKeys(client: Client, world: World): Promise<void> {
  await client.runGroup("4.12 external keys", () => checkExternalKeys(client, world));
  await client.runGroup("4.12 who may regenerate", () => checkKeyManagers(client, world));
  await client.runGroup("5.2 tokens of the panel", () => checkPanelTokens(client, world));
}

async function checkExternalKeys(client: Client, world: World): Promise<void> {
  const { owner, site, sites } = await world.createOwner(2);
  const sibling = sites[1]!;
  const { token } = owner;
  const reply = await client.post("4.12 regenerate-external-key", buildKeyPath(site.id), undefined, {
    token,
  });
  client.expectFields(reply, 200, { external_api_key: matching(/^dse_\w{20,}$/) });
  const key = reply.textAt("external_api_key");
  const listReply = await client.get("5.3 X-API-Key, GET /api/sites", "/api/sites", { key });
  client.expectRow(listReply, 200, { "data.0.id": site.id, "data.1": absent });
  const ownReply = await client.get("5.3 X-API-Key, GET /api/sites/{id}", `/api/sites/${site.id}`, { key });
  client.expectRow(ownReply, 200, { "data.id": site.id });
  const otherReply = await client.get(
    "5.3 X-API-Key, another site of the owner",
    `/api/sites/${sibling.id}`,
    {
      key,
    },
  );
  client.expectFields(otherReply, 403, FORBIDDEN_FIELDS);
  for (const [method, path, body] of FORBIDDEN_CALLS)
    client.expectRow(
      await client.call(`5.3 X-API-Key, ${method} ${path}`, method, path, { key, body }),
      403,
      FORBIDDEN_FIELDS,
    );
  const renewalReply = await client.post(
    "5.3 X-API-Key, regenerate-external-key",
    buildKeyPath(site.id),
    undefined,
    {
      key,
    },
  );
  client.expectRow(renewalReply, 403, FORBIDDEN_FIELDS);

  const bearerReply = await client.get("5.3 an external key as Bearer", "/api/sites", { token: key });
  client.expectRow(bearerReply, 401, UNAUTHENTICATED_FIELDS);
  const widgetReply = await client.get("5.3 a widget key as X-API-Key", "/api/sites", { key: site.api_key });
  client.expectRow(widgetReply, 401, UNAUTHENTICATED_FIELDS);
  for (const [variant, wrongKey] of [
    ["an unknown one", `dse_${"0".repeat(49)}`],
    ["one with a changed letter", `${key.slice(0, -1)}${key.endsWith("a") ? "b" : "a"}`],
    ["a word", "open"],
    ["a user token", token],
  ] as const)
    client.expectRow(
      await client.get(`5.3 X-API-Key, ${variant}`, "/api/sites", { key: wrongKey }),
      401,
      UNAUTHENTICATED_FIELDS,
    );

  const secondReply = await client.post(
    "4.12 regenerate-external-key again",
    buildKeyPath(site.id),
    {},
    { token },
  );
  client.expectRow(secondReply, 200, { external_api_key: secret });
  const oldKeyReply = await client.get("4.12 the key before the new one", "/api/sites", { key });
  client.expectRow(oldKeyReply, 401, UNAUTHENTICATED_FIELDS);
  const newKeyOptions = { key: secondReply.textAt("external_api_key") };
  client.expectRow(await client.get("4.12 the new key", "/api/sites", newKeyOptions), 200, {
    "data.0.id": site.id,
  });
  await world.updateUser(owner, { is_active: false });
  const passiveReply = await client.get("2.1 the key of a passive account", "/api/sites", newKeyOptions);
  const isRefused = [401, 403].includes(passiveReply.status);
  client.addCheck(
    "2.1 a passive account's key is refused",
    passiveReply,
    isRefused,
    "401 or 403",
    passiveReply.status,
  );
}

async function checkKeyManagers(client: Client, world: World): Promise<void> {
  const reseller = await world.createReseller("ANAHTAR2026");
  const { owner, site } = await world.createOwner(1, { reseller_id: reseller.id });
  const agent = await world.createPerson({
    is_agent_only: true,
    parent_user_id: owner.id,
    assigned_site_id: site.id,
  });
  const stranger = await world.createPerson();
  const renewKey = (label: string, token: string | undefined, id = site.id) =>
    client.post(`4.12 regenerate-external-key, ${label}`, buildKeyPath(id), {}, { token });
  client.expectFields(await renewKey("another account's site", stranger.token), 403, {
    ...FORBIDDEN_FIELDS,
    external_api_key: absent,
  });
  client.expectRow(await renewKey("the site's agent", agent.token), 403, FORBIDDEN_FIELDS);
  client.expectRow(await renewKey("the reseller of the owner", reseller.token), 200, {
    external_api_key: secret,
  });
  client.expectRow(await renewKey("a site that does not exist", owner.token, UNKNOWN_ID), 404, {
    message: nonEmptyString,
  });
}

async function checkPanelTokens(client: Client, world: World): Promise<void> {
  const path = "/api/user/tokens";
  const person = await world.createPerson();
  const stranger = await world.createPerson();
  const { token } = person;
  const reply = await client.post("5.2 a token generated in the panel", path, { name: "CRM" }, { token });
  client.expectFields(reply, 201, {
    success: true,
    token: secret,
    "access_token.id": integer,
    "access_token.name": "CRM",
  });
  const generatedToken = reply.textAt("token");
  const ownReply = await client.get("5.2 the generated token signs in", "/api/user", {
    token: generatedToken,
  });
  client.expectRow(ownReply, 200, { "user.id": person.id });
  client.expectInvalid(await client.post("5.2 a token without a name", path, {}, { token }), "name");

  const removeToken = (label: string, id: number, callerToken: string) =>
    client.delete(`5.5 DELETE ${path}/{id}, ${label}`, `${path}/${id}`, { token: callerToken });
  const id = reply.numberAt("access_token.id");
  client.expectRow(await removeToken("another account's", id, stranger.token), 403, FORBIDDEN_FIELDS);
  client.expectRow(await removeToken("one that does not exist", UNKNOWN_ID, token), 404, {
    message: nonEmptyString,
  });
  const unaffectedReply = await client.get("5.5 the token works after a stranger's attempt", "/api/user", {
    token: generatedToken,
  });
  client.expectRow(unaffectedReply, 200, { "user.id": person.id });
  client.expectRow(await removeToken("one's own", id, token), 200, { success: true });
  client.expectRow(await removeToken("one that is gone", id, token), 404, { message: nonEmptyString });
  const removedReply = await client.get("5.5 a removed token", "/api/user", { token: generatedToken });
  client.expectRow(removedReply, 401, UNAUTHENTICATED_FIELDS);

  const sessions = await client.get("preparation: sessions", "/api/profile/sessions", { token });
  const endSession = (label: string, sessionId: number, callerToken: string) =>
    client.delete(`5.5 DELETE /api/profile/sessions/{id}, ${label}`, `/api/profile/sessions/${sessionId}`, {
      token: callerToken,
    });
  const ownSessionId = sessions.numberAt("sessions.0.id");
  client.expectRow(
    await endSession("another account's", ownSessionId, stranger.token),
    403,
    FORBIDDEN_FIELDS,
  );
  client.expectRow(await endSession("one that does not exist", UNKNOWN_ID, token), 404, {
    message: nonEmptyString,
  });
  client.expectRow(await endSession("one's own", ownSessionId, token), 200, { success: true });
  client.expectRow(
    await client.get("5.5 an ended session", "/api/user", { token }),
    401,
    UNAUTHENTICATED_FIELDS,
  );
}

/** docs/contract.md 8: at most ten generated tokens per minute, of either kind. */
export async function checkTokenLimits(client: Client, world: World): Promise<void> {
  const limits: Array<[string, (owner: { id: number }) => string, unknown, number]> = [
    ["POST /api/user/tokens", () => "/api/user/tokens", { name: "CRM" }, 201],
    ["regenerate-external-key", ({ id }) => buildKeyPath(id), {}, 200],
  ];
  for (const [variant, getPath, body, status] of limits) {
    await client.runGroup(`8 token generation, ${variant}`, async () => {
      const { owner, site } = await world.createOwner();
      const generate = (number: number) =>
        client.post(`8 token generation, ${variant}: number ${number}`, getPath(site), body, {
          token: owner.token,
          allowsThrottling: true,
        });
      for (let number = 1; number <= 10; number++) client.expectRow(await generate(number), status);
      const eleventhReply = await generate(11);
      client.expectFields(eleventhReply, 429, { message: "Too Many Attempts.", retry_after: absent });
      checkRetryAfter(client, eleventhReply);
    });
  }
}
