import type { AnyOperation } from "@/server/core/contract";
import { CONSENTS, MANDATORY_CONSENTS } from "@/server/domains/accounts/consents/contract";
import type { CallOptions } from "./http";
import { buildMultipartForm } from "./multipart";

const PASSKEY_ASSERTION = {
  id: "AAAA",
  rawId: "AAAA",
  type: "public-key",
  response: { clientDataJSON: "AAAA", authenticatorData: "AAAA", signature: "AAAA", userHandle: null },
};

const MAIL_ACCOUNT = {
  from_name: "Kaya Kahve",
  from_address: "merhaba@example.com",
  host: "smtp.example.com",
  port: 587,
  secure: false,
  username: "kaya",
  password: "smtp-password",
  expected: null,
};

const BANK_TRANSFER = {
  amount: 9999.5,
  currency: "TRY",
  paid_at: null,
  bank_reference: "T01234569",
  note: "Not",
  create_invoice: true,
  send_email: true,
};

const BILLING_PROFILE = {
  kind: "company",
  title: "Kaya Kahve",
  tax_number: "10000000146",
  tax_office: "Beyoğlu",
  address: "İstiklal Cad. 1",
  district: "Beyoğlu",
  city: "İstanbul",
  country: "TR",
  email: "nobody@example.com",
};

const ACTIVATION = {
  ...BANK_TRANSFER,
  user_id: 2_147_483_647,
  plan_id: 2,
  period_months: 12,
  absorbableLicenses: false,
  renews_subscription_id: null,
  order_id: null,
  bill_to: null,
};

/** Bodies without an effect for a plain user without a proof: ids do not exist, hosts are private. */
const HARMLESS_BODIES: Record<string, Record<string, unknown>> = {
  // No test makes a matching call.
  scriptSandbox: { party: "telegram", failure: "unavailable", match: "no-such-call", times: 1 },
  register: {
    name: "Ayşe Kaya",
    phone: "+905321234567",
    email: "nobody@example.com",
    password: "a-long-password",
    password_confirmation: "a-long-password",
    // A mandatory consent is missing, so that no account is created.
    consents: Object.fromEntries(MANDATORY_CONSENTS.slice(1).map((key) => [key, true])),
    timezone: "Europe/Istanbul",
    referral_code: "NOCODE",
    company_fax: "",
  },
  previewLegalText: { bodies: { tr: "1. Konu", en: "1. Subject" } },
  // Expects a version that is not in force.
  publishLegalText: {
    version: "2027-01",
    bodies: { tr: "1. Konu", en: "1. Subject" },
    days: 14,
    expected_version: "never-published",
  },
  completeSetup: {
    token: "no-token",
    name: "Deniz Yılmaz",
    email: "nobody@example.com",
    password: "a-long-password",
    password_confirmation: "a-long-password",
  },
  login: { email: "nobody@example.com", password: "a-long-password", device_token: "no-device" },
  sendTwoFactorCode: { interim_token: "no-token", method: "email" },
  challengeTwoFactor: { interim_token: "no-token", method: "email", code: "123456", remember_device: true },
  recoverTwoFactor: { interim_token: "no-token", recovery_code: "AAAA-BBBB", remember_device: true },
  startIdentityCheck: { method: "email" },
  confirmIdentity: { method: "password", value: "a-wrong-password", interim_token: "no-token" },
  confirmSms: { code: "123456" },
  confirmPhone: { code: "123456" },
  signInWithGoogle: { id_token: "no-token", consents: { terms: true } },
  signInWithApple: {
    id_token: "no-token",
    name: "Ayşe Kaya",
    consents: { terms: true },
    authorization_code: "no-code",
    nonce: "no-nonce",
  },
  connectIdentity: { provider: "google", id_token: "no-token" },
  changeConsents: { consents: { marketing: true } },
  confirmTotp: { code: "123456" },
  passkeyLoginOptions: { email: "nobody@example.com", purpose: "login" },
  passkeyLoginVerify: { credential: PASSKEY_ASSERTION, challenge_ref: "no-ceremony" },
  proveByPasskey: { credential: PASSKEY_ASSERTION, challenge_ref: "no-ceremony" },
  passkeyRegisterVerify: {
    credential: {
      ...PASSKEY_ASSERTION,
      response: { clientDataJSON: "AAAA", attestationObject: "AAAA", transports: [] },
    },
    device_name: "Telefon",
    challenge_ref: "no-ceremony",
  },
  renamePasskey: { device_name: "Telefon" },
  verifyEmail: { token: "no-token", email: "nobody@example.com", code: "123456" },
  resendVerification: { email: "nobody@example.com" },
  forgotPassword: { email: "nobody@example.com" },
  resetPassword: {
    token: "no-token",
    email: "nobody@example.com",
    password: "a-long-password",
    password_confirmation: "a-long-password",
  },
  createUserToken: { name: "CI", abilities: ["read"], expires_in_days: 30 },
  tryUserToken: { scope: "all" },
  regenerateExternalKey: { grace_minutes: 0 },
  putUser: {
    name: "Ayşe Kaya",
    email: null,
    current_password: "a-wrong-password",
    password: "a-long-password",
    date_format: "auto",
    hour_cycle: "auto",
    week_start: "auto",
  },
  putProfile: {
    name: "Ayşe Kaya",
    email: null,
    phone: "+905321234567",
    timezone: "Europe/Istanbul",
    current_password: "a-wrong-password",
    new_password: "a-long-password",
    new_password_confirmation: "a-long-password",
    expected: {},
  },
  undoEmailChange: { token: "no-token" },
  reviewAdditions: { token: "no-token", ids: [] },
  stopFactorReset: { token: "no-token" },
  confirmDeletion: { code: "000000", confirmation: "no" },
  putPortal: { domain: "portal.example.com", lock_customers: false, expected: null },
  putBrand: {
    product_name: "Kaya Panel",
    color: "#F59E0B",
    support_email: "destek@kaya.example.com",
    support_phone: null,
    expected: null,
  },
  signAgreement: { version: "none", typed_name: "Nobody", accepted: true },
  putReferral: { joined: null, code: "KAYA2026", display_name: null, city: null, public: null },
  setCustomerStatus: { is_active: true, reason: "Nothing changes" },
  // A bearer token cannot start an impersonation.
  startView: { user_id: 2_147_483_647, reason: "Nothing changes", minutes: 15 },
  putSupportAccess: { until: null },
  mapImport: { mapping: { name: 0, email: 1, phone: null, last_name: null }, has_header: true },
  addCustomerNote: { body: "Not" },
  inviteCustomer: { name: "Ayşe Kaya", email: "nobody@mailinator.com", phone: "+905321234567" },
  putMenuLabels: { menu_labels: { dashboard: null }, expected: {} },
  putMailAccount: MAIL_ACCOUNT,
  putSiteMailAccount: MAIL_ACCOUNT,
  putUserLocale: { locale: "en" },
  inviteMember: {
    name: "Ayşe Kaya",
    email: "nobody@mailinator.com",
    site_id: 2_147_483_647,
    allowed_modules: ["saas"],
  },
  updateMember: { allowed_modules: null, is_active: true, site_id: null, expected: {} },
  acceptInvitation: {
    token: "no-token",
    name: "Ayşe Kaya",
    phone: "+905321234567",
    password: "a-long-password",
    password_confirmation: "a-long-password",
    consents: { terms: true },
    timezone: "Europe/Istanbul",
  },
  setUserRole: {
    role: "user",
    reason: "Nothing changes",
    email: "nobody@example.com",
    agreement_signed: false,
    expected: { role: "user" },
  },
  setUserParent: { parent_user_id: null, reason: "Nothing changes", expected: { parent_user_id: null } },
  putTeamFactorDuty: { duty: null, expected: { duty: null } },
  setUserReseller: { reseller_id: null, reason: "Nothing changes", expected: { reseller_id: null } },
  setUserStatus: { is_active: true, reason: "Nothing changes" },
  signOutUser: { reason: "Nothing changes" },
  sendUserVerification: { reason: "Nothing changes" },
  sendUserPasswordMail: { reason: "Nothing changes" },
  unlockUser: { reason: "Nothing changes" },
  resetTwoFactor: { factors: ["totp"], reason: "Nothing changes" },
  changeUsers: { ids: [2_147_483_647], action: "activate", reason: "Nothing changes", dry_run: true },
  putBillingProfile: { ...BILLING_PROFILE, expected: null },
  activateSubscription: ACTIVATION,
  previewActivation: ACTIVATION,
  payLicence: BANK_TRANSFER,
  cancelLicence: { reason: "Nothing changes" },
  reversePayment: { reason: "Nothing changes", confirmation: "no" },
  putDocumentData: BILLING_PROFILE,
  skipDocument: { reason: "Nothing changes", confirmation: "no" },
  runTask: { task: "no_such_task" },
  retryFailedWork: { kind: "no_such_kind" },
  createView: { list: "sites", name: "Kapalı siteler", query: "is_active=false" },
  renameView: { name: "Duran siteler" },
  testParty: { party: "no_such_party" },
  unskipDocument: { reason: "Nothing changes" },
  updateSite: {
    name: "Kaya Kahve",
    domain: "hostile.example.com",
    widget_color: "#4F46E5",
    widget_position: "bottom-left",
    welcome_message: "Merhaba",
    bot_name: "Ada",
    ai_enabled: true,
    similarity_threshold: 0.5,
    system_prompt: "Kısa yanıt ver.",
    settings: { max_messages_per_session: 20 },
    ai_provider_api_key: null,
    expected: {},
  },
  createSnippet: {
    title: "Hoş geldiniz",
    shortcut: "merhaba",
    body: "Merhaba!",
    media_file_id: 2_147_483_647,
  },
  updateSnippet: {
    title: "Hoş geldiniz",
    shortcut: "merhaba",
    body: "Merhaba!",
    media_file_id: null,
    expected: {},
  },
  createWebhook: { url: "https://10.0.0.1/", events: ["site.created"], description: "Desk" },
  updateWebhook: {
    url: "https://10.0.0.1/",
    events: ["site.created"],
    description: "Desk",
    is_active: true,
    expected: {},
  },
  renewWebhookSecret: { grace_minutes: 60 },
  replayFailedDeliveries: { since: "2027-11-20T09:30:00Z" },
  // A required field of the channel is null, so nothing is connected.
  createConnection: {
    channel: "telegram",
    connection_type: "bot",
    label: "@kayakahve_bot",
    site_ids: [],
    bot_token: null,
    access_token: "EAAGexample",
    waba_id: "102290129340398",
    phone_number_id: "1022901293403981",
    page_id: "110200345",
    ig_user_id: "17840000000000001",
    base_url: "https://evolution.example.com",
    api_key: "evolution-key",
    instance: "kayakahve",
    account_sid: "AC00000000000000000000000000000000",
    auth_token: "a-token-of-twilio",
    phone_number_sid: "PN00000000000000000000000000000000",
    host: "imap.example.com",
    port: 993,
    user: "hello@example.com",
    password: "an-app-password",
  },
  updateConnection: { label: "@kayakahve_bot", is_active: false, site_ids: [], secret: null },
  sendTestMessage: { to: "+905321234567" },
  cleanConnections: { items: [{ channel: "telegram", id: 2_147_483_647 }], dry_run: true, background: false },
  activateSite: { confirm_pay_per_site: false, confirm_paid_site: false },
  deleteSite: { confirmation: "no.example.com" },
  putSettings: {
    bank: { holder: "Kaya A.Ş.", iban: "TR330006100519786457841326", bank: "Örnek Bankası" },
    vat_rate: 20,
    referral_rate: 0,
    trial_days: 14,
    trial_slots: 1,
    final_consumer_tax_number: "11111111111",
    factor_reset_delay_hours: 24,
    two_administrators: false,
    mail_retention_days: 90,
    audit_retention_days: 730,
    webhook_retention_days: 30,
    two_factor_duty: { user: null, agent: null, reseller: null, admin: null },
    sign_up: "open",
    allowed_domains: [],
    agreement_grace_days: 14,
    support_contact: { email: "help@example.com", url: "https://example.com/help" },
    expected_updated_at: { bank: "2020-01-01T00:00:00.000000Z" },
  },
  putPlan: {
    name: "Pro",
    slug: "pro",
    price: 9999,
    site_slots: 5,
    monthly_credits: 10_000,
    features: ["channels"],
    texts: { en: { description: "For growing teams.", features: ["5 sites"] } },
    sort_order: 2,
    is_active: true,
    eligible: true,
    expected: {},
  },
  recordPayout: { amount: 1, until: null, paid_at: null, reference: null, note: null },
  adjustCredits: { amount: 1, note: "Nothing changes" },
  createOrder: {
    plan_id: 2_147_483_647,
    bill_to: { kind: "person", title: "Ayşe Kaya" },
    replaces_order_ids: [2_147_483_647],
  },
  // The test account has no slot.
  createSite: {
    customer_id: null,
    name: "Kaya Kahve",
    domain: "hostile.example.com",
    widget_color: "#4F46E5",
    widget_position: "bottom-left",
    welcome_message: "Merhaba",
    bot_name: "Ada",
    ai_enabled: true,
    similarity_threshold: 0.5,
    system_prompt: "Kısa yanıt ver.",
    confirm_pay_per_site: false,
    confirm_paid_site: false,
  },
  reportWidgetSeen: { key: "dsk_unknown" },
};

export function getHarmlessBody({ id, body }: AnyOperation): Record<string, unknown> | undefined {
  if (!body) return undefined;
  const harmless = HARMLESS_BODIES[id];
  if (!harmless) throw new Error(`server/testing/requests.ts needs a body for ${id}`);
  const missing = Object.keys(body.shape).filter((field) => !(field in harmless));
  if (missing.length > 0) throw new Error(`The body of ${id} in server/testing/requests.ts lacks ${missing}`);
  return harmless;
}

export function getHarmlessCall(operation: AnyOperation): CallOptions {
  if (operation.upload) return buildMultipartForm([{ name: operation.upload.field, bytes: "none" }]);
  return { body: getHarmlessBody(operation) };
}

const PATH_PARAMETERS: Record<string, string> = {
  locale: "tr",
  method: "totp",
  picture: "logo",
  key: "terms",
};

/** Paths whose `{id}` is a ULID; others use integers. */
const ULID_PATHS = ["/api/profile/passkeys/", "/api/admin/factor-resets/"];

function getPathParameter(path: string, name: string): string {
  return (
    PATH_PARAMETERS[name] ?? (ULID_PATHS.some((prefix) => path.startsWith(prefix)) ? "0".repeat(26) : "1")
  );
}

export function buildSamplePath({ path }: Pick<AnyOperation, "path">): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => getPathParameter(path, name));
}

export function buildSampleParams({ path }: Pick<AnyOperation, "path">): Record<string, string> | undefined {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  if (names.length === 0) return undefined;
  return Object.fromEntries(names.map((name) => [name, getPathParameter(path, name)]));
}

let personCount = 0;

export function buildRegistrationBody(
  changes: Record<string, unknown> = {},
): Record<string, unknown> & { email: string } {
  return {
    name: "Ayşe Kaya",
    phone: "+905321234567",
    email: `person.${process.pid}.${++personCount}@example.com`,
    password: "correct-horse",
    password_confirmation: "correct-horse",
    consents: Object.fromEntries(CONSENTS.map((key) => [key, true])),
    ...changes,
  };
}
