import type { AddressInfo } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";

interface ReceivedMail extends Email {
  recipients: string[];
  raw: string;
}

/** Fake SMTP server on loopback that can be stopped or reject mails. */
export interface FakeSmtpServer {
  port: number;
  url: string;
  mails: ReceivedMail[];
  refuseWith: number | undefined;
  /** Step at which to reject; the mail itself by default. */
  refuseAt: "sender" | "recipient" | "mail";
  beforeMail?: () => Promise<unknown>;
  stop(): Promise<void>;
  start(): Promise<void>;
  waitForMails(address: string, count?: number): Promise<ReceivedMail[]>;
}

export interface SmtpOptions {
  login?: { user: string; pass: string };
  selfSigned?: boolean;
}

/** Starts a server on a free port, which it keeps across stop and start. */
export async function openFakeSmtpServer({ login, selfSigned }: SmtpOptions = {}): Promise<FakeSmtpServer> {
  let server: SMTPServer | undefined;
  const fakeServer: FakeSmtpServer = {
    port: 0,
    url: "",
    mails: [],
    refuseWith: undefined,
    refuseAt: "mail",
    stop,
    start,
    waitForMails,
  };
  const getRejection = (step: FakeSmtpServer["refuseAt"]) =>
    fakeServer.refuseWith && fakeServer.refuseAt === step
      ? Object.assign(new Error("not now, says secret.internal"), { responseCode: fakeServer.refuseWith })
      : null;

  async function start(): Promise<void> {
    const newServer = new SMTPServer({
      authOptional: !login,
      allowInsecureAuth: true,
      disabledCommands: [...(selfSigned ? [] : ["STARTTLS"]), ...(login ? [] : ["AUTH"])],
      logger: false,
      onAuth({ username, password }, _session, done) {
        if (username === login?.user && password === login?.pass) done(null, { user: username });
        else done(new Error("Wrong, says secret.internal"));
      },
      onMailFrom: (_address, _session, done) => done(getRejection("sender")),
      onRcptTo: (_address, _session, done) => done(getRejection("recipient")),
      onData(stream, session, done) {
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("end", async () => {
          await fakeServer.beforeMail?.();
          const rejection = getRejection("mail");
          if (rejection) return done(rejection);
          const raw = Buffer.concat(chunks);
          const recipients = session.envelope.rcptTo.map(({ address }) => address);
          fakeServer.mails.push({ ...(await PostalMime.parse(raw)), recipients, raw: raw.toString("utf8") });
          done();
        });
      },
    });
    newServer.on("error", () => {});
    await new Promise<void>((resolve) => newServer.listen(fakeServer.port, "127.0.0.1", () => resolve()));
    fakeServer.port = (newServer.server.address() as AddressInfo).port;
    fakeServer.url = `smtp://127.0.0.1:${fakeServer.port}`;
    server = newServer;
  }

  async function stop(): Promise<void> {
    const closingServer = server;
    server = undefined;
    if (closingServer) await new Promise<void>((resolve) => closingServer.close(() => resolve()));
  }

  async function waitForMails(address: string, count = 1): Promise<ReceivedMail[]> {
    const deadline = Date.now() + 60_000;
    for (;;) {
      const receivedMails = fakeServer.mails.filter(({ recipients }) => recipients.includes(address));
      if (receivedMails.length >= count) return receivedMails;
      if (Date.now() > deadline)
        throw new Error(`${receivedMails.length} of ${count} mails arrived for ${address}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  await start();
  return fakeServer;
}
