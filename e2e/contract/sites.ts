import type { Client } from "./client";
import {
  absent,
  boolean,
  describeExpectation,
  integer,
  matching,
  nonEmptyString,
  number,
  object,
  orNull,
  string,
  timestamp,
  turkishText,
} from "./matchers";
import type { Person, World } from "./world";

const PATH = "/api/sites";
const UNKNOWN_ID = 2_147_483_647;

const SITE_FIELDS = {
  id: integer,
  name: nonEmptyString,
  domain: nonEmptyString,
  user_id: integer,
  api_key: nonEmptyString,
  is_active: boolean,
  system_prompt: orNull(string),
  widget_color: matching(/^#[0-9A-F]{6}$/i),
  widget_position: nonEmptyString,
  welcome_message: string,
  bot_name: string,
  ai_enabled: boolean,
  similarity_threshold: number,
  ai_provider_api_key: orNull(string),
  subscription_id: integer,
  settings: object,
  "settings.max_messages_per_session": integer,
  created_at: timestamp,
  updated_at: timestamp,
};

/** docs/contract.md 2.3, 4.11 and 5.6: sites, their billing, and access to them. */
export async function checkSites(client: Client, world: World): Promise<void> {
  await client.runGroup("4.11 sites, reading", () => checkReading(client, world));
  await client.runGroup("4.11 sites, fields", () => checkFields(client, world));
  await client.runGroup("4.11 sites, refused fields", () => checkRefusedFields(client, world));
  await client.runGroup("4.11 sites, billing", () => checkBilling(client, world));
  await client.runGroup("5.6 sites, scope", () => checkScope(client, world));
}

function prefixKeys(prefix: string, shape: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(shape).map(([name, expected]) => [`${prefix}.${name}`, expected]));
}

async function checkReading(client: Client, world: World): Promise<void> {
  const newcomer = await world.createPerson();
  const emptyReply = await client.get("4.11 GET /api/sites, no sites", PATH, { token: newcomer.token });
  client.expectRow(emptyReply, 200, { data: [] });
  const { owner, site } = await world.createOwner();
  const { token } = owner;
  client.expectFields(
    await client.get("4.11 GET /api/sites", PATH, { token }),
    200,
    prefixKeys("data.0", SITE_FIELDS),
  );
  const detailReply = await client.get("4.11 GET /api/sites/{id}", `${PATH}/${site.id}`, { token });
  client.expectFields(detailReply, 200, prefixKeys("data", { ...SITE_FIELDS, faqs_count: integer }));
  client.expectRow(detailReply, 200, {
    "data.id": site.id,
    "data.user_id": owner.id,
    "data.domain": site.domain,
  });
  const apiKey = detailReply.textAt("data.api_key");
  client.addCheck("2.3 api_key: hidden in a detail", detailReply, apiKey !== site.api_key, "hidden", apiKey);

  const missingReply = await client.get("4.11 GET /api/sites/{id}, missing", `${PATH}/${UNKNOWN_ID}`, {
    token,
  });
  client.expectFields(missingReply, 404, { message: matching(/Site/), success: absent, data: absent });
  client.expectRow(await client.get("4.11 GET /api/sites/{id}, no number", `${PATH}/abc`, { token }), 404, {
    message: nonEmptyString,
  });
}

async function checkFields(client: Client, world: World): Promise<void> {
  const owner = await world.createPerson();
  const subscriptionId = await world.createSubscription(owner, 20);
  const { token } = owner;
  const createSite = (label: string, extraFields: Record<string, unknown>) =>
    client.post(
      `4.11 POST /api/sites, ${label}`,
      PATH,
      { name: "Kaya Çay", domain: world.nextDomain(), ...extraFields },
      { token },
    );

  const plainReply = await createSite("name and domain", {});
  client.expectFields(plainReply, 201, {
    success: true,
    "site.id": integer,
    "site.name": "Kaya Çay",
    "site.domain": nonEmptyString,
    "site.api_key": matching(/^dsk_\w{20,}$/),
    "site.user_id": owner.id,
    "site.subscription_id": subscriptionId,
    "site.is_active": true,
    "site.created_at": timestamp,
    "billing.mode": "subscription_slot",
    "billing.remaining_slots": 19,
  });
  const rows: Array<[string, unknown, unknown?]> = [
    ["name", "Ş".repeat(255)],
    ["widget_color", "#12ab9F", "#12ab9F"],
    ["widget_color", "#fff", "#ffffff"],
    ["widget_position", "bottom-left"],
    ["widget_position", "bottom-right"],
    ["welcome_message", "Merhaba!\nNasıl yardım edebilirim?"],
    ["bot_name", "Ada"],
    ["ai_enabled", false],
    ["ai_enabled", true],
    ["similarity_threshold", 0],
    ["similarity_threshold", 0.42],
    ["similarity_threshold", 1],
    ["system_prompt", "Kısa yanıt ver."],
  ];
  for (const [field, input, stored = input] of rows) {
    const variant = `${field} ${describeExpectation(input)}`;
    const creationReply = await createSite(variant, { [field]: input });
    const id = creationReply.valueAt("site.id");
    const siteReply =
      typeof id === "number" ? await client.get(`2.3 ${variant}`, `${PATH}/${id}`, { token }) : creationReply;
    client.expectRow(siteReply, 200, { [`data.${field}`]: stored });
  }
}

async function checkRefusedFields(client: Client, world: World): Promise<void> {
  const { owner, site } = await world.createOwner();
  const stranger = await world.createPerson();
  await world.createSubscription(stranger, 2);
  const rows: Array<[string, Record<string, unknown>, string]> = [
    ["name left out", { name: undefined }, "name"],
    ["name empty", { name: "" }, "name"],
    ["name a number", { name: 5 }, "name"],
    ["name of 256 characters", { name: "Ş".repeat(256) }, "name"],
    ["domain left out", { domain: undefined }, "domain"],
    ["domain empty", { domain: "" }, "domain"],
    ["domain a single word", { domain: "kahve" }, "domain"],
    ["domain with a space", { domain: "kaya kahve.com" }, "domain"],
    ["domain an address of a machine", { domain: "192.168.1.1" }, "domain"],
    ["domain a number", { domain: 5 }, "domain"],
    ["domain taken by another account", { domain: site.domain }, "domain"],
    ["widget_color a word", { widget_color: "red" }, "widget_color"],
    ["widget_color of 5 digits", { widget_color: "#12345" }, "widget_color"],
    ["widget_color not hexadecimal", { widget_color: "#12345g" }, "widget_color"],
    ["widget_position elsewhere", { widget_position: "middle" }, "widget_position"],
    ["ai_enabled a word", { ai_enabled: "perhaps" }, "ai_enabled"],
    ["similarity_threshold a word", { similarity_threshold: "high" }, "similarity_threshold"],
    ["similarity_threshold below 0", { similarity_threshold: -0.1 }, "similarity_threshold"],
    ["similarity_threshold above 1", { similarity_threshold: 1.1 }, "similarity_threshold"],
    ["bot_name a list", { bot_name: ["Ada"] }, "bot_name"],
    ["confirm_pay_per_site a word", { confirm_pay_per_site: "perhaps" }, "confirm_pay_per_site"],
    ["confirm_paid_site a word", { confirm_paid_site: "perhaps" }, "confirm_paid_site"],
  ];
  const createSite = (label: string, extraFields: Record<string, unknown>, { token }: Person) =>
    client.post(
      `4.11 POST /api/sites, ${label}`,
      PATH,
      { name: "Kaya Çay", domain: world.nextDomain(), ...extraFields },
      { token },
    );
  for (const [variant, extraFields, field] of rows)
    client.expectInvalid(await createSite(variant, extraFields, stranger), field);
  await world.createSubscription(owner, 1);
  const duplicateReply = await createSite(
    "domain of one's own site in capitals",
    { domain: site.domain.toUpperCase() },
    owner,
  );
  client.expectInvalid(duplicateReply, "domain");
  const listReply = await client.get("4.11 refused sites are not created", PATH, { token: stranger.token });
  client.expectRow(listReply, 200, { data: [] });
}

async function checkBilling(client: Client, world: World): Promise<void> {
  const createSite = (label: string, { token }: Person, extraFields: Record<string, unknown> = {}) =>
    client.post(
      `4.11 billing, ${label}`,
      PATH,
      { name: "Kaya Çay", domain: world.nextDomain(), ...extraFields },
      { token },
    );
  const expectSiteCount = async (label: string, { token }: Person, length: number) => {
    const reply = await client.get(`4.11 billing, ${label}`, PATH, { token });
    const data = reply.valueAt("data");
    const actual = Array.isArray(data) ? data.length : data;
    client.addCheck(
      `4.11 billing, ${label}: ${length} sites`,
      reply,
      actual === length,
      String(length),
      actual,
    );
  };

  const plainPerson = await world.createPerson();
  const upgradeFields = { success: false, error: turkishText, requires_upgrade: true };
  client.expectFields(await createSite("no slot, no reseller", plainPerson), 403, {
    ...upgradeFields,
    site: absent,
  });
  const confirmations = { confirm_pay_per_site: true, confirm_paid_site: true };
  client.expectRow(
    await createSite("no slot, no reseller, confirmed", plainPerson, confirmations),
    403,
    upgradeFields,
  );
  await expectSiteCount("no slot, no reseller", plainPerson, 0);
  const wrongReply = await createSite("no slot and a wrong field", plainPerson, { domain: "kahve" });
  client.expectInvalid(wrongReply, "domain");

  const twoSlotPerson = await world.createPerson();
  await world.createSubscription(twoSlotPerson, 2);
  client.expectRow(await createSite("the first of two slots", twoSlotPerson), 201, {
    "billing.remaining_slots": 1,
  });
  client.expectRow(await createSite("the last of two slots", twoSlotPerson), 201, {
    "billing.remaining_slots": 0,
  });
  client.expectRow(await createSite("two slots, both full", twoSlotPerson), 403, upgradeFields);
  await expectSiteCount("two slots, both full", twoSlotPerson, 2);

  const reseller = await world.createReseller("FATURA2026");
  const confirmationFields = {
    success: false,
    error: turkishText,
    requires_confirmation: true,
    billing_mode: "pay_per_site",
    annual_price_try: 3999,
    site: absent,
  };
  client.expectFields(await createSite("a reseller without a slot", reseller), 402, confirmationFields);
  client.expectRow(
    await createSite("a reseller who does not confirm", reseller, { confirm_pay_per_site: false }),
    402,
    confirmationFields,
  );
  await expectSiteCount("a reseller who did not confirm", reseller, 0);
  const licensedReply = await createSite("a reseller who confirms", reseller, { confirm_pay_per_site: true });
  client.expectFields(licensedReply, 201, {
    success: true,
    "site.id": integer,
    "site.user_id": reseller.id,
    "site.is_active": true,
    "site.subscription_id": null,
    "site.api_key": nonEmptyString,
    "billing.mode": "pay_per_site",
    "billing.annual_price_try": 3999,
  });
  const aliasReply = await createSite("a reseller who confirms by confirm_paid_site", reseller, {
    confirm_paid_site: true,
  });
  client.expectRow(aliasReply, 201, { "billing.mode": "pay_per_site" });
  await world.createSubscription(reseller, 1);
  client.expectRow(
    await createSite("a reseller with a free slot", reseller, { confirm_pay_per_site: true }),
    201,
    {
      "billing.mode": "subscription_slot",
      "billing.remaining_slots": 0,
    },
  );
  await expectSiteCount("a reseller afterwards", reseller, 3);
}

async function checkScope(client: Client, world: World): Promise<void> {
  const reseller = await world.createReseller("KAPSAM2026");
  const {
    owner: customer,
    site: firstSite,
    sites,
  } = await world.createOwner(2, { reseller_id: reseller.id });
  const secondSite = sites[1]!;
  const { owner: stranger } = await world.createOwner();
  const agent = await world.createPerson({
    is_agent_only: true,
    parent_user_id: customer.id,
    assigned_site_id: firstSite.id,
  });
  const admin = await world.createPerson({ role: "admin" });
  const forbiddenFields = { message: "This action is unauthorized.", success: absent, data: absent };
  const readSite = (label: string, { id }: { id: number }, { token }: Person) =>
    client.get(`5.6 GET /api/sites/{id}, ${label}`, `${PATH}/${id}`, { token });
  client.expectFields(await readSite("another account's", firstSite, stranger), 403, forbiddenFields);
  client.expectRow(await readSite("a customer's, by the reseller", firstSite, reseller), 200, {
    "data.id": firstSite.id,
  });
  client.expectRow(await readSite("the agent's", firstSite, agent), 200, { "data.id": firstSite.id });
  client.expectRow(await readSite("another of the agent's owner", secondSite, agent), 403, forbiddenFields);
  client.expectRow(await readSite("any account's, by an administrator", firstSite, admin), 200, {
    "data.id": firstSite.id,
  });

  const expectSiteIds = async (label: string, { token }: Person, expected: number[]) => {
    const reply = await client.get(`5.6 GET /api/sites, ${label}`, PATH, { token });
    const data = reply.valueAt("data");
    const ids = Array.isArray(data) ? data.map(({ id }) => id) : [];
    const isMatch = reply.status === 200 && ids.join() === expected.join();
    client.addCheck(`5.6 GET /api/sites, ${label}`, reply, isMatch, `${expected.length} sites`, ids);
  };
  await expectSiteIds("the owner's own only", customer, [firstSite.id, secondSite.id]);
  await expectSiteIds("a reseller's, with those of customers", reseller, [firstSite.id, secondSite.id]);
  await expectSiteIds("an agent's, the assigned one only", agent, [firstSite.id]);
  const body = { name: "Kaya Çay", domain: world.nextDomain() };
  const creationReply = await client.post("5.6 POST /api/sites by an agent", PATH, body, {
    token: agent.token,
  });
  client.expectRow(creationReply, 403, { message: "This action is unauthorized." });
}
