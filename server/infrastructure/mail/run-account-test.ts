import MailComposer from "nodemailer/lib/mail-composer";
import SmtpConnection from "nodemailer/lib/smtp-connection";
import { MAIL_STEPS, type MailFailure, type MailStep, type MailSteps } from "@/server/core/errors";
import { truncateText } from "@/server/core/redact";
import { buildConnectionOptions, classifyMailFailure, type SmtpAccount } from "./smtp";
import type { RenderedMail } from "./template";

interface TestMail extends RenderedMail {
  from: { name: string; address: string };
  to: string;
}

interface AccountTestResult {
  steps: MailSteps;
  failure?: MailFailure;
  /** The server's own text, for the log only. */
  reason?: string;
}

type SmtpCallback = (error?: Error | null) => void;

/** Sends a test mail step by step and reports each step. Never throws. */
export async function runAccountTest(
  account: SmtpAccount,
  { from, to, ...content }: TestMail,
): Promise<AccountTestResult> {
  const passedSteps = new Map<MailStep, "done" | "unused">();
  let connection: SmtpConnection | undefined;
  try {
    const { auth, ...options } = await buildConnectionOptions(account);
    const smtp = new SmtpConnection(options);
    connection = smtp;
    const runStep = promisifySteps(smtp);
    await runStep((done) => smtp.connect(done));
    passedSteps.set("connect", "done").set("tls", smtp.secure ? "done" : "unused");
    if (auth && smtp.allowsAuth) await runStep((done) => smtp.login({ credentials: auth }, done));
    passedSteps.set("sign_in", auth && smtp.allowsAuth ? "done" : "unused");
    const mail = new MailComposer({ ...content, from, to: { name: "", address: to } }).compile();
    const rawMail = await mail.build();
    await runStep((done) => smtp.send({ from: from.address, to: [to] }, rawMail, done));
    passedSteps.set("sender", "done").set("sent", "done");
    return { steps: toSteps(passedSteps) };
  } catch (error) {
    const failure = classifyMailFailure(error);
    if (failure === "tls") passedSteps.set("connect", "done");
    // The server accepted the sender before it rejected the recipient or the mail.
    if (passedSteps.has("sign_in") && (failure === "recipient" || failure === "refused"))
      passedSteps.set("sender", "done");
    const reason = truncateText((error as Error).message).replaceAll(to, "<recipient>");
    return { steps: toSteps(passedSteps, true), failure, reason };
  } finally {
    connection?.close();
  }
}

/** Converts callbacks to promises, which also reject if the connection breaks. */
function promisifySteps(connection: SmtpConnection): (call: (done: SmtpCallback) => void) => Promise<void> {
  let onConnectionError: SmtpCallback | undefined;
  connection.on("error", (error) => onConnectionError?.(error));
  connection.on("end", () => onConnectionError?.(new Error("Connection closed")));
  return (call) =>
    new Promise((resolve, reject) => {
      const done: SmtpCallback = (error) => (error ? reject(error) : resolve());
      onConnectionError = done;
      call(done);
    });
}

/** The first step that did not pass is the one that failed. */
function toSteps(passedSteps: ReadonlyMap<MailStep, "done" | "unused">, hasFailed = false): MailSteps {
  const failedStep = hasFailed ? MAIL_STEPS.find((step) => !passedSteps.has(step)) : undefined;
  return MAIL_STEPS.map((step) => ({
    step,
    outcome: passedSteps.get(step) ?? (step === failedStep ? "failed" : "not_reached"),
  }));
}
