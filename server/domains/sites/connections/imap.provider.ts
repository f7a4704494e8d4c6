import { type ImapSignInResult, testImapLogin } from "@/server/infrastructure/mail/imap";
import { STARTTLS_PORT } from "./policy";
import type { Checker, Reply } from "./service/provider";

/** A login counts as dead only when the server refuses it explicitly. */
const REPLIES: Record<ImapSignInResult, Pick<Reply, "outcome" | "reason">> = {
  ok: { outcome: "ok" },
  refused: { outcome: "dead" },
  doubtful: { outcome: "forbidden", reason: "token_refused" },
  forbidden: { outcome: "forbidden" },
  insecure: { outcome: "forbidden", reason: "insecure" },
  private: { outcome: "forbidden", reason: "not_public" },
  unknown: { outcome: "retry", reason: "not_found" },
  unavailable: { outcome: "retry" },
};

/** Only tries the login. We store nothing on a mail server, so a clean-up has nothing to remove. */
export const imap: Checker = {
  async checkCredentials({ config: { host = "", port, user = "" }, secret: password }) {
    const secure = Number(port) !== STARTTLS_PORT;
    const signInResult = await testImapLogin({ host, port: Number(port), secure, user, password });
    return { ...REPLIES[signInResult], code: null, body: {} };
  },
};
