/**
 * UTF-8 that is passed on as it came, each character of `bytes` one byte of it. Decoding a long text with letters beyond
 * Latin-1 and encoding it again costs more than reading it from the database.
 */
export class Unread {
  constructor(readonly bytes: string) {}

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
