import { type ImapSignInResult, testImapLogin } from "@/server/infrastructure/mail/imap";
import { STARTTLS_PORT } from "./policy";
import type { CredentialChecker, ProviderReply } from "./service/provider";

/** Only an explicit refusal of the login counts as dead. */
const REPLY_BY_RESULT: Record<ImapSignInResult, Pick<ProviderReply, "outcome" | "reason">> = {
  ok: { outcome: "ok" },
  refused: { outcome: "dead" },
  doubtful: { outcome: "forbidden", reason: "token_refused" },
  forbidden: { outcome: "forbidden" },
  insecure: { outcome: "forbidden", reason: "insecure" },
  private: { outcome: "forbidden", reason: "not_public" },
  unknown: { outcome: "retry", reason: "not_found" },
  unavailable: { outcome: "retry" },
};

/** Checks the login only: we store nothing on a mail server, so a clean-up has nothing to remove. */
export const imap: CredentialChecker = {
  async checkCredentials({ config: { host = "", port, user = "" }, secret: password }) {
    const secure = Number(port) !== STARTTLS_PORT;
    const signInResult = await testImapLogin({ host, port: Number(port), secure, user, password });
    return { ...REPLY_BY_RESULT[signInResult], code: null, body: {} };
  },
};
