import type { AddressInfo } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";
import { afterAll } from "vitest";

/** A mail as it arrived. */
export interface Arrived extends Email {
  recipients: string[];
  raw: string;
}

/** A mail server on loopback that can be away, or refuse. */
export interface SmtpPeer {
  port: number;
  url: string;
  mails: Arrived[];
  /** Refuses every mail with this code until it is undefined again. */
  refuseWith: number | undefined;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Waits until as many mails as `count` have arrived for an address. */
  waitFor(address: string, count?: number): Promise<Arrived[]>;
}

/** Starts a mail server; it is gone after the file's last test. */
export async function smtpPeer(): Promise<SmtpPeer> {
  let server: SMTPServer | undefined;
  const peer: SmtpPeer = { port: 0, url: "", mails: [], refuseWith: undefined, stop, start, waitFor };

  async function start(): Promise<void> {
    const opened = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS", "AUTH"],
      logger: false,
      onData(stream, session, done) {
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("end", async () => {
          if (peer.refuseWith) {
            return done(Object.assign(new Error("not now"), { responseCode: peer.refuseWith }));
          }
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
    const deadline = Date.now() + 15_000;
    for (;;) {
      const found = peer.mails.filter(({ recipients }) => recipients.includes(address));
      if (found.length >= count) return found;
      if (Date.now() > deadline) throw new Error(`${found.length} of ${count} mails arrived for ${address}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  await start();
  afterAll(stop);
  return peer;
}
