import { declareErrors } from "./core/errors";
import { identityErrors } from "./domains/access/identities/errors";
import { passkeyErrors } from "./domains/access/passkeys/errors";
import { registrationErrors } from "./domains/access/registration/errors";
import { signInErrors } from "./domains/access/sign-in/errors";
import { tokenErrors } from "./domains/access/tokens/errors";
import { twoFactorErrors } from "./domains/access/two-factor/errors";
import { verificationErrors } from "./domains/access/verification/errors";
import { consentErrors } from "./domains/accounts/consents/errors";
import { creditErrors } from "./domains/accounts/credits/errors";
import { idempotencyErrors } from "./domains/accounts/idempotency/errors";
import { portalErrors } from "./domains/accounts/portals/errors";
import { preferenceErrors } from "./domains/accounts/preferences/errors";
import { userErrors } from "./domains/accounts/users/errors";
import { webhookErrors } from "./domains/accounts/webhooks/errors";
import { accountingErrors } from "./domains/billing/accounting/errors";
import { paymentErrors } from "./domains/billing/payments/errors";
import { payoutErrors } from "./domains/billing/payouts/errors";
import { subscriptionErrors } from "./domains/billing/subscriptions/errors";
import { trialErrors } from "./domains/billing/trials/errors";
import { healthErrors } from "./domains/platform/health/errors";
import { jobErrors } from "./domains/platform/jobs/errors";
import { mailErrors } from "./domains/platform/mail/errors";
import { accountErrors } from "./domains/settings/account/errors";
import { accountDeletionErrors } from "./domains/settings/account-deletion/errors";
import { connectionErrors } from "./domains/sites/connections/errors";
import { mediaErrors } from "./domains/sites/media/errors";
import { siteErrors } from "./domains/sites/sites/errors";
import { snippetErrors } from "./domains/sites/snippets/errors";
import { administrationErrors } from "./domains/tenancy/administration/errors";
import { importErrors } from "./domains/tenancy/customer-imports/errors";
import { customerErrors } from "./domains/tenancy/customers/errors";
import { factorResetErrors } from "./domains/tenancy/factor-resets/errors";
import { mailAccountErrors } from "./domains/tenancy/mail-accounts/errors";
import { teamErrors } from "./domains/tenancy/team/errors";
import { viewAsErrors } from "./domains/tenancy/view-as/errors";

/** Error codes of every domain. Codes shared by all operations are in `core/errors.ts`. */
const errorTables = [
  identityErrors,
  passkeyErrors,
  registrationErrors,
  signInErrors,
  tokenErrors,
  twoFactorErrors,
  verificationErrors,
  consentErrors,
  creditErrors,
  idempotencyErrors,
  portalErrors,
  preferenceErrors,
  userErrors,
  webhookErrors,
  accountingErrors,
  paymentErrors,
  payoutErrors,
  subscriptionErrors,
  trialErrors,
  healthErrors,
  jobErrors,
  mailErrors,
  accountErrors,
  accountDeletionErrors,
  connectionErrors,
  mediaErrors,
  siteErrors,
  snippetErrors,
  administrationErrors,
  importErrors,
  customerErrors,
  factorResetErrors,
  mailAccountErrors,
  teamErrors,
  viewAsErrors,
] as const;

declareErrors(errorTables);

type UnionToIntersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;
type DomainErrors = UnionToIntersection<(typeof errorTables)[number]>;
declare module "./core/errors" {
  interface ErrorTable extends DomainErrors {}
}
