/**
 * UTF-8 that is passed on as it came, each character of `bytes` one byte of it. Decoding a long text with letters beyond
 * Latin-1 and encoding it again costs more than reading it from the database.
 */
export class Unread {
  readonly isUnread = true;

  constructor(readonly bytes: string) {}

  /** Modules are loaded more than once where pages are made, so a class alone does not tell. */
  static is(value: unknown): value is Unread {
    return typeof value === "object" && value !== null && (value as Partial<Unread>).isUnread === true;
  }

  get length(): number {
    return this.bytes.length;
  }

  get buffer(): Buffer<ArrayBuffer> {
    return Buffer.from(this.bytes, "latin1");
  }

  get text(): string {
    return this.buffer.toString();
  }
}
