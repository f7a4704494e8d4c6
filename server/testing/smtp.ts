import type { AddressInfo } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";

/** A mail that arrived. */
interface Arrived extends Email {
  recipients: string[];
  raw: string;
}

/** A mail server on loopback that can be unavailable, or refuse. */
export interface SmtpPeer {
  port: number;
  url: string;
  mails: Arrived[];
  /** Refuses every mail with this code while it is set. */
  refuseWith: number | undefined;
  /** The step at which it refuses: the mail itself by default. */
  refuseAt: "sender" | "recipient" | "mail";
  /** Runs before a mail is accepted or refused. */
  before?: () => Promise<unknown>;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Waits until `count` mails have arrived for an address. */
  waitFor(address: string, count?: number): Promise<Arrived[]>;
}

export interface SmtpOptions {
  /** Who may send; anybody without it. */
  login?: { user: string; pass: string };
  /** Offers STARTTLS, with a certificate that nobody trusts. */
  selfSigned?: boolean;
}

/** Starts a mail server on a free port, which it keeps when it is stopped and started again. */
export async function openSmtpPeer({ login, selfSigned }: SmtpOptions = {}): Promise<SmtpPeer> {
  let server: SMTPServer | undefined;
  const peer: SmtpPeer = {
    port: 0,
    url: "",
    mails: [],
    refuseWith: undefined,
    refuseAt: "mail",
    stop,
    start,
    waitFor,
  };
  const refusal = (step: SmtpPeer["refuseAt"]) =>
    peer.refuseWith && peer.refuseAt === step
      ? Object.assign(new Error("not now, says secret.internal"), { responseCode: peer.refuseWith })
      : null;

  async function start(): Promise<void> {
    const opened = new SMTPServer({
      authOptional: !login,
      allowInsecureAuth: true,
      disabledCommands: [...(selfSigned ? [] : ["STARTTLS"]), ...(login ? [] : ["AUTH"])],
      logger: false,
      onAuth({ username, password }, _session, done) {
        if (username === login?.user && password === login?.pass) done(null, { user: username });
        else done(new Error("Wrong, says secret.internal"));
      },
      onMailFrom: (_address, _session, done) => done(refusal("sender")),
      onRcptTo: (_address, _session, done) => done(refusal("recipient")),
      onData(stream, session, done) {
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("end", async () => {
          await peer.before?.();
          const refused = refusal("mail");
          if (refused) return done(refused);
          const raw = Buffer.concat(chunks);
          const recipients = session.envelope.rcptTo.map(({ address }) => address);
          peer.mails.push({ ...(await PostalMime.parse(raw)), recipients, raw: raw.toString("utf8") });
          done();
        });
      },
    });
    opened.on("error", () => {});
    await new Promise<void>((resolve) => opened.listen(peer.port, "127.0.0.1", () => resolve()));
    peer.port = (opened.server.address() as AddressInfo).port;
    peer.url = `smtp://127.0.0.1:${peer.port}`;
    server = opened;
  }

  async function stop(): Promise<void> {
    const closing = server;
    server = undefined;
    if (closing) await new Promise<void>((resolve) => closing.close(() => resolve()));
  }

  async function waitFor(address: string, count = 1): Promise<Arrived[]> {
    const deadline = Date.now() + 60_000;
    for (;;) {
      const found = peer.mails.filter(({ recipients }) => recipients.includes(address));
      if (found.length >= count) return found;
      if (Date.now() > deadline) throw new Error(`${found.length} of ${count} mails arrived for ${address}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  await start();
  return peer;
}
