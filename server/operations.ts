import { type Handler, handle } from "@/server/core/contract";
import { isProduction } from "./core/env";
import { identityOperations } from "./domains/access/identities/operations";
import { passkeyOperations } from "./domains/access/passkeys/operations";
import { phoneOperations } from "./domains/access/phone/operations";
import { registrationOperations } from "./domains/access/registration/operations";
import { signInOperations } from "./domains/access/sign-in/operations";
import { tokenOperations } from "./domains/access/tokens/operations";
import { twoFactorOperations } from "./domains/access/two-factor/operations";
import { verificationOperations } from "./domains/access/verification/operations";
import { consentOperations } from "./domains/accounts/consents/operations";
import { profileOperations } from "./domains/accounts/profile/operations";
import { subscriptionOperations } from "./domains/billing/subscriptions/operations";
import { healthOperations } from "./domains/platform/health/operations";
import { mailboxOperations } from "./domains/platform/mailbox/operations";
import { accountOperations } from "./domains/settings/account/operations";
import { accountDeletionOperations } from "./domains/settings/account-deletion/operations";
import { avatarOperations } from "./domains/settings/avatar/operations";
import { dataExportOperations } from "./domains/settings/data-export/operations";
import { localeOperations } from "./domains/settings/locales/operations";
import { menuLabelOperations } from "./domains/settings/menu-labels/operations";
import { siteOperations } from "./domains/sites/sites/operations";
import { mailAccountOperations } from "./domains/tenancy/mail-accounts/operations";
import { portalOperations } from "./domains/tenancy/portals/operations";
import { teamOperations } from "./domains/tenancy/team/operations";
import { documentOf, getOpenApi } from "./transports/rest/openapi";

/** Every capability by domain: REST's table and the panel's tRPC router are both made from this. */
export const domains = {
  registration: registrationOperations,
  verification: verificationOperations,
  signIn: signInOperations,
  twoFactor: twoFactorOperations,
  identities: identityOperations,
  passkeys: passkeyOperations,
  consents: consentOperations,
  tokens: tokenOperations,
  profile: profileOperations,
  avatar: avatarOperations,
  account: accountOperations,
  phone: phoneOperations,
  accountDeletion: accountDeletionOperations,
  menuLabels: menuLabelOperations,
  portals: portalOperations,
  locales: localeOperations,
  sites: siteOperations,
  team: teamOperations,
  mailAccounts: mailAccountOperations,
  dataExport: dataExportOperations,
  subscriptions: subscriptionOperations,
  health: healthOperations,
  /** Sent mails can be read without a mail server; in production there is no such door. */
  mailbox: mailboxOperations,
};

const served = Object.entries(domains).filter(([name]) => name !== "mailbox" || !isProduction());
const documented = served.flatMap(([, operations]) => Object.values(operations)) as Handler[];

/** What REST serves: all of the above, and the description of it. */
export const handlers: Handler[] = [
  ...documented,
  handle(getOpenApi, async () => documentOf(documented)) as Handler,
];
