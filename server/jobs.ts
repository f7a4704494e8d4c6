import { DAY, fromNow } from "./core/time";
import { exchangeAppleCodeJob } from "./domains/access/identities/jobs";
import { pruneUsedTokens } from "./domains/access/identities/service/verify";
import { sendPasswordResetJob } from "./domains/access/sign-in/jobs";
import { noticeSignInJob, remindOfKeysJob } from "./domains/access/tokens/jobs";
import { pruneTokens } from "./domains/access/tokens/service/tokens";
import { resendVerificationJob } from "./domains/access/verification/jobs";
import { tearDownJob, tellReleasedJob } from "./domains/settings/account-deletion/jobs";
import { expireKept } from "./domains/settings/account-deletion/service/expire";
import { removeFileJob, sweepAvatarsJob } from "./domains/settings/avatar/jobs";
import { makeDataExportJob, sweepDataExportsJob } from "./domains/settings/data-export/jobs";
import { pruneExternalKeys } from "./domains/sites/sites/service/external-key";
import { suspendUnpaidLicencesJob } from "./domains/sites/slots/jobs";
import { inTransaction, outside } from "./infrastructure/database/transaction";
import { releaseJobs, type Tasks } from "./infrastructure/jobs/worker";
import { deliverMail } from "./infrastructure/mail/deliver";
import { deliverSms } from "./infrastructure/sms/deliver";

/** What performs each background job. */
export const tasks: Tasks = {
  deliver_mail: deliverMail,
  deliver_sms: deliverSms,
  resend_verification: resendVerificationJob,
  send_password_reset: sendPasswordResetJob,
  exchange_apple_code: exchangeAppleCodeJob,
  tear_down: tearDownJob,
  tell_released: tellReleasedJob,
  make_data_export: makeDataExportJob,
  remove_file: removeFileJob,
  sweep_avatars: sweepAvatarsJob,
  sweep_data_exports: sweepDataExportsJob,
  suspend_unpaid_licences: suspendUnpaidLicencesJob,
  notice_sign_in: noticeSignInJob,
  remind_of_keys: remindOfKeysJob,
  release_jobs: () => releaseJobs(10),
  prune: async () => {
    await expireKept(outside());
    await inTransaction(async (tx) => {
      const { db } = tx;
      await pruneTokens(tx);
      await pruneUsedTokens(tx);
      await pruneExternalKeys(tx);
      await db.passkeyChallenge.deleteMany({ where: { expiresAt: { lt: new Date() } } });
      await db.rateLimit.deleteMany({ where: { expire: { lt: Date.now() } } });
      await db.mailMessage.deleteMany({ where: { userId: null, createdAt: { lt: fromNow(-2 * DAY) } } });
      await db.invitation.deleteMany({ where: { expiresAt: { lt: fromNow(-30 * DAY) } } });
      await db.emailVerification.deleteMany({ where: { expiresAt: { lt: fromNow(-7 * DAY) } } });
    });
  },
};
