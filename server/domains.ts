import { registerDomains } from "./core/domain";
import { identities } from "./domains/access/identities/domain";
import { passkeys } from "./domains/access/passkeys/domain";
import { registration } from "./domains/access/registration/domain";
import { signIn } from "./domains/access/sign-in/domain";
import { tokens } from "./domains/access/tokens/domain";
import { twoFactor } from "./domains/access/two-factor/domain";
import { verification } from "./domains/access/verification/domain";
import { additions } from "./domains/accounts/additions/domain";
import { audit } from "./domains/accounts/audit/domain";
import { consents } from "./domains/accounts/consents/domain";
import { credits } from "./domains/accounts/credits/domain";
import { idempotency } from "./domains/accounts/idempotency/domain";
import { keyUse } from "./domains/accounts/key-use/domain";
import { portals } from "./domains/accounts/portals/domain";
import { preferences } from "./domains/accounts/preferences/domain";
import { profile } from "./domains/accounts/profile/domain";
import { users } from "./domains/accounts/users/domain";
import { webhooks } from "./domains/accounts/webhooks/domain";
import { accounting } from "./domains/billing/accounting/domain";
import { billingProfile } from "./domains/billing/billing-profile/domain";
import { payments } from "./domains/billing/payments/domain";
import { payouts } from "./domains/billing/payouts/domain";
import { records } from "./domains/billing/records/domain";
import { subscriptions } from "./domains/billing/subscriptions/domain";
import { trials } from "./domains/billing/trials/domain";
import { health } from "./domains/platform/health/domain";
import { jobs } from "./domains/platform/jobs/domain";
import { mail } from "./domains/platform/mail/domain";
import { requests } from "./domains/platform/requests/domain";
import { sandbox } from "./domains/platform/sandbox/domain";
import { settings } from "./domains/platform/settings/domain";
import { account } from "./domains/settings/account/domain";
import { accountDeletion } from "./domains/settings/account-deletion/domain";
import { dataExport } from "./domains/settings/data-export/domain";
import { connections } from "./domains/sites/connections/domain";
import { externalKeys } from "./domains/sites/external-keys/domain";
import { media } from "./domains/sites/media/domain";
import { sites } from "./domains/sites/sites/domain";
import { slots } from "./domains/sites/slots/domain";
import { snippets } from "./domains/sites/snippets/domain";
import { administration } from "./domains/tenancy/administration/domain";
import { brands } from "./domains/tenancy/brands/domain";
import { customerImports } from "./domains/tenancy/customer-imports/domain";
import { customers } from "./domains/tenancy/customers/domain";
import { factorResets } from "./domains/tenancy/factor-resets/domain";
import { legalTexts } from "./domains/tenancy/legal-texts/domain";
import { mailAccounts } from "./domains/tenancy/mail-accounts/domain";
import { overview } from "./domains/tenancy/overview/domain";
import { referral } from "./domains/tenancy/referral/domain";
import { siteRemoval } from "./domains/tenancy/site-removal/domain";
import { team } from "./domains/tenancy/team/domain";
import { viewAs } from "./domains/tenancy/view-as/domain";
import "./errors";

/** Every domain, in the order of the API description and the personal data archive. */
export const domains = {
  registration,
  verification,
  signIn,
  twoFactor,
  identities,
  passkeys,
  consents,
  tokens,
  profile,
  account,
  accountDeletion,
  brands,
  customers,
  customerImports,
  referral,
  sites,
  externalKeys,
  connections,
  siteRemoval,
  webhooks,
  media,
  snippets,
  team,
  viewAs,
  mailAccounts,
  dataExport,
  subscriptions,
  trials,
  billingProfile,
  payments,
  payouts,
  accounting,
  records,
  overview,
  legalTexts,
  administration,
  factorResets,
  preferences,
  settings,
  jobs,
  health,
  requests,
  sandbox,
  users,
  portals,
  audit,
  additions,
  credits,
  slots,
  mail,
  idempotency,
  keyUse,
};

registerDomains(Object.values(domains));

declare module "./core/domain" {
  interface Register {
    domains: typeof domains;
  }
}
