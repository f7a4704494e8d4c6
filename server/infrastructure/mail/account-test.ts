import MailComposer from "nodemailer/lib/mail-composer";
import SmtpConnection from "nodemailer/lib/smtp-connection";
import { MAIL_STEPS, type MailFailure, type MailStep, type MailSteps } from "@/server/core/errors";
import { truncateText } from "@/server/core/redact";
import { accountOptions, failureOf, type SmtpAccount } from "./smtp";
import type { RenderedMail } from "./template";

interface TrialMail extends RenderedMail {
  from: { name: string; address: string };
  to: string;
}

interface Trial {
  steps: MailSteps;
  failure?: MailFailure;
  /** The server's own text, for the log only. */
  reason?: string;
}

type Done = (error?: Error | null) => void;

/** Sends a test mail step by step and reports each step. Never throws. */
export async function runAccountTest(
  account: SmtpAccount,
  { from, to, ...content }: TrialMail,
): Promise<Trial> {
  const passed = new Map<MailStep, "done" | "unused">();
  let connection: SmtpConnection | undefined;
  try {
    const { auth, ...options } = await accountOptions(account);
    const smtp = new SmtpConnection(options);
    connection = smtp;
    const step = during(smtp);
    await step((done) => smtp.connect(done));
    passed.set("connect", "done").set("tls", smtp.secure ? "done" : "unused");
    if (auth && smtp.allowsAuth) await step((done) => smtp.login({ credentials: auth }, done));
    passed.set("sign_in", auth && smtp.allowsAuth ? "done" : "unused");
    const mail = new MailComposer({ ...content, from, to: { name: "", address: to } }).compile();
    const raw = await mail.build();
    await step((done) => smtp.send({ from: from.address, to: [to] }, raw, done));
    passed.set("sender", "done").set("sent", "done");
    return { steps: stepsOf(passed) };
  } catch (error) {
    const failure = failureOf(error);
    if (failure === "tls") passed.set("connect", "done");
    // The server accepted the sender before it rejected the recipient or the mail.
    if (passed.has("sign_in") && (failure === "recipient" || failure === "refused"))
      passed.set("sender", "done");
    const reason = truncateText((error as Error).message).replaceAll(to, "<recipient>");
    return { steps: stepsOf(passed, true), failure, reason };
  } finally {
    connection?.close();
  }
}

/** Converts callbacks to promises, which also reject if the connection breaks. */
function during(connection: SmtpConnection): (call: (done: Done) => void) => Promise<void> {
  let onBreak: Done | undefined;
  connection.on("error", (error) => onBreak?.(error));
  connection.on("end", () => onBreak?.(new Error("Connection closed")));
  return (call) =>
    new Promise((resolve, reject) => {
      const done: Done = (error) => (error ? reject(error) : resolve());
      onBreak = done;
      call(done);
    });
}

/** The first step that did not pass is the one that failed. */
function stepsOf(passed: ReadonlyMap<MailStep, "done" | "unused">, failed = false): MailSteps {
  const broken = failed ? MAIL_STEPS.find((step) => !passed.has(step)) : undefined;
  return MAIL_STEPS.map((step) => ({
    step,
    outcome: passed.get(step) ?? (step === broken ? "failed" : "not_reached"),
  }));
}
