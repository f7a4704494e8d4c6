import { Secret, TOTP } from "otpauth";
import { Authenticator } from "@/server/testing/authenticator";
import type { FakeIdentityProvider } from "@/server/testing/identity-provider";
import type { FakeSmtpServer } from "@/server/testing/smtp";
import type { ServerProcess } from "../server-process";
import type { Client } from "./client";
import { waitForMail } from "./mail";

export const PASSWORD = "Kiraz-Vadisi-42";
export const CONSENTS = { terms: true, privacy: true, yurtdisi: true, cagri_kayit: true };

export const PICTURE_URL = "https://pictures.example.com/zeynep.png";

export interface Person {
  id: number;
  name: string;
  email: string;
  token: string;
}

type Columns = Record<string, unknown>;
type CreationOptions = Parameters<Authenticator["create"]>[0];

/** Creates accounts and records for the checks, with SQL where the API cannot. */
export class World {
  #people = 0;
  #identities = 0;
  #domains = 0;

  constructor(
    readonly client: Client,
    readonly server: ServerProcess,
    readonly smtpServer: FakeSmtpServer,
    readonly identityProvider: FakeIdentityProvider,
  ) {}

  /** Returns an unused address; the sequence is the same in every run. */
  nextEmail(): string {
    return `person.${++this.#people}@example.com`;
  }

  nextIdentity(): { sub: string; email: string } {
    const number = ++this.#identities;
    return { sub: `subject-${number}`, email: `provided.${number}@example.com` };
  }

  /** Returns a valid id_token with the given claims; `undefined` omits a claim. */
  signIdToken(claims: Columns = {}, key = this.identityProvider.keys.rsa): string {
    return this.identityProvider.signIdToken({
      claims: { ...this.nextIdentity(), picture: PICTURE_URL, ...claims },
      key,
    });
  }

  waitForMail(address: string, pattern: RegExp, previousMatch?: string): Promise<string> {
    return waitForMail(this.smtpServer, address, pattern, previousMatch);
  }

  nextDomain(): string {
    return `shop-${++this.#domains}.example.com`;
  }

  buildRegistration(changes: Columns = {}): Columns & { email: string } {
    return {
      name: "Ayşe Kaya",
      phone: "+905321112233",
      email: this.nextEmail(),
      password: PASSWORD,
      password_confirmation: PASSWORD,
      consents: CONSENTS,
      ...changes,
    };
  }

  async createPerson(columns: Columns = {}): Promise<Person> {
    const body = this.buildRegistration();
    const reply = await this.client.post(`preparation: ${body.email}`, "/api/auth/register", body);
    const person = {
      id: reply.numberAt("user.id"),
      name: reply.textAt("user.name"),
      email: body.email,
      token: reply.textAt("token"),
    };
    await this.updateUser(person, { email_verified_at: new Date(), ...columns });
    return person;
  }

  async updateUser({ id }: { id: number }, columns: Columns): Promise<void> {
    if (Object.keys(columns).length === 0) return;
    const assignments = Object.keys(columns).map((name, index) => `${name} = $${index + 2}`);
    await this.server.sql(`update users set ${assignments.join(", ")} where id = $1`, [
      id,
      ...Object.values(columns),
    ]);
  }

  async createSubscription(person: { id: number }, slotCount: number): Promise<number> {
    const [row] = await this.server.sql<{ id: number }>(
      `insert into subscriptions (user_id, plan_id, status, site_slots, starts_at, ends_at)
       select $1, id, 'active', $2, now() - interval '1 hour', now() + interval '1 year'
         from subscription_plans where slug = 'pro' returning id`,
      [person.id, slotCount],
    );
    return row!.id;
  }

  async createReseller(referralCode: string, columns: Columns = {}): Promise<Person> {
    const reseller = await this.createPerson({ role: "reseller", ...columns });
    await this.server.sql(
      `insert into resellers (user_id, referral_code, agreement_version, agreement_signed_at)
       values ($1, $2, '2026-11-01', now())`,
      [reseller.id, referralCode],
    );
    return reseller;
  }

  async createSite(owner: Person): Promise<{ id: number; domain: string; api_key: string }> {
    const domain = this.nextDomain();
    const body = { name: "Kaya Kahve", domain };
    const options = { token: owner.token };
    const reply = await this.client.post(`preparation: ${domain}`, "/api/sites", body, options);
    return { id: reply.numberAt("site.id"), domain, api_key: reply.textAt("site.api_key") };
  }

  async createOwner(siteCount = 1, columns: Columns = {}) {
    const owner = await this.createPerson(columns);
    await this.createSubscription(owner, siteCount);
    const sites = [];
    for (let index = 0; index < siteCount; index++) sites.push(await this.createSite(owner));
    return { owner, sites, site: sites[0]! };
  }

  signIn(label: string, email: string, password = PASSWORD) {
    return this.client.post(label, "/api/auth/login", { email, password });
  }

  async enableTotp(person: Person): Promise<{ generateCode(): Promise<string>; recoveryCodes: string[] }> {
    const { token } = person;
    const label = `preparation: app of ${person.email}`;
    const enrolment = await this.client.post(label, "/api/profile/2fa/totp", {}, { token });
    const app = new TOTP({ secret: Secret.fromBase32(enrolment.textAt("secret")) });
    const body = { code: app.generate() };
    const confirmation = await this.client.post(label, "/api/profile/2fa/totp/confirm", body, { token });
    return {
      recoveryCodes: (confirmation.valueAt("recovery_codes") ?? []) as string[],
      // A code is valid once; clearing the last step avoids waiting 30 seconds for the next one.
      generateCode: async () => {
        await this.server.sql("update factors set last_step = null where user_id = $1", [person.id]);
        return app.generate();
      },
    };
  }

  async createInterimToken({ email }: Person, purpose = "sign-in"): Promise<string> {
    return (await this.signIn(`preparation: ${purpose} of ${email}`, email)).textAt("interim_token");
  }

  createAuthenticator(): Authenticator {
    return new Authenticator({ origin: this.server.url, rpId: "localhost" });
  }

  async createPasskey({ token, email }: Person, device = this.createAuthenticator()) {
    const label = `preparation: passkey of ${email}`;
    const enrolment = await this.client.post(label, "/api/profile/passkeys/register/options", {}, { token });
    const credential = device.create(enrolment.valueAt("options") as CreationOptions);
    return { device, credential, challenge_ref: enrolment.textAt("challenge_ref") };
  }

  async registerPasskey(person: Person): Promise<{ device: Authenticator; id: string }> {
    const { device, ...body } = await this.createPasskey(person);
    const path = "/api/profile/passkeys/register/verify";
    const label = `preparation: stored passkey of ${person.email}`;
    const storedReply = await this.client.post(label, path, body, { token: person.token });
    return { device, id: storedReply.textAt("passkey.id") };
  }
}
