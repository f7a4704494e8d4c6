import { register } from "./core/domain";
import { additionReview } from "./domains/access/addition-review/domain";
import { emailChange } from "./domains/access/email-change/domain";
import { factorDuty } from "./domains/access/factor-duty/domain";
import { gates } from "./domains/access/gates/domain";
import { identities } from "./domains/access/identities/domain";
import { passkeys } from "./domains/access/passkeys/domain";
import { phone } from "./domains/access/phone/domain";
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
import { portalLock } from "./domains/accounts/portal-lock/domain";
import { profile } from "./domains/accounts/profile/domain";
import { proof } from "./domains/accounts/proof/domain";
import { users } from "./domains/accounts/users/domain";
import { accounting } from "./domains/billing/accounting/domain";
import { billingProfile } from "./domains/billing/billing-profile/domain";
import { creditHistory } from "./domains/billing/credits/domain";
import { payments } from "./domains/billing/payments/domain";
import { payouts } from "./domains/billing/payouts/domain";
import { records } from "./domains/billing/records/domain";
import { subscriptions } from "./domains/billing/subscriptions/domain";
import { auditLog } from "./domains/platform/audit-log/domain";
import { health } from "./domains/platform/health/domain";
import { jobs } from "./domains/platform/jobs/domain";
import { mailLog } from "./domains/platform/mail-log/domain";
import { mailbox } from "./domains/platform/mailbox/domain";
import { outbox } from "./domains/platform/outbox/domain";
import { sandbox } from "./domains/platform/sandbox/domain";
import { savedViews } from "./domains/platform/saved-views/domain";
import { settings } from "./domains/platform/settings/domain";
import { upkeep } from "./domains/platform/upkeep/domain";
import { webhooks } from "./domains/platform/webhooks/domain";
import { account } from "./domains/settings/account/domain";
import { accountDeletion } from "./domains/settings/account-deletion/domain";
import { avatar } from "./domains/settings/avatar/domain";
import { dataExport } from "./domains/settings/data-export/domain";
import { locales } from "./domains/settings/locales/domain";
import { menuLabels } from "./domains/settings/menu-labels/domain";
import { connections } from "./domains/sites/connections/domain";
import { externalKeys } from "./domains/sites/external-keys/domain";
import { media } from "./domains/sites/media/domain";
import { sites } from "./domains/sites/sites/domain";
import { slots } from "./domains/sites/slots/domain";
import { snippets } from "./domains/sites/snippets/domain";
import { suspension } from "./domains/sites/suspension/domain";
import { administration } from "./domains/tenancy/administration/domain";
import { agreement } from "./domains/tenancy/agreement/domain";
import { brands } from "./domains/tenancy/brands/domain";
import { customerImports } from "./domains/tenancy/customer-imports/domain";
import { customers } from "./domains/tenancy/customers/domain";
import { factorResets } from "./domains/tenancy/factor-resets/domain";
import { legalTexts } from "./domains/tenancy/legal-texts/domain";
import { mailAccounts } from "./domains/tenancy/mail-accounts/domain";
import { overview } from "./domains/tenancy/overview/domain";
import { portals } from "./domains/tenancy/portals/domain";
import { referral } from "./domains/tenancy/referral/domain";
import { search } from "./domains/tenancy/search/domain";
import { setup } from "./domains/tenancy/setup/domain";
import { siteRemoval } from "./domains/tenancy/site-removal/domain";
import { team } from "./domains/tenancy/team/domain";
import { viewAs } from "./domains/tenancy/view-as/domain";

/** Every domain of the product, in the order in which the API's description and the personal data archive list them. */
export const domains = {
  registration,
  verification,
  gates,
  signIn,
  twoFactor,
  factorDuty,
  identities,
  passkeys,
  consents,
  tokens,
  profile,
  avatar,
  account,
  emailChange,
  additionReview,
  phone,
  accountDeletion,
  menuLabels,
  brands,
  portals,
  agreement,
  customers,
  customerImports,
  referral,
  locales,
  sites,
  externalKeys,
  suspension,
  connections,
  siteRemoval,
  webhooks,
  media,
  snippets,
  team,
  viewAs,
  search,
  mailAccounts,
  dataExport,
  subscriptions,
  billingProfile,
  payments,
  payouts,
  accounting,
  records,
  creditHistory,
  setup,
  overview,
  legalTexts,
  administration,
  factorResets,
  savedViews,
  settings,
  auditLog,
  mailLog,
  jobs,
  health,
  mailbox,
  sandbox,
  users,
  proof,
  portalLock,
  audit,
  additions,
  credits,
  slots,
  outbox,
  upkeep,
  idempotency,
  keyUse,
};

register(Object.values(domains));

declare module "./core/domain" {
  interface Register {
    domains: typeof domains;
  }
}
