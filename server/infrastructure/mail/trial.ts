import MailComposer from "nodemailer/lib/mail-composer";
import SmtpConnection from "nodemailer/lib/smtp-connection";
import { MAIL_STEPS, type MailFailure, type MailStep, type MailSteps } from "@/server/core/errors";
import { truncated } from "@/server/core/redact";
import { accountOptions, failureOf, type SmtpAccount } from "./smtp";
import type { RenderedMail } from "./template";

interface TrialMail extends RenderedMail {
  from: { name: string; address: string };
  to: string;
}

interface Trial {
  steps: MailSteps;
  /** None: the mail was accepted. */
  failure?: MailFailure;
  /** The server's own words, for the log only. */
  reason?: string;
}

type Done = (error?: Error | null) => void;

/** Sends a mail through an account, step by step, and tells how far it came. Never throws. */
export async function tryAccount(account: SmtpAccount, { from, to, ...content }: TrialMail): Promise<Trial> {
  const passed = new Map<MailStep, "done" | "unused">();
  let connection: SmtpConnection | undefined;
  try {
    const { auth, ...options } = await accountOptions(account);
    const opened = new SmtpConnection(options);
    connection = opened;
    const step = during(opened);
    await step((done) => opened.connect(done));
    passed.set("connect", "done").set("tls", opened.secure ? "done" : "unused");
    if (auth && opened.allowsAuth) await step((done) => opened.login({ credentials: auth }, done));
    passed.set("sign_in", auth && opened.allowsAuth ? "done" : "unused");
    const mail = new MailComposer({ ...content, from, to: { name: "", address: to } }).compile();
    const raw = await mail.build();
    await step((done) => opened.send({ from: from.address, to: [to] }, raw, done));
    passed.set("sender", "done").set("sent", "done");
    return { steps: stepsOf(passed) };
  } catch (error) {
    const failure = failureOf(error);
    if (failure === "tls") passed.set("connect", "done");
    // The server took the sender before it refused the recipient or the mail.
    if (passed.has("sign_in") && (failure === "recipient" || failure === "refused"))
      passed.set("sender", "done");
    const reason = truncated((error as Error).message).replaceAll(to, "<recipient>");
    return { steps: stepsOf(passed, true), failure, reason };
  } finally {
    connection?.close();
  }
}

/** Makes promises of calls; each fails, too, when the connection breaks meanwhile. */
function during(connection: SmtpConnection): (call: (done: Done) => void) => Promise<void> {
  let breaks: Done | undefined;
  connection.on("error", (error) => breaks?.(error));
  connection.on("end", () => breaks?.(new Error("Connection closed")));
  return (call) =>
    new Promise((resolve, reject) => {
      const done: Done = (error) => (error ? reject(error) : resolve());
      breaks = done;
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
