import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";

interface Arrived {
  to: string[];
  text: string;
}

/** The six digits of a mail, except mails that verify an address: those have a code next to their link. */
export const CODE = /^(?![\s\S]*dsv_)[\s\S]*?\b(\d{6})\b/;

/** A mail server on loopback that accepts and keeps everything. */
export class MailPeer {
  readonly #mails: Arrived[] = [];
  readonly #server: SMTPServer;

  private constructor() {
    const mails = this.#mails;
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS", "AUTH"],
      logger: false,
      onData(stream, session, done) {
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("end", async () => {
          const { text = "" } = await PostalMime.parse(Buffer.concat(chunks));
          mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), text });
          done();
        });
      },
    });
    this.#server.on("error", () => {});
  }

  static async open(): Promise<MailPeer> {
    const peer = new MailPeer();
    await new Promise<void>((resolve) => peer.#server.listen(0, "127.0.0.1", () => resolve()));
    return peer;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.#server.server.address() as AddressInfo).port}`;
  }

  /**
   * Waits for a mail to this address that matches, and returns the pattern's group or the whole match; empty when
   * none arrives.
   */
  find(address: string, pattern: RegExp): Promise<string> {
    return this.findOther(address, pattern, "");
  }

  /** The same, for a match that differs from an earlier one. */
  async findOther(address: string, pattern: RegExp, known: string): Promise<string> {
    const deadline = Date.now() + 15_000;
    do {
      // The newest first: a second mail supersedes the first one.
      for (const { to, text } of this.#mails.toReversed()) {
        const found = to.includes(address) ? pattern.exec(text) : null;
        const match = found?.[1] ?? found?.[0];
        if (match && match !== known) return match;
      }
      await sleep(20);
    } while (Date.now() < deadline);
    return "";
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}
