import { Secret, TOTP } from "otpauth";
import { Authenticator } from "@/server/testing/authenticator";
import type { FakeIdentityProvider } from "@/server/testing/identity-provider";
import type { FakeSmtpServer } from "@/server/testing/smtp";
import type { ServerProcess } from "../server-process";
import type { Client } from "./client";
import { waitForMail } from "./mail";

export const PASSWORD = "Kiraz-Vadisi-42";
export const CONSENTS = { terms: true, privacy: true, yurtdisi: true, cagri_kayit: true };

export const PICTURE = "https://pictures.example.com/zeynep.png";

export interface Person {
  id: number;
  name: string;
  email: string;
  token: string;
}

type Columns = Record<string, unknown>;
type CreationOptions = Parameters<Authenticator["create"]>[0];

/** Creates accounts and records for the script, with SQL where the API cannot. */
export class World {
  #people = 0;
  #identities = 0;
  #domains = 0;

  constructor(
    readonly client: Client,
    readonly server: ServerProcess,
    readonly mail: FakeSmtpServer,
    readonly provider: FakeIdentityProvider,
  ) {}

  /** Returns an unused address; the sequence is the same in every run. */
  address(): string {
    return `person.${++this.#people}@example.com`;
  }

  identity(): { sub: string; email: string } {
    const number = ++this.#identities;
    return { sub: `subject-${number}`, email: `provided.${number}@example.com` };
  }

  /** Returns a valid id_token with the given claims; `undefined` omits a claim. */
  idToken(claims: Columns = {}, key = this.provider.keys.rsa): string {
    return this.provider.sign({ claims: { ...this.identity(), picture: PICTURE, ...claims }, key });
  }

  mailed(address: string, pattern: RegExp, known?: string): Promise<string> {
    return waitForMail(this.mail, address, pattern, known);
  }

  domain(): string {
    return `shop-${++this.#domains}.example.com`;
  }

  registration(changes: Columns = {}): Columns & { email: string } {
    return {
      name: "Ayşe Kaya",
      phone: "+905321112233",
      email: this.address(),
      password: PASSWORD,
      password_confirmation: PASSWORD,
      consents: CONSENTS,
      ...changes,
    };
  }

  /** Registers an account, verifies its address and sets further columns. */
  async person(columns: Columns = {}): Promise<Person> {
    const body = this.registration();
    const reply = await this.client.post(`preparation: ${body.email}`, "/api/auth/register", body);
    const person = {
      id: reply.number("user.id"),
      name: reply.text("user.name"),
      email: body.email,
      token: reply.text("token"),
    };
    await this.set(person, { email_verified_at: new Date(), ...columns });
    return person;
  }

  async set({ id }: { id: number }, columns: Columns): Promise<void> {
    if (Object.keys(columns).length === 0) return;
    const set = Object.keys(columns).map((name, index) => `${name} = $${index + 2}`);
    await this.server.sql(`update users set ${set.join(", ")} where id = $1`, [
      id,
      ...Object.values(columns),
    ]);
  }

  async subscription(person: { id: number }, slots: number): Promise<number> {
    const [row] = await this.server.sql<{ id: number }>(
      `insert into subscriptions (user_id, plan_id, status, site_slots, starts_at, ends_at)
       select $1, id, 'active', $2, now() - interval '1 hour', now() + interval '1 year'
         from subscription_plans where slug = 'pro' returning id`,
      [person.id, slots],
    );
    return row!.id;
  }

  async reseller(code: string, columns: Columns = {}): Promise<Person> {
    const reseller = await this.person({ role: "reseller", ...columns });
    await this.server.sql(
      `insert into resellers (user_id, referral_code, agreement_version, agreement_signed_at)
       values ($1, $2, '2026-11-01', now())`,
      [reseller.id, code],
    );
    return reseller;
  }

  async site(owner: Person): Promise<{ id: number; domain: string; api_key: string }> {
    const domain = this.domain();
    const body = { name: "Kaya Kahve", domain };
    const options = { token: owner.token };
    const reply = await this.client.post(`preparation: ${domain}`, "/api/sites", body, options);
    return { id: reply.number("site.id"), domain, api_key: reply.text("site.api_key") };
  }

  async owner(count = 1, columns: Columns = {}) {
    const owner = await this.person(columns);
    await this.subscription(owner, count);
    const sites = [];
    for (let index = 0; index < count; index++) sites.push(await this.site(owner));
    return { owner, sites, site: sites[0]! };
  }

  login(label: string, email: string, password = PASSWORD) {
    return this.client.post(label, "/api/auth/login", { email, password });
  }

  async totp(person: Person): Promise<{ code(): Promise<string>; recoveryCodes: string[] }> {
    const { token } = person;
    const label = `preparation: app of ${person.email}`;
    const enrolment = await this.client.post(label, "/api/profile/2fa/totp", {}, { token });
    const app = new TOTP({ secret: Secret.fromBase32(enrolment.text("secret")) });
    const body = { code: app.generate() };
    const done = await this.client.post(label, "/api/profile/2fa/totp/confirm", body, { token });
    return {
      recoveryCodes: (done.at("recovery_codes") ?? []) as string[],
      // A code is valid once; clearing the last step avoids waiting 30 seconds for the next one.
      code: async () => {
        await this.server.sql("update factors set last_step = null where user_id = $1", [person.id]);
        return app.generate();
      },
    };
  }

  async interimToken({ email }: Person, what = "sign-in"): Promise<string> {
    return (await this.login(`preparation: ${what} of ${email}`, email)).text("interim_token");
  }

  authenticator(): Authenticator {
    return new Authenticator({ origin: this.server.url, rpId: "localhost" });
  }

  async newPasskey({ token, email }: Person, device = this.authenticator()) {
    const label = `preparation: passkey of ${email}`;
    const enrolment = await this.client.post(label, "/api/profile/passkeys/register/options", {}, { token });
    const credential = device.create(enrolment.at("options") as CreationOptions);
    return { device, credential, challenge_ref: enrolment.text("challenge_ref") };
  }

  async passkey(person: Person): Promise<{ device: Authenticator; id: string }> {
    const { device, ...body } = await this.newPasskey(person);
    const path = "/api/profile/passkeys/register/verify";
    const label = `preparation: stored passkey of ${person.email}`;
    const stored = await this.client.post(label, path, body, { token: person.token });
    return { device, id: stored.text("passkey.id") };
  }
}
